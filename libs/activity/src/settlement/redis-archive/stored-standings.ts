import type { RedisClient } from '@laurel/leaderboard';
import { chunksOf, runScript, runScriptForBytes, shardTags } from '@laurel/leaderboard/internals';
import type { Title } from '../../extensions/title-source';
import type { ArchivedEntry, HiddenPlace } from '../archive/standings-archive';
import { archiveKeys } from './archive-keys';
import {
  bucketOf,
  chunkOf,
  chunkSize,
  hashOf,
  placesIn,
  readChunk,
  readTitle,
  withoutRecord,
  withoutUser,
} from './standings-format';
import { scripts } from '../../scripts/scripts.generated';

/** Chunks that one call looks at: some 200 KB. */
const chunksACall = 64;

/** Marks that one call drops. */
const fieldsACall = 1_000;

/** So many hashes are looked into by one script call: about a tenth of a millisecond of Redis. */
const hashesACall = 64;

/** A field of a hash. */
export interface FieldOf {
  readonly hash: string;
  readonly field: string;
}

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
    return (await entriesOf(this.redis, [{ standings: this, userId }]))[0] ?? null;
  }

  /** The titles of users; null: none, or no entry. Three round trips, two where none of them has an entry. */
  async titles(userIds: readonly string[]): Promise<(Title | null)[]> {
    const entries = await entriesOf(
      this.redis,
      userIds.map((userId) => ({ standings: this, userId })),
    );
    const places = entries.flatMap((entry) => (entry ? [entry.place] : []));
    if (places.length === 0) return userIds.map(() => null);
    const texts = await this.redis.hmget(this.titlesKey, ...places.map(String));
    const byPlace = new Map(places.map((place, i) => [place, texts[i] ?? null]));
    return entries.map((entry) => {
      const text = entry && byPlace.get(entry.place);
      return text == null ? null : readTitle(text);
    });
  }

  /** Where the places of the users of this hash are noted. */
  recordField(hash: number): FieldOf {
    const bucket = bucketOf(hash, this.place.bucketBits);
    return { hash: this.partKey(bucket), field: `b${bucket}` };
  }

  /** Where the entries of a chunk are. */
  chunkField(number: number): FieldOf {
    return { hash: this.partKey(number), field: `c${number}` };
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

  /**
   * Drops the marks of all users, not those of places whose users were erased; the others expire at a moment from now
   * on.
   */
  async showAll(expireAtMs: number | null): Promise<void> {
    const fields = await this.redis.hkeys(this.hiddenKey);
    for (const some of chunksOf(
      fields.filter((field) => field.startsWith('u')),
      fieldsACall,
    )) {
      await this.redis.hdel(this.hiddenKey, ...some);
    }
    if (expireAtMs !== null) await this.redis.pexpireat(this.hiddenKey, expireAtMs);
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

  /** Drops a user's name; the rank stays, hidden. Returns how many entries they had: 1 or 0. */
  async erase(userId: string, expireAtMs: number | null): Promise<number> {
    let erased = 0;
    for (const place of await this.placesOf(userId)) {
      const entry = await this.at(place);
      if (entry && entry.userId !== userId) continue;
      if (entry) {
        await this.eraseName(entry, expireAtMs);
        erased += 1;
      }
      await this.show(userId);
      // Last, as the user is found by it: a repeated call after an interruption goes on from here.
      await this.dropRecord(userId, place);
    }
    return erased;
  }

  /**
   * As {@link erase}, of a draft, whose index is not whole yet: looks at each of its chunks, which do not expire so
   * far.
   */
  async eraseFromDraft(userId: string): Promise<number> {
    const named = JSON.stringify(userId);
    let erased = 0;
    for (let part = 0; part < this.place.shards; part++) {
      let cursor = '0';
      do {
        const key = this.partKey(part);
        const [next, found] = await this.redis.hscan(key, cursor, 'MATCH', 'c*', 'COUNT', chunksACall);
        cursor = next;
        for (const [field = '', text = ''] of chunksOf(found, 2)) {
          if (!text.includes(named)) continue;
          const entry = readChunk(Number(field.slice(1)), text).find((one) => one?.userId === userId);
          if (!entry) continue;
          await this.eraseName(entry, null);
          erased += 1;
        }
      } while (cursor !== '0');
    }
    await this.show(userId);
    return erased;
  }

  private async eraseName(entry: ArchivedEntry, expireAtMs: number | null): Promise<void> {
    const { place } = entry;
    await this.mark(`p${place}`, entry, expireAtMs);
    await this.redis.hdel(this.titlesKey, String(place));
    await this.rewrite(chunkOf(place), (text) => withoutUser(text, (place - 1) % chunkSize));
  }

  private async mark(field: string, { place, competition, dense }: ArchivedEntry, expireAtMs: number | null) {
    await this.redis.hset(this.hiddenKey, field, `${place},${competition},${dense}`);
    if (expireAtMs !== null) await this.redis.pexpireat(this.hiddenKey, expireAtMs);
  }

  private async placesOf(userId: string): Promise<number[]> {
    const record = this.recordField(hashOf(userId));
    const bytes = await this.redis.hgetBuffer(record.hash, record.field);
    return bytes ? placesIn(bytes, hashOf(userId)) : [];
  }

  private async at(place: number): Promise<ArchivedEntry | null> {
    return (await this.chunk(chunkOf(place)))[(place - 1) % chunkSize] ?? null;
  }

  private async chunk(number: number): Promise<(ArchivedEntry | null)[]> {
    const { hash, field } = this.chunkField(number);
    const text = await this.redis.hget(hash, field);
    return text === null ? [] : readChunk(number, text);
  }

  private async rewrite(number: number, change: (text: string) => string): Promise<void> {
    const { hash, field } = this.chunkField(number);
    for (;;) {
      const expected = await this.redis.hget(hash, field);
      if (expected === null) return;
      const args = { field, expected, value: change(expected) };
      if ((await runScript(this.redis, scripts.replaceField, { hash }, args)) === 1) return;
    }
  }

  private async dropRecord(userId: string, place: number): Promise<void> {
    const hashed = hashOf(userId);
    const { hash, field } = this.recordField(hashed);
    for (;;) {
      const expected = await this.redis.hgetBuffer(hash, field);
      if (!expected) return;
      const args = { field, expected, value: withoutRecord(expected, hashed, place) };
      if ((await runScript(this.redis, scripts.replaceField, { hash }, args)) === 1) return;
    }
  }

  /** Hash of the places that do not show. */
  get hiddenKey(): string {
    return archiveKeys.hidden(this.prefix, this.place.draft);
  }

  private get titlesKey(): string {
    return archiveKeys.titles(this.prefix, this.place.draft);
  }

  private partKey(number: number): string {
    const { draft, shards } = this.place;
    return archiveKeys.part(this.prefix, shardTags(shards)[number % shards] as string, draft);
  }
}

/** How many places of each do not show. One round trip. */
export function countHidden(redis: RedisClient, standings: readonly StoredStandings[]): Promise<number[]> {
  return countFields(
    redis,
    standings.map(({ hiddenKey }) => hiddenKey),
  );
}

/** Users' entries, each in the standings named beside the user; null: no entry. Two round trips, of few commands. */
export async function entriesOf(
  redis: RedisClient,
  asked: readonly { readonly standings: StoredStandings; readonly userId: string }[],
): Promise<(ArchivedEntry | null)[]> {
  const hashes = asked.map(({ userId }) => hashOf(userId));
  const records = await readFields(
    redis,
    asked.map(({ standings }, i) => standings.recordField(hashes[i] as number)),
  );
  const noted = records.flatMap((bytes, i) =>
    (bytes ? placesIn(bytes, hashes[i] as number) : []).map((place) => ({
      i,
      place,
      ...(asked[i] as (typeof asked)[number]),
    })),
  );
  const chunks = await readFields(
    redis,
    noted.map(({ standings, place }) => standings.chunkField(chunkOf(place))),
  );
  const found = new Array<ArchivedEntry | null>(asked.length).fill(null);
  noted.forEach(({ i, place, userId }, at) => {
    const text = chunks[at]?.toString();
    const entry = text === undefined ? null : readChunk(chunkOf(place), text)[(place - 1) % chunkSize];
    if (entry?.userId === userId) found[i] = entry;
  });
  return found;
}

/**
 * Reads fields of many hashes, null where there is none: one call for each 64 of them. On a Cluster each is a call: a
 * script that meets a missing hash of a slot on its way to another master would have to wait.
 */
async function readFields(redis: RedisClient, asked: readonly FieldOf[]): Promise<(Buffer | null)[]> {
  if (redis.isCluster) return Promise.all(asked.map(({ hash, field }) => redis.hgetBuffer(hash, field)));
  const replies = await Promise.all(
    chunksOf(asked, hashesACall).map((chunk) => {
      const keys = { hashes: chunk.map(({ hash }) => hash) };
      return runScriptForBytes(redis, scripts.readFields, keys, { fields: chunk.map(({ field }) => field) });
    }),
  );
  return replies.flat() as (Buffer | null)[];
}

/** How many fields each of many hashes has. As many calls as {@link readFields}. */
async function countFields(redis: RedisClient, hashes: readonly string[]): Promise<number[]> {
  if (redis.isCluster) return Promise.all(hashes.map((hash) => redis.hlen(hash)));
  const replies = await Promise.all(
    chunksOf(hashes, hashesACall).map((chunk) => runScript(redis, scripts.countFields, { hashes: chunk }, {})),
  );
  return replies.flat() as number[];
}
