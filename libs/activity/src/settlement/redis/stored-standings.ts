import { runScript, scripts, shardTags, type RedisClient } from '@laurel/leaderboard';
import type { ArchivedEntry, HiddenPlace } from '../standings-archive';
import { archiveKeys } from './archive-keys';
import { chunkOf, chunkSize, readChunk, withoutUser } from './chunk';
import { bucketOf, hashOf, placesIn, withoutRecord } from './user-index';

/** Which standings, and how they are kept. */
export interface StoredPlace {
  readonly draft: string;
  readonly shards: number;
  readonly bucketBits: number;
}

/** The standings that a draft wrote, committed or not, as they lie in Redis. */
export class StoredStandings {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
    private readonly place: StoredPlace,
  ) {}

  /** Up to `count` entries behind the first `offset` places; those that were erased are left out. One round trip. */
  async page(offset: number, count: number): Promise<ArchivedEntry[]> {
    const [first, last] = [chunkOf(offset + 1), chunkOf(offset + count)];
    const chunks = await Promise.all(Array.from({ length: last - first + 1 }, (_, i) => this.chunk(first + i)));
    const skipped = offset - first * chunkSize;
    return chunks
      .flat()
      .slice(skipped, skipped + count)
      .filter((entry) => entry !== null);
  }

  /** A user's entry; null where there is none. Two round trips. */
  async entry(userId: string): Promise<ArchivedEntry | null> {
    for (const place of await this.placesOf(userId)) {
      const entry = await this.at(place);
      if (entry?.userId === userId) return entry;
    }
    return null;
  }

  /** The places that do not show, in order. One round trip. */
  async hidden(): Promise<HiddenPlace[]> {
    const marks = await this.redis.hgetall(this.hiddenKey);
    const byPlace = new Map<number, HiddenPlace>();
    for (const [field, text] of Object.entries(marks)) {
      const [place = 0, competition = 0, dense = 0] = text.split(',').map(Number);
      const userId = field.startsWith('u') ? field.slice(1) : null;
      // One who is being erased has two marks of one place.
      if (userId === null || !byPlace.has(place)) byPlace.set(place, { userId, place, competition, dense });
    }
    return [...byPlace.values()].sort((a, b) => a.place - b.place);
  }

  /** How many places do not show. One round trip. */
  countHidden(): Promise<number> {
    return this.redis.hlen(this.hiddenKey);
  }

  /** Marks a user's place as one that does not show. Three round trips. */
  async hide(userId: string, expireAtMs: number | null): Promise<void> {
    const entry = await this.entry(userId);
    if (entry) await this.mark(`u${userId}`, entry, expireAtMs);
  }

  /** Drops that mark. One round trip. */
  async show(userId: string): Promise<void> {
    await this.redis.hdel(this.hiddenKey, `u${userId}`);
  }

  /** Drops a user's name; his place stays, and does not show. Says how many entries he had: 1 or 0. */
  async erase(userId: string, expireAtMs: number | null): Promise<number> {
    let erased = 0;
    for (const place of await this.placesOf(userId)) {
      const entry = await this.at(place);
      if (entry && entry.userId !== userId) continue;
      if (entry) {
        await this.mark(`p${place}`, entry, expireAtMs);
        await this.rewrite(chunkOf(place), (text) => withoutUser(text, (place - 1) % chunkSize));
        erased += 1;
      }
      await this.show(userId);
      // Last, as it is by this that he is found: where it is cut short, it is gone on with from here.
      await this.dropRecord(userId, place);
    }
    return erased;
  }

  private async mark(field: string, { place, competition, dense }: ArchivedEntry, expireAtMs: number | null) {
    await this.redis.hset(this.hiddenKey, field, `${place},${competition},${dense}`);
    if (expireAtMs !== null) await this.redis.pexpireat(this.hiddenKey, expireAtMs);
  }

  private async placesOf(userId: string): Promise<number[]> {
    const hash = hashOf(userId);
    const bucket = bucketOf(hash, this.place.bucketBits);
    const bytes = await this.redis.hgetBuffer(this.partKey(bucket), `b${bucket}`);
    return bytes ? placesIn(bytes, hash) : [];
  }

  private async at(place: number): Promise<ArchivedEntry | null> {
    return (await this.chunk(chunkOf(place)))[(place - 1) % chunkSize] ?? null;
  }

  private async chunk(number: number): Promise<(ArchivedEntry | null)[]> {
    const text = await this.redis.hget(this.partKey(number), `c${number}`);
    return text === null ? [] : readChunk(number, text);
  }

  private async rewrite(number: number, change: (text: string) => string): Promise<void> {
    const hash = this.partKey(number);
    for (;;) {
      const expected = await this.redis.hget(hash, `c${number}`);
      if (expected === null) return;
      const args = { field: `c${number}`, expected, value: change(expected) };
      if ((await runScript(this.redis, scripts.replaceField, { hash }, args)) === 1) return;
    }
  }

  private async dropRecord(userId: string, place: number): Promise<void> {
    const hashed = hashOf(userId);
    const bucket = bucketOf(hashed, this.place.bucketBits);
    const hash = this.partKey(bucket);
    for (;;) {
      const expected = await this.redis.hgetBuffer(hash, `b${bucket}`);
      if (!expected) return;
      const args = { field: `b${bucket}`, expected, value: withoutRecord(expected, hashed, place) };
      if ((await runScript(this.redis, scripts.replaceField, { hash }, args)) === 1) return;
    }
  }

  private get hiddenKey(): string {
    return archiveKeys.hidden(this.prefix, this.place.draft);
  }

  private partKey(number: number): string {
    const { draft, shards } = this.place;
    return archiveKeys.part(this.prefix, shardTags(shards)[number % shards] as string, draft);
  }
}
