import { systemClock, type Clock, type RedisClient } from '@laurel/leaderboard';
import { shardTags } from '@laurel/leaderboard/internals';
import { randomUUID } from 'node:crypto';
import type { Title } from '../../extensions/title-source';
import type {
  ArchivedEntry,
  ArchiveDraft,
  HiddenPlace,
  SettledPeriod,
  StandingsArchive,
} from '../archive/standings-archive';
import { expiryOf, type Retention } from '../archive/archive-retention';
import { archiveKeys } from './archive-keys';
import { draftLeaseMs, dropDraft, RedisDraft, type StoredPeriod } from './redis-draft';
import { countHidden, entriesOf, StoredStandings } from './stored-standings';
import { bucketBits } from './standings-format';

/** Where a {@link RedisArchive} keeps standings, and how long. */
export interface RedisArchiveOptions {
  /** First part of every key. */
  readonly prefix: string;
  /** Standings are spread over as many slots as boards are. */
  readonly shards: number;
  /** How long periods are kept. Default: for good. */
  readonly retention?: Retention;
  readonly clock?: Clock;
}

/** So many of a leaderboard's oldest periods are looked at when another begins: more than are added. */
const oldPeriodsAtOnce = 10;

/** Periods that a user's history looks through at once. */
const historyBatch = 128;

/**
 * Final standings in Redis: history that outlives the live boards. The entries of a period lie in chunks of 128, in
 * rank order, some 30 bytes each; beside them 8 bytes a user locate the user's chunk. Pages cost one round trip, users'
 * entries and each 128 periods of a history two, beside one or two for what is known of the periods.
 */
export class RedisArchive implements StandingsArchive {
  private readonly retention: Retention;
  private readonly clock: Clock;

  constructor(
    private readonly redis: RedisClient,
    private readonly options: RedisArchiveOptions,
  ) {
    this.retention = options.retention ?? null;
    this.clock = options.clock ?? systemClock;
  }

  /** Drops what dead writers left, then begins. */
  async begin(leaderboard: string, _period: string, expected = 0): Promise<ArchiveDraft> {
    await Promise.all([this.dropDeadDrafts(), this.dropOldPeriods(leaderboard)]);
    const { prefix, shards } = this.options;
    const draft = randomUUID();
    await this.redis.set(archiveKeys.draftLease(prefix, draft), '1', 'PX', draftLeaseMs);
    await this.redis.sadd(archiveKeys.drafts(prefix), draft);
    return new RedisDraft(this.redis, {
      prefix,
      tags: shardTags(shards),
      draft,
      bucketBits: bucketBits(expected),
      retention: this.retention,
    });
  }

  leaderboards(): Promise<string[]> {
    return this.redis.smembers(archiveKeys.leaderboards(this.options.prefix));
  }

  async find(leaderboard: string, period: string): Promise<SettledPeriod | null> {
    const stored = await this.stored(leaderboard, period);
    return stored ? ((await this.told([stored]))[0] ?? null) : null;
  }

  async periods(
    leaderboard: string,
    { limit, beforeMs }: { readonly limit: number; readonly beforeMs?: number },
  ): Promise<SettledPeriod[]> {
    return this.told(await this.storedPeriods(leaderboard, { limit, beforeMs }));
  }

  async page(leaderboard: string, period: string, offset: number, limit: number): Promise<ArchivedEntry[]> {
    const stored = await this.stored(leaderboard, period);
    const count = Math.min(limit, (stored?.total ?? 0) - offset);
    if (!stored || count <= 0) return [];
    return this.standings(stored).page(offset, count);
  }

  async entries(leaderboard: string, period: string, userIds: readonly string[]): Promise<(ArchivedEntry | null)[]> {
    const stored = await this.stored(leaderboard, period);
    if (!stored) return userIds.map(() => null);
    const standings = this.standings(stored);
    return entriesOf(
      this.redis,
      userIds.map((userId) => ({ standings, userId })),
    );
  }

  async titles(leaderboard: string, period: string, userIds: readonly string[]): Promise<(Title | null)[]> {
    const stored = await this.stored(leaderboard, period);
    if (!stored?.titled || userIds.length === 0) return userIds.map(() => null);
    return this.standings(stored).titles(userIds);
  }

