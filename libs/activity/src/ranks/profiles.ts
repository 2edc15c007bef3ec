import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TimedCache } from '../cache/timed-cache';
import { within } from '../deadlines/deadline';
import { errorTrace } from '../http/error-trace';
import { USER_DIRECTORY, type UserDirectory, type UserProfile } from '../extensions/user-directory';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';

type FoundProfiles = ReadonlyMap<string, UserProfile>;

const nobody: FoundProfiles = new Map();

/** How long users are gathered at most while the directory answers for others. */
const gatherMs = 10;

/** The most users whose profiles are cached. */
const maxCached = 10_000;

/** The most users in one call of the directory: as many as one lookup names. */
const maxAsked = 200;

/** Users who are about to be asked for, and what the directory will say of them. */
interface Asking {
  readonly userIds: Set<string>;
  readonly found: Promise<FoundProfiles>;
}

/**
 * Names and avatars for ranks, at most `cacheMs` old. The directory is called once for all who ask in the same turn of
 * the event loop, or while it answers for others: a call costs it and this process more than the users in it. Ranks
 * never fail for want of names.
 */
@Injectable()
export class Profiles {
  private readonly logger = new Logger(Profiles.name);
  /** Null: the directory does not know the user. */
  private readonly known: TimedCache<{ readonly profile: UserProfile | null }>;
  private asking: Asking | null = null;
  /** Those of the latest call, until it ends. */
  private called: Asking | null = null;

  constructor(
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Optional() @Inject(USER_DIRECTORY) private readonly directory?: UserDirectory,
  ) {
    this.known = new TimedCache({ clock: settings.clock, ttlMs: settings.cacheMs, maxWeight: maxCached });
  }

  /** The profiles known: none where the directory fails or takes longer than `commandTimeoutMs`. */
  async find(userIds: readonly string[]): Promise<FoundProfiles> {
    if (!this.directory || userIds.length === 0) return nobody;
    const cached = userIds.map((userId) => this.known.get(userId));
    const missing = userIds.filter((_, i) => !cached[i]);
    const found = missing.length > 0 ? await this.ask(this.directory, missing) : nobody;
    return new Map(
      userIds.flatMap((userId, i) => {
        const profile = cached[i] ? cached[i].profile : found.get(userId);
        return profile ? [[userId, profile]] : [];
      }),
    );
  }

  private ask(directory: UserDirectory, userIds: readonly string[]): Promise<FoundProfiles> {
    if (!this.asking || this.asking.userIds.size + userIds.length > maxAsked) {
      const asked = new Set<string>();
      const asking: Asking = { userIds: asked, found: this.turn().then(() => this.read(directory, asking)) };
      this.asking = asking;
    }
    for (const userId of userIds) this.asking.userIds.add(userId);
    return this.asking.found;
  }

  /** When the next call is made: a directory that is slow for some is not waited for by all. */
  private turn(): Promise<void> {
    const { called } = this;
    if (!called) return nextTurn();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, gatherMs).unref();
      void called.found.then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private async read(directory: UserDirectory, asking: Asking): Promise<FoundProfiles> {
    if (this.asking === asking) this.asking = null;
    this.called = asking;
    const userIds = [...asking.userIds];
    const { commandTimeoutMs } = this.settings;
    try {
      const found = await within(commandTimeoutMs, directory.find(userIds), () => {
        throw new Error(`no answer within ${commandTimeoutMs} ms`);
      });
      for (const userId of userIds) this.known.set(userId, { profile: found.get(userId) ?? null });
      return found;
    } catch (error) {
      this.logger.error('The user directory failed: ranks are shown without names', errorTrace(error));
      return nobody;
    } finally {
      if (this.called === asking) this.called = null;
    }
  }
}
