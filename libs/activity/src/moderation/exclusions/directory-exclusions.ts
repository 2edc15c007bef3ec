import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { Extensions } from '../../core/extensions/extensions';
import type { ExclusionReason, Moderation } from '../../core/extensions/ports';
import type { UserDirectory } from '../../core/extensions/user-directory';
import { Ledgers } from '../../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { PeriodicTasks } from '../../core/periodic/periodic-tasks';
import { RedisConnection } from '../../core/redis/redis-connection';
import { faultCode } from '../../core/redis/redis-faults';
import { answerWithin, within } from '../../core/deadlines/deadline';
import { Exclusions, unlessErased } from './exclusions';

/** How often the directory is asked again about the same users. */
const askAgainMs = 60_000;
/** How long the directory is not asked after it has failed. */
const pauseMs = 5_000;
/**
 * Users in one question, and users remembered as checked: past these, the first are asked about at their next activity.
 */
const usersAtOnce = 200;
const maxChecked = 20_000;
/** Users that the directory excludes in each round: past these, it goes on with the others in the next one. */
const maxExcluded = 20_000;
const exclusionPage = 1_000;
/** Users of each current board in each round: the first page always, and one more, further down each time. */
const boardPage = 500;

/**
 * Excludes the users that the app's directory names. The directory is asked about a user before this process records
 * their first activity or adjustment, so that an excluded user never shows. While it fails, or takes longer than
 * `commandTimeoutMs`, users are recorded unchecked, and asked about at their next activity. Every minute it is asked
 * again about the last 20,000 users that this process has checked, about 20,000 that it excludes, others each time,
 * and, of each current leaderboard without partitions, the first 500 users and 500 more, further down each time. So a
 * round costs the same however many users there are.
 */
@Injectable()
export class DirectoryExclusions implements Moderation, OnApplicationBootstrap {
  private readonly logger = new Logger(DirectoryExclusions.name);
  readonly checksNewUsers: boolean;
  private readonly directory: UserDirectory | undefined;
  private readonly checked = new Set<string>();
  /** How far down the current board of each leaderboard the directory has been asked about users. */
  private readonly offsets = new Map<string, number>();
  /** Where the exclusions of the next round begin; null: with the first. */
  private excludedFrom: string | null = null;
  private pausedUntilMs = -Infinity;

  constructor(
    private readonly connection: RedisConnection,
    private readonly exclusions: Exclusions,
    private readonly ledgers: Ledgers,
    private readonly tasks: PeriodicTasks,
    extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.directory = extensions.directory;
    this.checksNewUsers = this.directory?.isExcluded !== undefined;
  }

  /** Begins the rounds. */
  onApplicationBootstrap(): void {
    if (this.checksNewUsers) this.tasks.task('directory', () => this.refresh()).every(askAgainMs);
  }

  async exclusionOf(userId: string): ReturnType<Moderation['exclusionOf']> {
    const { excluded, exclusions } = await this.exclusions.find(userId);
    const optedOut = exclusions.some(({ reason }) => reason === 'optedOut');
    return excluded ? { excluded, ...(optedOut && { optedOut }) } : null;
  }

  /** The directory takes half of the time at most, so that some is left for Redis. */
  async checkNewUsers(userIds: readonly string[], deadlineMs: number): Promise<void> {
    if (!this.checksNewUsers || this.settings.clock.now() < this.pausedUntilMs) return;
    const unchecked = [...new Set(userIds)].filter((userId) => !this.checked.has(userId));
    if (unchecked.length === 0) return;
    const nowMs = performance.now();
    const withinMs = (deadlineMs - nowMs) / 2;
    try {
      const late = () => {
        throw new Error(`no answer for ${unchecked.length} users in time`);
      };
      await within(withinMs, this.ask(unchecked, new Set(), nowMs + withinMs), late);
      // The last of them were perhaps not asked about.
      if (performance.now() >= nowMs + withinMs) late();
      for (const userId of unchecked) this.checked.add(userId);
      for (const userId of this.checked) {
        if (this.checked.size <= maxChecked) break;
        this.checked.delete(userId);
      }
    } catch (error) {
      this.pausedUntilMs = this.settings.clock.now() + pauseMs;
      this.logger.error(`The user directory did not return which users are excluded: ${faultCode(error)}`);
    }
  }

  /** Asks again about all users of a minute's round, until the app stops. Called by tests too. */
  async refresh(): Promise<void> {
    if (!this.checksNewUsers) return;
    const excluded = await this.someExcluded();
    await this.ask([...new Set([...excluded, ...this.checked, ...(await this.usersOnBoards())])], excluded);
  }

  /** Some of those whom the directory excludes. A round trip for each 1,000 exclusions of any source. */
  private async someExcluded(): Promise<ReadonlySet<string>> {
    const excluded = new Set<string>();
    let read = 0;
    do {
      const cursor = this.excludedFrom === null ? {} : { cursor: this.excludedFrom };
      const page = await this.exclusions.list({ limit: exclusionPage, ...cursor });
      for (const { userId, source } of page.exclusions) if (source === 'directory') excluded.add(userId);
      read += exclusionPage;
      this.excludedFrom = page.next;
    } while (this.excludedFrom !== null && read < maxExcluded);
    return excluded;
  }

  /** Some users of the current boards, checked or not. About two round trips a board. */
  private async usersOnBoards(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const boards of this.ledgers.leaderboards()) {
      if (boards.settings.partition !== null) continue;
      const offset = this.offsets.get(boards.name) ?? boardPage;
      const reader = boards.reader(boards.current());
      const [first, further] = await this.connection.read(() =>
        Promise.all([reader.range(0, boardPage), reader.range(offset, boardPage)]),
      );
      this.offsets.set(boards.name, further.length < boardPage ? boardPage : offset + boardPage);
      for (const { member } of [...first, ...further]) found.push(member);
    }
    return found;
  }

  /** @param excluded those of the users whom the directory has excluded before. */
  private async ask(userIds: readonly string[], excluded: ReadonlySet<string>, untilMs?: number): Promise<void> {
    const { commandTimeoutMs } = this.settings;
    const isOver = () => (untilMs === undefined ? this.tasks.stopped.aborted : performance.now() >= untilMs);
    for (let first = 0; first < userIds.length && !isOver(); first += usersAtOnce) {
      const some = userIds.slice(first, first + usersAtOnce);
      const ask = () => this.directory?.isExcluded?.(some) ?? new Map<string, ExclusionReason>();
      const reasons = await answerWithin(commandTimeoutMs, 'directory', ask);
      const named = some.filter((userId) => reasons.has(userId) && !excluded.has(userId));
      // Commands of one turn are one round trip: most may be excluded already.
      const states = await Promise.all(named.map((userId) => this.exclusions.find(userId)));
      const isNew = (_: string, i: number) => !states[i]?.exclusions.some(({ source }) => source === 'directory');
      for (const userId of [...named.filter(isNew), ...some.filter((one) => excluded.has(one) && !reasons.has(one))]) {
        const reason = reasons.get(userId);
        const why = reason ? { reason, since: this.exclusions.now(), by: null, note: null } : null;
        await unlessErased(() => this.exclusions.set(userId, 'directory', why));
      }
    }
  }
}
