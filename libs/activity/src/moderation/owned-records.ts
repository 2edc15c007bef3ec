import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import { scripts } from '../scripts/scripts.generated';

/** A field of a hash, and what it must be, so that something in the same slot is changed. */
export interface FieldIs {
  readonly key: string;
  readonly field: string;
  readonly expected: string;
}

/** Puts a field of a hash, or drops it where `value` is empty; false: the other is something else by now. */
export async function putWhile(
  redis: RedisClient,
  { key: condition, field: conditionField, expected }: FieldIs,
  { key: hash, field, value }: { readonly key: string; readonly field: string; readonly value: string },
): Promise<boolean> {
  const args = { conditionField, expected, field, value };
  return (await runScript(redis, scripts.putFieldWhile, { condition, hash }, args)) === 1;
}

/** Where records of one kind lie, all in one slot. */
interface RecordKeys {
  /** A hash: id -> record. */
  readonly records: string;
  /** A hash: owner -> id of the open record. */
  readonly open: string;
  /** A sorted set of the ids of open ones. */
  readonly listed: string;
}

/** Records about users or subjects, as JSON in Redis: about each owner at most one is open. */
export class OwnedRecords<Kept extends { readonly id: string }, Keys extends RecordKeys = RecordKeys> {
  constructor(
    protected readonly redis: RedisClient,
    protected readonly keys: Keys,
  ) {}

  /** Stores and lists a record in one step; if its owner has an open one, returns that. One round trip. */
  async open(owner: string, record: Kept, at: string): Promise<Kept> {
    const { records, open, listed } = this.keys;
    const args = { owner, id: record.id, record: JSON.stringify(record), score: Date.parse(at) };
    return JSON.parse(String(await runScript(this.redis, scripts.openRecord, { records, open, listed }, args))) as Kept;
  }

  /** The id of the owner's open record. One round trip. */
  openOf(owner: string): Promise<string | null> {
    return this.redis.hget(this.keys.open, owner);
  }

  /** One round trip. */
  async find(id: string): Promise<Kept | null> {
    const [found = null] = await this.all([id]);
    return found;
  }

  /** Those of these ids that are there. One round trip. */
  async all(ids: readonly string[]): Promise<Kept[]> {
    const texts = ids.length === 0 ? [] : await this.redis.hmget(this.keys.records, ...ids);
    return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Kept]));
  }

  /** Holds until the owner's record is closed. */
  whileOpen(owner: string, id: string): FieldIs {
    return { key: this.keys.open, field: owner, expected: id };
  }

  /** Holds as long as the record is unchanged. */
  whileSame(record: Kept): FieldIs {
    return { key: this.keys.records, field: record.id, expected: JSON.stringify(record) };
  }

  /** Puts a record in its place; returns whether it did. One round trip. */
  put(record: Kept, condition: FieldIs): Promise<boolean> {
    const place = { key: this.keys.records, field: record.id, value: JSON.stringify(record) };
    return putWhile(this.redis, condition, place);
  }
}
