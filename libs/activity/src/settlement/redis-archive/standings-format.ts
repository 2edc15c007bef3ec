// How archived standings lie in Redis: entries in chunks by place, and an index of users' places in buckets by hash.
import { shardOf } from '@laurel/leaderboard/internals';
import type { Title } from '../../extensions/title-source';
import type { ArchivedEntry } from '../archive/standings-archive';

/** A record of the index: the 32 bits of a user's hash, and the index of the user's entry. */
const recordBytes = 8;

/** Users that share a bucket, on average: a bucket is read whole. */
const usersABucket = 256;

/** Records that are gathered before they are written, so that each bucket gets many at once. */
const maxGathered = 65_536;

/** Entries that are kept, and read, together. */
export const chunkSize = 128;

/** The chunk that holds a place. */
export function chunkOf(place: number): number {
  return Math.floor((place - 1) / chunkSize);
}

/**
 * Entries that follow one another, as text: the first one's competition and dense places, then of each the user, the
 * score and when it was reached. The other places follow from the scores.
 */
export function writeChunk(entries: readonly ArchivedEntry[]): string {
  const values: (string | number | null)[] = [];
  for (const { competition, dense, userId, score, reachedAtMs } of entries) {
    if (values.length === 0) values.push(competition, dense);
    values.push(userId, score, reachedAtMs);
  }
  return JSON.stringify(values);
}

/** What a chunk holds of each entry; a user who was erased is null. */
type ChunkValues = [number, number, ...(string | number | null)[]];

/** The entries of the chunk numbered so; null in the place of one whose user was erased. */
export function readChunk(number: number, text: string): (ArchivedEntry | null)[] {
  const [first = 1, firstDense = 1, ...values] = JSON.parse(text) as ChunkValues;
  const entries: (ArchivedEntry | null)[] = [];
  let competition = first;
  let dense = firstDense;
  let before: number | undefined;
  for (let i = 0; i < values.length; i += 3) {
    const [userId, score, reachedAtMs] = values.slice(i, i + 3) as [string | null, number, number | null];
    const place = number * chunkSize + entries.length + 1;
    if (before !== undefined && before !== score) {
      competition = place;
      dense += 1;
    }
    before = score;
    entries.push(userId === null ? null : { place, competition, dense, userId, score, reachedAtMs });
  }
  return entries;
}

/** The chunk without the name of the user at an index. */
export function withoutUser(text: string, index: number): string {
  const values = JSON.parse(text) as ChunkValues;
  values[2 + 3 * index] = null;
  return JSON.stringify(values);
}

/** A title as text. */
export function writeTitle({ id, name }: Title): string {
  return JSON.stringify(id === name ? [id] : [id, name]);
}

/** What {@link writeTitle} wrote. */
export function readTitle(text: string): Title {
  const [id, name = id] = JSON.parse(text) as [string, string?];
  return { id, name };
}

/** How many bits of a user's hash name their bucket, for this number of users. */
export function bucketBits(users: number): number {
  return Math.min(20, Math.max(0, Math.ceil(Math.log2(Math.max(1, users) / usersABucket))));
}

/** The 32 bits of a user's hash. */
export function hashOf(userId: string): number {
  return shardOf(userId, 2 ** 32);
}

/** The bucket in which a user's record is. */
export function bucketOf(hash: number, bits: number): number {
  return bits === 0 ? 0 : hash >>> (32 - bits);
}

/** The places of the users of a bucket that have this hash: nearly always one. */
export function placesIn(bucket: Buffer, hash: number): number[] {
  const places: number[] = [];
  for (let at = 0; at < bucket.length; at += recordBytes) {
    if (bucket.readUInt32LE(at) === hash) places.push(bucket.readUInt32LE(at + 4));
  }
  return places;
}

/** A bucket without the record of a user of this hash at a place. */
export function withoutRecord(bucket: Buffer, hash: number, place: number): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at < bucket.length; at += recordBytes) {
    if (bucket.readUInt32LE(at) === hash && bucket.readUInt32LE(at + 4) === place) continue;
    kept.push(bucket.subarray(at, at + recordBytes));
  }
  return Buffer.concat(kept);
}

/** Gathers users' records, in bounded memory, and gives them bucket by bucket. */
export class IndexWriter {
  private readonly hashes = new Uint32Array(maxGathered);
  private readonly places = new Uint32Array(maxGathered);
  private count = 0;

  constructor(private readonly bits: number) {}

  /** Takes a user; true: no more fit, {@link take} them first. */
  add(userId: string, place: number): boolean {
    this.hashes[this.count] = hashOf(userId);
    this.places[this.count] = place;
    this.count += 1;
    return this.count === maxGathered;
  }

  /** What was gathered: buckets with the bytes to append to each. */
  take(): [bucket: number, bytes: Buffer][] {
    const ends = new Uint32Array(2 ** this.bits + 1);
    const hashAt = (i: number): number => this.hashes[i] as number;
    for (let i = 0; i < this.count; i++) {
      const next = bucketOf(hashAt(i), this.bits) + 1;
      ends[next] = (ends[next] as number) + 1;
    }
    for (let b = 1; b < ends.length; b++) ends[b] = (ends[b] as number) + (ends[b - 1] as number);
    const starts = Uint32Array.from(ends);
    const sorted = Buffer.allocUnsafe(this.count * recordBytes);
    for (let i = 0; i < this.count; i++) {
      const bucket = bucketOf(hashAt(i), this.bits);
      const at = starts[bucket] as number;
      starts[bucket] = at + 1;
      sorted.writeUInt32LE(hashAt(i), at * recordBytes);
      sorted.writeUInt32LE(this.places[i] as number, at * recordBytes + 4);
    }
    this.count = 0;
    const taken: [number, Buffer][] = [];
    for (let b = 0; b + 1 < ends.length; b++) {
      const [from, to] = [ends[b] as number, ends[b + 1] as number];
      if (to > from) taken.push([b, sorted.subarray(from * recordBytes, to * recordBytes)]);
    }
    return taken;
  }
}