  async history(
    leaderboard: string,
    userId: string,
    { limit, beforeMs, fromMs }: { readonly limit: number; readonly beforeMs?: number; readonly fromMs?: number },
  ): Promise<{ readonly period: SettledPeriod; readonly entry: ArchivedEntry }[]> {
    const found: { readonly period: SettledPeriod; readonly entry: ArchivedEntry }[] = [];
    let before = beforeMs;
    while (found.length < limit) {
      const batch = await this.storedPeriods(leaderboard, { limit: historyBatch, beforeMs: before, fromMs });
      const entries = await entriesOf(
        this.redis,
        batch.map((stored) => ({ standings: this.standings(stored), userId })),
      );
      const ofUser = batch.filter((_, i) => entries[i] !== null);
      const periods = await this.told(ofUser);
      const own = entries.filter((entry) => entry !== null);
      periods.forEach((period, i) => found.push({ period, entry: own[i] as ArchivedEntry }));
      if (batch.length < historyBatch) break;
      before = (batch[batch.length - 1] as StoredPeriod).startMs;
    }
    return found.slice(0, limit);
  }

  async hide(userId: string, isHidden: boolean): Promise<void> {
    const { prefix } = this.options;
    const users = archiveKeys.hiddenUsers(prefix);
    // A draft that is committed after this looks who does not show once more.
    const change = this.redis.multi();
    if (isHidden) change.sadd(users, userId);
    else change.srem(users, userId);
    await change.incr(archiveKeys.hiddenVersion(prefix)).exec();
    await this.eachPeriod(async (standings, stored) => {
      if (isHidden) await standings.hide(userId, stored.expireAtMs);
      else await standings.show(userId);
    });
  }

  async hidden(leaderboard: string, period: string): Promise<HiddenPlace[]> {
    const stored = await this.stored(leaderboard, period);
    return stored ? this.standings(stored).hidden() : [];
  }

  async erase(userId: string, where?: { readonly leaderboard: string; readonly period: string }): Promise<number> {
    if (where) {
      const stored = await this.stored(where.leaderboard, where.period);
      return stored ? this.standings(stored).erase(userId, stored.expireAtMs) : 0;
    }
    // Drafts first: what is committed meanwhile is found among the periods.
    let erased = await this.eraseFromDrafts(userId);
    await this.eachPeriod(async (standings, stored) => {
      const count = await standings.erase(userId, stored.expireAtMs);
      erased += count;
    });
    const { prefix } = this.options;
    const forget = this.redis.multi().srem(archiveKeys.hiddenUsers(prefix), userId);
    await forget.incr(archiveKeys.hiddenVersion(prefix)).exec();
    return erased;
  }

  /** What dead writers left goes; those who live may still append what they have read of the user before. */
  private async eraseFromDrafts(userId: string): Promise<number> {
    await this.dropDeadDrafts();
    const { prefix, shards } = this.options;
    let erased = 0;
    for (const draft of await this.redis.smembers(archiveKeys.drafts(prefix))) {
      const standings = new StoredStandings(this.redis, prefix, { draft, shards, bucketBits: 0 });
      erased += await standings.eraseFromDraft(userId);
    }
    return erased;
  }

  /** Does something with all standings that are kept, some at a time. */
  private async eachPeriod(work: (standings: StoredStandings, stored: StoredPeriod) => Promise<void>): Promise<void> {
    for (const leaderboard of await this.leaderboards()) {
      let beforeMs: number | undefined;
      for (;;) {
        const batch = await this.storedPeriods(leaderboard, { limit: historyBatch, beforeMs });
        await Promise.all(batch.map((stored) => work(this.standings(stored), stored)));
        const last = batch.at(-1);
        if (!last || batch.length < historyBatch) break;
        beforeMs = last.startMs;
      }
    }
  }

  private standings(stored: StoredPeriod): StoredStandings {
    return new StoredStandings(this.redis, this.options.prefix, stored);
  }

  /** What it tells of periods, with how many do not show. One round trip for all. */
  private async told(stored: readonly StoredPeriod[]): Promise<SettledPeriod[]> {
    const counts = await countHidden(
      this.redis,
      stored.map((one) => this.standings(one)),
    );
    return stored.map((one, i) => toldOf(one, counts[i] ?? 0));
  }

  private async stored(leaderboard: string, period: string): Promise<StoredPeriod | null> {
    const text = await this.redis.hget(archiveKeys.periods(this.options.prefix, leaderboard), period);
    const stored = text === null ? null : (JSON.parse(text) as StoredPeriod);
    return stored && this.isKept(stored) ? stored : null;
  }

