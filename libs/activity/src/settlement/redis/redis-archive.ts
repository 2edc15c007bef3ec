import { shardTags, systemClock, type Clock, type RedisClient } from '@laurel/leaderboard';
import { randomUUID } from 'node:crypto';
import type { ArchivedEntry, ArchiveDraft, SettledPeriod, StandingsArchive } from '../standings-archive';
import { archiveKeys } from './archive-keys';
import { chunkOf, chunkSize, readChunk } from './chunk';
import { draftLeaseMs, dropDraft, RedisDraft, type StoredPeriod } from './redis-draft';
import { bucketBits, bucketOf, hashOf, placesIn } from './user-index';

export interface RedisArchiveOptions {
  /** First part of every key. */
  readonly prefix: string;
  /** Standings are spread over as many slots as boards are. */
  readonly shards: number;
  /** How long after its end a period is kept; null, the default, keeps it. */
  readonly retentionMs?: number | null;
  readonly clock?: Clock;
}

/** Periods that a user's history looks through at once. */
const historyBatch = 64;

/**
 * Final standings in Redis: history that outlives the live boards. The entries of a period lie in chunks of 128, in rank
 * order, some 30 bytes each; beside them 8 bytes a user say in which chunk he is. Pages cost one round trip, users' entries
 * and each 64 periods of a history two, beside one or two for what is known of the periods.
 */
export class RedisArchive implements StandingsArchive {
  private readonly retentionMs: number | null;
  private readonly clock: Clock;

  constructor(
    private readonly redis: RedisClient,
    private readonly options: RedisArchiveOptions,
  ) {
    this.retentionMs = options.retentionMs ?? null;
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
      retentionMs: this.retentionMs,
    });
  }

  async find(leaderboard: string, period: string): Promise<SettledPeriod | null> {
    const stored = await this.stored(leaderboard, period);
    return stored && told(stored);
  }

  async periods(
    leaderboard: string,
    { limit, beforeMs }: { readonly limit: number; readonly beforeMs?: number },
  ): Promise<SettledPeriod[]> {
    return (await this.storedPeriods(leaderboard, limit, beforeMs)).map(told);
  }

  async page(leaderboard: string, period: string, offset: number, limit: number): Promise<ArchivedEntry[]> {
    const stored = await this.stored(leaderboard, period);
    const count = Math.min(limit, (stored?.total ?? 0) - offset);
    if (!stored || count <= 0) return [];
    const [first, last] = [chunkOf(offset + 1), chunkOf(offset + count)];
    const chunks = await Promise.all(Array.from({ length: last - first + 1 }, (_, i) => this.chunk(stored, first + i)));
    const skipped = offset - first * chunkSize;
    return chunks.flat().slice(skipped, skipped + count);
  }

  async entries(leaderboard: string, period: string, userIds: readonly string[]): Promise<(ArchivedEntry | null)[]> {
    const stored = await this.stored(leaderboard, period);
    if (!stored) return userIds.map(() => null);
    return Promise.all(userIds.map((userId) => this.entry(stored, userId)));
  }

  async history(
    leaderboard: string,
    userId: string,
    { limit, beforeMs }: { readonly limit: number; readonly beforeMs?: number },
  ): Promise<{ readonly period: SettledPeriod; readonly entry: ArchivedEntry }[]> {
    const found: { readonly period: SettledPeriod; readonly entry: ArchivedEntry }[] = [];
    let before = beforeMs;
    while (found.length < limit) {
      const batch = await this.storedPeriods(leaderboard, historyBatch, before);
      const entries = await Promise.all(batch.map((stored) => this.entry(stored, userId)));
      batch.forEach((stored, i) => {
        const entry = entries[i];
        if (entry) found.push({ period: told(stored), entry });
      });
      if (batch.length < historyBatch) break;
      before = (batch[batch.length - 1] as StoredPeriod).startMs;
    }
    return found.slice(0, limit);
  }

  private async entry(stored: StoredPeriod, userId: string): Promise<ArchivedEntry | null> {
    const hash = hashOf(userId);
    const bucket = bucketOf(hash, stored.bucketBits);
    const bytes = await this.redis.hgetBuffer(this.partKey(stored, bucket), `b${bucket}`);
    if (!bytes) return null;
    for (const place of placesIn(bytes, hash)) {
      const entry = (await this.chunk(stored, chunkOf(place)))[(place - 1) % chunkSize];
      if (entry?.userId === userId) return entry;
    }
    return null;
  }

  private async chunk(stored: StoredPeriod, number: number): Promise<ArchivedEntry[]> {
    const text = await this.redis.hget(this.partKey(stored, number), `c${number}`);
    return text === null ? [] : readChunk(number, text);
  }

  private async stored(leaderboard: string, period: string): Promise<StoredPeriod | null> {
    const text = await this.redis.hget(archiveKeys.periods(this.options.prefix, leaderboard), period);
    const stored = text === null ? null : (JSON.parse(text) as StoredPeriod);
    return stored && this.isKept(stored) ? stored : null;
  }

  private async storedPeriods(
    leaderboard: string,
    limit: number,
    beforeMs: number | undefined,
  ): Promise<StoredPeriod[]> {
    const { prefix } = this.options;
    const from = beforeMs === undefined ? '+inf' : `(${beforeMs}`;
    const order = archiveKeys.order(prefix, leaderboard);
    const names = await this.redis.zrange(order, from, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, limit);
    if (names.length === 0) return [];
    const texts = await this.redis.hmget(archiveKeys.periods(prefix, leaderboard), ...names);
    return texts
      .flatMap((text) => (text === null ? [] : [JSON.parse(text) as StoredPeriod]))
      .filter((stored) => this.isKept(stored));
  }

  private isKept({ endMs }: SettledPeriod): boolean {
    return this.retentionMs === null || this.clock.now() < endMs + this.retentionMs;
  }

  private partKey({ draft, shards }: StoredPeriod, number: number): string {
    return archiveKeys.part(this.options.prefix, shardTags(shards)[number % shards] as string, draft);
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

  /** What is past its retention is found no more; here its traces go, too. Their parts expire by themselves. */
  private async dropOldPeriods(leaderboard: string): Promise<void> {
    if (this.retentionMs === null) return;
    const { prefix } = this.options;
    const order = archiveKeys.order(prefix, leaderboard);
    const until = String(this.clock.now() - this.retentionMs);
    const names = await this.redis.zrange(order, '-inf', until, 'BYSCORE', 'LIMIT', 0, 100);
    if (names.length === 0) return;
    const texts = await this.redis.hmget(archiveKeys.periods(prefix, leaderboard), ...names);
    const old = names.filter((_, i) => {
      const text = texts[i];
      return typeof text === 'string' && !this.isKept(JSON.parse(text) as StoredPeriod);
    });
    if (old.length === 0) return;
    await this.redis.zrem(order, ...old);
    await this.redis.hdel(archiveKeys.periods(prefix, leaderboard), ...old);
  }
}

/** What the archive tells of a period: not how it keeps it. */
function told({ draft: _draft, shards: _shards, bucketBits: _bits, ...period }: StoredPeriod): SettledPeriod {
  return period;
}
