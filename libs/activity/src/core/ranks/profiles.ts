import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TimedCache } from '../cache/timed-cache';
import { within } from '../deadlines/deadline';
import { errorTrace } from '../http/error-trace';
import { USER_DIRECTORY, type UserDirectory, type UserProfile } from '../extensions/user-directory';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import type { RankUser } from './rank.responses';

/** How long users are gathered at most while the directory answers for others. */
const gatherMs = 10;

/** The most users whose profiles are cached. */
const maxCached = 10_000;

/** How old a profile may be while the directory fails. */
const maxStaleMs = 300_000;

/** The most users in one call of the directory: as many as one lookup names. */
const maxAsked = 200;

/** Users who are about to be asked for, and when the directory has answered or failed. */
interface Asking {
  readonly userIds: Set<string>;
  readonly done: Promise<void>;
}

/**
 * Names and avatars for ranks, at most `cacheMs` old. The directory is called once for all who ask in the same turn of
 * the event loop, or while it answers for others: a call costs it and this process more than the users in it. Ranks
 * never fail for want of names.
 */
@Injectable()
export class Profiles {
  private readonly logger = new Logger(Profiles.name);
  /** The directory's answer about a user, and when; null: it does not know the user. */
  private readonly known: TimedCache<{ readonly profile: RankUser | null; readonly atMs: number }>;
  private asking: Asking | null = null;
  /** Those of the latest call, until it ends. */
  private called: Asking | null = null;

  constructor(
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Optional() @Inject(USER_DIRECTORY) private readonly directory?: UserDirectory,
  ) {
    this.known = new TimedCache({ clock: settings.clock, ttlMs: maxStaleMs, maxWeight: maxCached });
  }

  /** The profiles; those last known where the directory fails or takes longer than `commandTimeoutMs`. */
  async find(userIds: readonly string[]): Promise<ReadonlyMap<string, RankUser>> {
    if (!this.directory) return new Map();
    const freshMs = this.settings.clock.now() - this.settings.cacheMs;
    const missing = userIds.filter((userId) => (this.known.get(userId)?.atMs ?? -Infinity) <= freshMs);
    if (missing.length > 0) await this.ask(this.directory, missing);
    return new Map(
      userIds.flatMap((userId) => {
        const profile = this.known.get(userId)?.profile;
        return profile ? [[userId, profile]] : [];
      }),
    );
  }

  private ask(directory: UserDirectory, userIds: readonly string[]): Promise<void> {
    if (!this.asking || this.asking.userIds.size + userIds.length > maxAsked) {
      // A directory that is slow for some is not waited for by all.
      const turn = this.called ? within(gatherMs, this.called.done, () => undefined) : nextTurn();
      const asking: Asking = { userIds: new Set(), done: turn.then(() => this.read(directory, asking)) };
      this.asking = asking;
    }
    for (const userId of userIds) this.asking.userIds.add(userId);
    return this.asking.done;
  }

  private async read(directory: UserDirectory, asking: Asking): Promise<void> {
    if (this.asking === asking) this.asking = null;
    this.called = asking;
    const userIds = [...asking.userIds];
    const { commandTimeoutMs, clock } = this.settings;
    try {
      const found = await within(commandTimeoutMs, directory.find(userIds), () => null);
      const late = `The user directory took more than ${commandTimeoutMs} ms: ranks are shown with the names last known`;
      if (found === null) return this.logger.warn(late);
      const atMs = clock.now();
      const shown = userIds.map((userId) => shownOf(found.get(userId), this.settings.profileFields));
      userIds.forEach((userId, i) => this.known.set(userId, { profile: shown[i] ?? null, atMs }));
    } catch (error) {
      this.logger.error('The user directory failed: ranks are shown with the names last known', errorTrace(error));
    } finally {
      if (this.called === asking) this.called = null;
    }
  }
}

/** These fields alone, and those that the app names: its profiles may hold more than the public should see. */
function shownOf(profile: UserProfile | undefined, fields: readonly string[]): RankUser | null {
  if (!profile) return null;
  const { name, avatarUrl, text } = profile;
  const user = { name, avatarUrl, ...(text !== undefined && { text }) };
  if (fields.length === 0) return user;
  const data = Object.fromEntries(Object.entries(profile).filter(([field]) => fields.includes(field)));
  // As JSON has them: what it cannot hold is the directory's fault, not each answer's.
  return { ...user, data: JSON.parse(JSON.stringify(data)) as Readonly<Record<string, unknown>> };
}