  /**
   * The latest periods, fewer than `limit` only where there are no more: what the order names and nothing is known of
   * is passed over. Two round trips where there is nothing of the kind.
   */
  private async storedPeriods(
    leaderboard: string,
    {
      limit,
      beforeMs,
      fromMs = -Infinity,
    }: { readonly limit: number; readonly beforeMs?: number | undefined; readonly fromMs?: number | undefined },
  ): Promise<StoredPeriod[]> {
    const { prefix } = this.options;
    const order = archiveKeys.order(prefix, leaderboard);
    const to = fromMs === -Infinity ? '-inf' : String(fromMs);
    const found: StoredPeriod[] = [];
    let from = beforeMs === undefined ? '+inf' : `(${beforeMs}`;
    let count = limit;
    while (found.length < limit) {
      const named = await this.redis.zrange(order, from, to, 'BYSCORE', 'REV', 'LIMIT', 0, count, 'WITHSCORES');
      if (named.length === 0) break;
      const names = named.filter((_, i) => i % 2 === 0);
      const texts = await this.redis.hmget(archiveKeys.periods(prefix, leaderboard), ...names);
      for (const text of texts) {
        if (text === null) continue;
        const stored = JSON.parse(text) as StoredPeriod;
        // What does not start where it lies in the order is left out: a page always moves on.
        if (this.isKept(stored) && (beforeMs === undefined || stored.startMs < beforeMs)) found.push(stored);
      }
      if (names.length < count) break;
      from = `(${named.at(-1)}`;
      count = historyBatch;
    }
    return found.slice(0, limit);
  }

  private isKept({ expireAtMs }: StoredPeriod): boolean {
    return expireAtMs === null || this.clock.now() < expireAtMs;
  }

  private async dropDeadDrafts(): Promise<void> {
    const { prefix, shards } = this.options;
    const drafts = await this.redis.smembers(archiveKeys.drafts(prefix));
    await Promise.all(
      drafts.map(async (draft) => {
        if ((await this.redis.exists(archiveKeys.draftLease(prefix, draft))) === 1) return;
        // A draft may have been committed since the set was read: then it is no longer in it.
        if ((await this.redis.sismember(archiveKeys.drafts(prefix), draft)) === 0) return;
        await dropDraft(this.redis, { prefix, tags: shardTags(shards), draft });
      }),
    );
  }

  /** The oldest periods that are found no more lose their traces. Their parts expire by themselves. */
  private async dropOldPeriods(leaderboard: string): Promise<void> {
    const { prefix } = this.options;
    const names = await this.redis.zrange(archiveKeys.order(prefix, leaderboard), 0, String(oldPeriodsAtOnce - 1));
    if (names.length === 0) return;
    const texts = await this.redis.hmget(archiveKeys.periods(prefix, leaderboard), ...names);
    const old = names.filter((_, i) => {
      const text = texts[i];
      return typeof text === 'string' && !this.isKept(JSON.parse(text) as StoredPeriod);
    });
    await this.forget(leaderboard, old);
  }

  private async forget(leaderboard: string, periods: readonly string[]): Promise<void> {
    if (periods.length === 0) return;
    const { prefix } = this.options;
    await this.redis.hdel(archiveKeys.periods(prefix, leaderboard), ...periods);
    await this.redis.zrem(archiveKeys.order(prefix, leaderboard), ...periods);
  }

  /** Looks at every period; drops those that are past their retention of today, however long they were to be kept. */
  async prune({ isDryRun }: { readonly isDryRun: boolean }): Promise<SettledPeriod[]> {
    const { prefix } = this.options;
    const nowMs = this.clock.now();
    const pruned: SettledPeriod[] = [];
    for (const leaderboard of await this.leaderboards()) {
      const periods = archiveKeys.periods(prefix, leaderboard);
      let cursor = '0';
      do {
        const [next, found] = await this.redis.hscan(periods, cursor, 'COUNT', historyBatch);
        cursor = next;
        for (const text of found.filter((_, i) => i % 2 === 1)) {
          const stored = JSON.parse(text) as StoredPeriod;
          const expireAtMs = expiryOf(this.retention, stored);
          if (this.isKept(stored) && (expireAtMs === null || nowMs < expireAtMs)) continue;
          pruned.push(toldOf(stored, 0));
          if (isDryRun) continue;
          // A dead draft from now on: where this is cut short, the next settlement goes on with it.
          await this.redis.sadd(archiveKeys.drafts(prefix), stored.draft);
          await this.forget(leaderboard, [stored.period]);
          await dropDraft(this.redis, { prefix, tags: shardTags(stored.shards), draft: stored.draft });
        }
      } while (cursor !== '0');
    }
    return pruned;
  }
}

/** What the archive tells of a period: not how it keeps it. */
function toldOf(
  { draft: _draft, shards: _shards, bucketBits: _bits, expireAtMs: _expiry, ...period }: StoredPeriod,
  hidden: number,
): SettledPeriod {
  return hidden > 0 ? { ...period, hidden } : period;
}
