import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import { scripts } from '../../scripts/scripts.generated';
import type { ErasureReceipt } from './erasure-receipt';

/** An erasure that was asked for, as Redis has it. */
export interface ErasureRecord extends ErasureReceipt {
  /**
   * What the instance could erase in that was asked: the kinds of its modules, and `directory`. Others leave it alone.
   */
  readonly needs: readonly string[];
}

/** One that is not done. */
export type OpenErasure = ErasureRecord & { readonly userId: string };

/** The keys of erasures, all in one slot. */
const erasureKeys = {
  /**
   * The erasures that wait or run, and the last 1,000 that are done; those name no user.
   * @redis hash: id -> receipt
   * @expires never
   */
  receipts: (prefix: string): string => `{${prefix}}:erasures`,
  /**
   * The erasure of each user that is not done.
   * @redis hash: user -> id
   * @expires never
   */
  open: (prefix: string): string => `{${prefix}}:erasures:open`,
  /**
   * The erasures that are not done, by when they were asked for.
   * @redis sorted set: ids
   * @expires never
   */
  queue: (prefix: string): string => `{${prefix}}:erasures:queue`,
  /**
   * The last 1,000 erasures that are done, by when they were asked for.
   * @redis sorted set: ids
   * @expires never
   */
  done: (prefix: string): string => `{${prefix}}:erasures:done`,
};

/** Done receipts that are kept. */
const maxDone = 1_000;

/** The queue of erasures in Redis. */
export class ErasureRecords {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  /** Queues an erasure; returns the user's open one instead, where there is one. One round trip. */
  async open(record: OpenErasure): Promise<ErasureRecord> {
    const { receipts, open, queue } = erasureKeys;
    const keys = { open: open(this.prefix), records: receipts(this.prefix), listed: queue(this.prefix) };
    const { userId: owner, id, askedAt } = record;
    const args = { owner, id, record: JSON.stringify(record), score: Date.parse(askedAt) };
    return JSON.parse(String(await runScript(this.redis, scripts.openRecord, keys, args))) as ErasureRecord;
  }

  /** One round trip. */
  async find(id: string): Promise<ErasureRecord | null> {
    const text = await this.redis.hget(erasureKeys.receipts(this.prefix), id);
    return text === null ? null : (JSON.parse(text) as ErasureRecord);
  }

  /** The ids of all that are not done, in the order in which they were asked for. One round trip. */
  queue(): Promise<string[]> {
    return this.redis.zrange(erasureKeys.queue(this.prefix), '0', '-1');
  }

  /** Says how far an erasure is, while it is open: nothing names the user again once it is done. One round trip. */
  async put({ id, ...record }: OpenErasure): Promise<void> {
    const { receipts, open } = erasureKeys;
    const keys = { condition: open(this.prefix), hash: receipts(this.prefix) };
    const value = JSON.stringify({ id, ...record });
    await runScript(this.redis, scripts.putFieldWhile, keys, {
      ...{ conditionField: record.userId, expected: id },
      ...{ field: id, value },
    });
  }

  /**
   * Takes a done erasure out of the queue, and its user's name out of everything; forgets the oldest done ones. Does
   * nothing where another instance has closed it. One round trip.
   */
  async close(done: ErasureRecord, userId: string): Promise<void> {
    const { receipts, open, queue, done: listed } = erasureKeys;
    const keys = {
      ...{ open: open(this.prefix), records: receipts(this.prefix) },
      ...{ listed: queue(this.prefix), closed: listed(this.prefix) },
    };
    const args = { owner: userId, id: done.id, record: JSON.stringify(done) };
    await runScript(this.redis, scripts.closeRecord, keys, {
      ...args,
      score: Date.parse(done.askedAt),
      kept: maxDone,
    });
  }
}
