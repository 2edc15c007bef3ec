import type { Ledger, Period, RedisClient } from '@laurel/leaderboard';
import { chunksOf } from '@laurel/leaderboard/internals';
import { randomUUID } from 'node:crypto';
import type { Title } from '../core/extensions/standings';
import {
  type ArchiveDraft,
  expiryOf,
  type Retention,
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
   * @expires with the board; of a draft that was given up, after a day
   */
  titles: (prefix: string, draft: string): string => `{${prefix}}:settled-titles:${draft}`,
  /**
   * The settled periods and drafts that have titles, by when they expire.
   * @redis sorted set: drafts
   * @expires never
   */
  titled: (prefix: string): string => `{${prefix}}:settled-titles`,
};

/** Redis' record of a settled period. */
interface StoredPeriod extends SettledPeriod {
  /** Names the key of its titles. */
  readonly draft: string;
}

/** How long a draft's titles stay after the last of them was written. */
const draftMs = 86_400_000;

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
    const draft = randomUUID();
    const [key, titled] = [settledKeys.titles(this.prefix, draft), settledKeys.titled(this.prefix)];
    let users: ReadonlyMap<number, string> = new Map();
    return Promise.resolve({
      append: (entries) => Promise.resolve(void (users = new Map(entries.map((one) => [one.place, one.userId])))),
      entitle: async (titles) => {
        if (titles.length === 0) return;
        const fields = titles.map(({ place, title }) => [users.get(place) as string, JSON.stringify(title)] as const);
        const expireAtMs = this.ledger.settings.clock.now() + draftMs;
        // Noted first: an erasure finds what is written then.
        await this.redis.zadd(titled, expireAtMs, draft);
        await this.redis
          .multi()
          .hset(key, ...fields.flat())
          .pexpireat(key, expireAtMs)
          .exec();
        // An erasure that has looked before has refused the user before.
        const erased = await this.ledger.erasure.among(fields.map(([userId]) => userId));
        if (erased.size > 0) await this.redis.hdel(key, ...erased);
      },
      commit: async (facts) => {
        const stored = JSON.stringify({ ...facts, draft } satisfies StoredPeriod);
        return (await this.redis.set(settledKeys.period(this.prefix, period, leaderboard), stored, 'NX')) === 'OK';
      },
      // Its titles expire.
      abandon: () => Promise.resolve(),
    });
  }

  async find(leaderboard: string, period: string): Promise<SettledPeriod | null> {
    return (await this.all([leaderboard], [period]))[0] ?? null;
  }

  /** The records of periods of a leaderboard or of its partitions, in order; null: not settled. One round trip. */
  async all(labels: readonly string[], periods: readonly string[]): Promise<(SettledPeriod | null)[]> {
    return (await this.stored(labels, periods)).map((one) => one && facts(one));
  }

  /** Two round trips. */
  async titles(leaderboard: string, period: string, userIds: readonly string[]): Promise<(Title | null)[]> {
    const [stored] = await this.stored([leaderboard], [period]);
    if (!stored?.titled || userIds.length === 0) return userIds.map(() => null);
    const found = await this.redis.hmget(settledKeys.titles(this.prefix, stored.draft), ...userIds);
    return found.map((text) => (text === null ? null : (JSON.parse(text) as Title)));
  }

  /** Drops a user's titles; returns how many there were. Boards are the engine's to erase from. */
  async erase(userId: string): Promise<number> {
    const titled = settledKeys.titled(this.prefix);
    await this.redis.zremrangebyscore(titled, '-inf', this.ledger.settings.clock.now());
    let dropped = 0;
    for (const drafts of chunksOf(await this.redis.zrange(titled, 0, '-1'), commandsAtOnce)) {
      const counts = await Promise.all(
        drafts.map((draft) => this.redis.hdel(settledKeys.titles(this.prefix, draft), userId)),
      );
      dropped += counts.reduce((sum, count) => sum + count, 0);
    }
    return dropped;
  }

  /** Keeps a settled period, all of whose parts are given, for the archive's retention, if its boards' is shorter. */
  async keep(board: string, period: Period, parts: readonly SettledPeriod[], retention: Retention): Promise<void> {
    const untilMs = Math.max(0, ...parts.map((part) => expiryOf(retention, part) ?? Infinity));
    await this.ledger.periods.keep(board, period, untilMs);
    const keptMs = Math.max(untilMs, this.ledger.periods.timesOf(board, period).expireAtMs);
    const expires = Number.isFinite(keptMs);
    for (const some of chunksOf(parts, commandsAtOnce)) {
      const stored = await this.stored(
        some.map(({ leaderboard }) => leaderboard),
        [period.key],
      );
      const change = this.redis.multi();
      for (const [i, { leaderboard }] of some.entries()) {
        const titles = settledKeys.titles(this.prefix, stored[i]?.draft ?? '');
        for (const key of [settledKeys.period(this.prefix, period.key, leaderboard), titles]) {
          if (expires) change.pexpireat(key, keptMs);
          else change.persist(key);
        }
        change.zadd(settledKeys.titled(this.prefix), 'XX', expires ? keptMs : '+inf', stored[i]?.draft ?? '');
      }
      await change.exec();
    }
  }

  /** As `StandingsArchive.prune`, by a retention of today; boards stay for as long as their own retention says. */
  async prune(retention: Retention, { isDryRun }: { readonly isDryRun: boolean }): Promise<SettledPeriod[]> {
    const { periods, settings } = this.ledger;
    const nowMs = settings.clock.now();
    const pruned: SettledPeriod[] = [];
    for (const { name, partition } of settings.boards) {
      for (const period of await periods.written(name, { limit: Infinity })) {
        const labels: string[] = partition ? [] : [name];
        if (partition) for await (const part of periods.partitions(name, period)) labels.push(`${name}/${part}`);
        const parts = (await this.stored(labels, [period.key])).filter((one) => one !== null);
        const isKept = (part: SettledPeriod) => (expiryOf(retention, part) ?? Infinity) > nowMs;
        if (parts.length === 0 || parts.some(isKept)) continue;
        pruned.push(...parts.map(facts));
        if (isDryRun) continue;
        await periods.keep(name, period, 0);
        for (const { leaderboard, draft } of parts) {
          const known = settledKeys.period(this.prefix, period.key, leaderboard);
          await this.redis.unlink(known, settledKeys.titles(this.prefix, draft));
        }
      }
    }
    return pruned;
  }

  /** Of each label each period. */
  private async stored(labels: readonly string[], periods: readonly string[]): Promise<(StoredPeriod | null)[]> {
    const keys = labels.flatMap((label) => periods.map((period) => settledKeys.period(this.prefix, period, label)));
    const found = await Promise.all(chunksOf(keys, commandsAtOnce).map((some) => this.redis.mget(...some)));
    return found.flat().map((text) => (text === null ? null : (JSON.parse(text) as StoredPeriod)));
  }
}

function facts({ draft: _draft, ...period }: StoredPeriod): SettledPeriod {
  return period;
}
