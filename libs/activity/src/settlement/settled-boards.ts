import type { Ledger, Period, RedisClient } from '@laurel/leaderboard';
import { chunksOf, dayMs, sum } from '@laurel/leaderboard/internals';
import { randomUUID } from 'node:crypto';
import type { Title } from '../core/extensions/standings';
import {
  type ArchiveDraft,
  type ArchiveRetention,
  type SettledPeriod,
  type StandingsArchive,
} from './archive/standings-archive';

/** Every key of what is known of settled periods without an archive of the app's. What is of free length comes last. */
export const settledKeys = {
  /**
   * The record of a settled period, without its board.
   * @redis string: JSON
   * @expires with the board
   */
  period: (prefix: string, period: string, label: string): string => `{${prefix}}:settled-period:${period}:${label}`,
  /**
   * The titles with which users of a settled period were settled.
   * @redis hash: user -> JSON
   * @expires with the board
   */
  titles: (prefix: string, period: string, label: string): string => `{${prefix}}:settled-titles:${period}:${label}`,
  /**
   * The titles of a period that is being settled.
   * @redis hash: user -> JSON
   * @expires a day after it was written last
   */
  draft: (prefix: string, draft: string): string => `{${prefix}}:settled-draft:${draft}`,
  /**
   * The keys of titles, of drafts too, by when they expire.
   * @redis sorted set: keys
   * @expires never
   */
  titled: (prefix: string): string => `{${prefix}}:settled-titles`,
};

const hourMs = 3_600_000;

/** How long periods are kept by default, and how long each sort lasts where clocks go back: a year of days is read. */
const byDefault = [
  { longestMs: 2 * hourMs, keptMs: 31 * dayMs },
  { longestMs: 25 * hourMs, keptMs: 400 * dayMs },
  { longestMs: Infinity, keptMs: 1_830 * dayMs },
];

/**
 * The moment from which on a period that is archived now is no longer kept; null: there is none. By default it counts
 * from the moment at which the period was settled: history of years ago may be imported.
 */
function expiryOf(retention: ArchiveRetention | undefined, period: SettledPeriod): number | null {
  const { leaderboard, startMs, endMs, settledAtMs } = period;
  const named = typeof retention === 'object' ? retention?.[leaderboard.split('/', 1)[0] as string] : retention;
  if (retention === null || named === null) return null;
  if (typeof named === 'number') return endMs + named;
  return settledAtMs + (byDefault.find(({ longestMs }) => endMs - startMs <= longestMs)?.keptMs ?? 0);
}

const commandsAtOnce = 500;

/**
 * Settled periods of one ledger where the app binds no archive: the frozen boards are the standings. Beside them lies
 * what is known of each period, and the titles with which it was settled.
 */
export class SettledBoards implements Pick<StandingsArchive, 'begin' | 'find' | 'titles'> {
  private readonly prefix: string;

  constructor(
    private readonly redis: RedisClient,
    private readonly ledger: Ledger,
  ) {
    this.prefix = ledger.settings.prefix;
  }

  /** The entries stay where they are: the draft writes titles alone. */
  begin(leaderboard: string, period: string): Promise<ArchiveDraft> {
    const draft = settledKeys.draft(this.prefix, randomUUID());
    const titled = settledKeys.titles(this.prefix, period, leaderboard);
    let users: ReadonlyMap<number, string> = new Map();
    return Promise.resolve({
      append: (entries) => Promise.resolve(void (users = new Map(entries.map((one) => [one.place, one.userId])))),
      entitle: async (titles) => {
        if (titles.length === 0) return;
        const fields = titles.map(({ place, title }) => [users.get(place) as string, JSON.stringify(title)] as const);
        const expireAtMs = this.ledger.settings.clock.now() + dayMs;
        // Noted first: an erasure finds what is written then.
        await this.redis.zadd(settledKeys.titled(this.prefix), expireAtMs, draft, expireAtMs, titled);
        const write = this.redis.multi().hset(draft, ...fields.flat());
        await write.pexpire(draft, dayMs).exec();
        // An erasure that has looked before has refused the user before.
        const erased = await this.ledger.erasure.among(fields.map(([userId]) => userId));
        if (erased.size > 0) await this.redis.hdel(draft, ...erased);
      },
      commit: async (record) => {
        const key = settledKeys.period(this.prefix, period, leaderboard);
        const change = this.redis.multi().set(key, JSON.stringify(record), 'NX');
        // With a field of nobody's: there are titles where there is a record that says so.
        if (record.titled) change.hset(draft, '', '').pexpire(draft, dayMs).renamenx(draft, titled);
        return (await change.exec())?.[0]?.[1] === 'OK';
      },
      // The draft expires.
      abandon: () => Promise.resolve(),
    });
  }

