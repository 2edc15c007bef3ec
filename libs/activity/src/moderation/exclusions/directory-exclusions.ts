import {
  Inject,
  Injectable,
  Logger,
  Optional,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { RedisConnection } from '../../redis/redis-connection';
import { faultCode } from '../../redis/redis-faults';
import { Ledgers } from '../../ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../options/settings';
import { USER_DIRECTORY, type UserDirectory } from '../../extensions/user-directory';
import { Deadline } from '../../deadlines/deadline';
import { Extensions } from '../../extensions/extensions';
import type { ExclusionReason, Moderation } from '../../extensions/moderation';
import { Exclusions, unlessErased } from './exclusions';

/** How often what the directory said is asked again. */
const askAgainMs = 60_000;
/** How long a recording waits for it, and for how long it is left alone after it failed. */
const timeoutMs = 1_000;
const pauseMs = 5_000;
/** Users asked for at once, and users remembered: of more, the first met are asked anew at their next activity. */
const usersAtOnce = 200;
const maxMet = 20_000;
/** Users of each current board asked for at each look: the first page always, and one more, further down each time. */
const shownAtOnce = 500;

/**
 * Keeps off the leaderboards whom the app's directory names. A user whom this process has not met is asked for before his
 * first activity or adjustment is recorded, so that he never shows; while the directory fails, or takes longer than a second,
 * he is recorded without, and asked for at his next one. Every minute all whom the process has met are asked for again, all whom
 * the directory has kept off, and of each current board without parts the first 500 users and 500 more, further down each
 * time: what has changed is done then.
 */
@Injectable()
export class DirectoryExclusions implements Moderation, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DirectoryExclusions.name);
  private readonly met = new Set<string>();
  /** By leaderboard, how far down its current board has been looked through. */
  private readonly lookedThrough = new Map<string, number>();
  private pausedUntilMs = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> | undefined;

  constructor(
    private readonly connection: RedisConnection,
    private readonly exclusions: Exclusions,
    private readonly ledgers: Ledgers,
    extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Optional() @Inject(USER_DIRECTORY) private readonly directory?: UserDirectory,
  ) {
    extensions.moderation = this;
  }

  get version(): number {
    return this.exclusions.version;
  }

  async isExcluded(userId: string): Promise<boolean> {
    return (await this.exclusions.find(userId)).excluded;
  }

  onApplicationBootstrap(): void {
    if (!this.checksNewUsers) return;
    this.timer = setInterval(() => this.askAgain(), askAgainMs);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.underWay;
  }

  /** Whether the directory says who is kept off. */
  get checksNewUsers(): boolean {
    return this.directory?.isExcluded !== undefined;
  }

  /**
   * Asks for those whom this process has not met, and keeps them off where the directory says so. Never fails.
   * @param deadlineMs until when the caller waits, by `performance.now()`: half of that time at most is the directory's, so
   * that some is left for Redis.
   */
  async checkNewUsers(userIds: readonly string[], deadlineMs: number): Promise<void> {
    if (!this.checksNewUsers || this.settings.clock.now() < this.pausedUntilMs) return;
    const unknown = [...new Set(userIds)].filter((userId) => !this.met.has(userId));
    if (unknown.length === 0) return;
    const deadline = new Deadline((deadlineMs - performance.now()) / 2);
    try {
      const asked = await deadline.race(this.ask(unknown, new Set(), deadline));
      if (asked === Deadline.missed) throw new Error(`no answer for ${unknown.length} users in time`);
      for (const userId of unknown) this.met.add(userId);
      for (const userId of this.met) {
        if (this.met.size <= maxMet) break;
        this.met.delete(userId);
      }
    } catch (error) {
      this.pausedUntilMs = this.settings.clock.now() + pauseMs;
      this.logger.error(`The user directory could not say who is excluded: ${faultCode(error)}`);
    } finally {
      deadline.clear();
    }
  }

  /** Asks again for everyone met, for everyone kept off by the directory, and for some on the boards. Awaited by tests alone. */
  async refresh(): Promise<void> {
    if (!this.checksNewUsers) return;
    const keptOff = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await this.exclusions.list({ limit: 1_000, ...(cursor !== undefined && { cursor }) });
      for (const { userId, source } of page.exclusions) if (source === 'directory') keptOff.add(userId);
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    await this.ask([...new Set([...keptOff, ...this.met, ...(await this.shown())])], keptOff);
  }

  /** Some who stand on the current boards, whether or not this process has met them. Some three round trips a board. */
  private async shown(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const boards of this.ledgers.leaderboards()) {
      if (boards.settings.partition !== null) continue;
      const from = this.lookedThrough.get(boards.name) ?? shownAtOnce;
      const reader = boards.reader(boards.current());
      const [first, further] = await this.connection.read(async () => [
        await reader.range(0, shownAtOnce),
        await reader.range(from, shownAtOnce),
      ]);
      this.lookedThrough.set(boards.name, further.length < shownAtOnce ? shownAtOnce : from + shownAtOnce);
      for (const { member } of [...first, ...further]) found.push(member);
    }
    return found;
  }

  private askAgain(): void {
    if (this.underWay || !this.connection.isReady) return;
    this.underWay = this.refresh()
      .catch((error: unknown) => this.logger.error(`Asking the user directory again failed: ${faultCode(error)}`))
      .finally(() => {
        this.underWay = undefined;
      });
  }

  /** @param keptOff those of the users whom it has kept off until now. */
  private async ask(userIds: readonly string[], keptOff: ReadonlySet<string>, deadline?: Deadline): Promise<void> {
    for (let first = 0; first < userIds.length && deadline?.isOver !== true; first += usersAtOnce) {
      const some = userIds.slice(first, first + usersAtOnce);
      const named = await this.named(some);
      for (const userId of some) {
        const reason = named.get(userId);
        if (reason !== undefined && !keptOff.has(userId)) await this.keepOff(userId, reason);
        if (reason === undefined && keptOff.has(userId)) {
          await unlessErased(() => this.exclusions.unsay('directory', userId));
        }
      }
    }
  }

  private async keepOff(userId: string, reason: ExclusionReason): Promise<void> {
    const { exclusions } = await this.exclusions.find(userId);
    if (exclusions.some(({ source }) => source === 'directory')) return;
    const since = this.exclusions.now();
    const exclusion = { userId, reason, source: 'directory', since, by: null, note: null } as const;
    await unlessErased(() => this.exclusions.say(exclusion));
  }

  private async named(userIds: readonly string[]): Promise<ReadonlyMap<string, ExclusionReason>> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      return await Promise.race([this.directory?.isExcluded?.(userIds) ?? new Map<string, ExclusionReason>(), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}