  async find(leaderboard: string, period: string): Promise<SettledPeriod | null> {
    return (await this.all([leaderboard], [period]))[0] ?? null;
  }

  /** The records of periods of a leaderboard or of its partitions, in order; null: not settled. One round trip. */
  async all(labels: readonly string[], periods: readonly string[]): Promise<(SettledPeriod | null)[]> {
    const keys = labels.flatMap((label) => periods.map((period) => settledKeys.period(this.prefix, period, label)));
    const found = await Promise.all(chunksOf(keys, commandsAtOnce).map((some) => this.redis.mget(...some)));
    return found.flat().map((text) => (text === null ? null : (JSON.parse(text) as SettledPeriod)));
  }

  /** One round trip. */
  async titles(leaderboard: string, period: string, userIds: readonly string[]): Promise<(Title | null)[]> {
    if (userIds.length === 0) return [];
    const found = await this.redis.hmget(settledKeys.titles(this.prefix, period, leaderboard), ...userIds);
    return found.map((text) => (text === null ? null : (JSON.parse(text) as Title)));
  }

  /** Drops a user's titles, all or of one period; returns how many. Boards are the engine's to erase from. */
  async erase(userId: string, where?: { readonly leaderboard: string; readonly period: string }): Promise<number> {
    if (where) return this.redis.hdel(settledKeys.titles(this.prefix, where.period, where.leaderboard), userId);
    const titled = settledKeys.titled(this.prefix);
    await this.redis.zremrangebyscore(titled, '-inf', this.ledger.settings.clock.now());
    // Drafts first: one that becomes a period meanwhile is found as one or as the other.
    const keys = (await this.redis.zrange(titled, 0, '-1')).sort();
    let dropped = 0;
    for (const some of chunksOf(keys, commandsAtOnce)) {
      dropped += sum(await Promise.all(some.map((key) => this.redis.hdel(key, userId))));
    }
    return dropped;
  }

  /** Keeps a settled period, all of whose parts are given, for the archive's retention, if its boards' is shorter. */
  async keep(
    board: string,
    period: Period,
    parts: readonly SettledPeriod[],
    retention?: ArchiveRetention,
  ): Promise<void> {
    const untilMs = parts.reduce((latest, part) => Math.max(latest, expiryOf(retention, part) ?? Infinity), 0);
    await this.ledger.periods.keep(board, period, untilMs);
    const keptMs = Math.max(untilMs, this.ledger.periods.timesOf(board, period).expireAtMs);
    for (const some of chunksOf(parts, commandsAtOnce)) {
      const change = this.redis.multi();
      for (const { leaderboard } of some) {
        const titles = settledKeys.titles(this.prefix, period.key, leaderboard);
        for (const key of [settledKeys.period(this.prefix, period.key, leaderboard), titles]) {
          if (keptMs < Infinity) change.pexpireat(key, keptMs);
          else change.persist(key);
        }
        change.zadd(settledKeys.titled(this.prefix), 'XX', keptMs < Infinity ? keptMs : '+inf', titles);
      }
      await change.exec();
    }
  }

  /** As `StandingsArchive.prune`, by a retention of today; boards stay for as long as their own retention says. */
  async prune(
    retention: ArchiveRetention | undefined,
    { isDryRun }: { readonly isDryRun: boolean },
  ): Promise<SettledPeriod[]> {
    const { periods, settings } = this.ledger;
    const nowMs = settings.clock.now();
    const pruned: SettledPeriod[] = [];
    for (const { name } of settings.boards) {
      for (const period of await periods.written(name, { limit: Infinity })) {
        const labels: string[] = [];
        for await (const { label } of periods.sets(name, period)) labels.push(label);
        const parts = (await this.all(labels, [period.key])).filter((one) => one !== null);
        const isKept = (part: SettledPeriod) => (expiryOf(retention, part) ?? Infinity) > nowMs;
        if (parts.length === 0 || parts.some(isKept)) continue;
        pruned.push(...parts);
        if (isDryRun) continue;
        await periods.keep(name, period, 0);
        for (const label of labels) {
          const titles = settledKeys.titles(this.prefix, period.key, label);
          await this.redis.unlink(settledKeys.period(this.prefix, period.key, label), titles);
        }
      }
    }
    return pruned;
  }
}
