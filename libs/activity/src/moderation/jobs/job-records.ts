import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import { scripts } from '../../scripts/scripts.generated';

/** What is told of a job that was asked for. */
export interface JobReceipt {
  readonly id: string;
  readonly state: 'waiting' | 'running' | 'done';
  readonly askedAt: string;
  readonly startedAt: string | null;
  readonly doneAt: string | null;
  readonly fault: string | null;
}

/** A job that was asked for, as Redis has it. */
export type Job<Receipt extends JobReceipt> = Receipt & {
  /** What the instance could do that was asked. Others leave the job alone. */
  readonly needs: readonly string[];
};

/** What is told of a job: its receipt. */
export type Told<Receipt extends JobReceipt> = Omit<Job<Receipt>, 'needs'>;

/** The keys of one kind of jobs, all in one slot. */
export interface JobKeys {
  /** Hash: id -> receipt. */
  readonly receipts: (prefix: string) => string;
  /** Hash: what the job is about -> id of the one that is not done. */
  readonly open: (prefix: string) => string;
  /** Sorted set of the ids of those that are not done, by when they were asked for. */
  readonly queue: (prefix: string) => string;
  /** Sorted set of the last 1,000 that are done. */
  readonly done: (prefix: string) => string;
}

/** Done receipts that are kept. */
const maxDone = 1_000;

/** A queue of jobs in Redis. */
export class JobRecords<Receipt extends JobReceipt> {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
    private readonly keys: JobKeys,
  ) {}

  /** Queues a job; returns the open one about the same instead, where there is one. One round trip. */
  async open(about: string, job: Job<Receipt>): Promise<Job<Receipt>> {
    const { receipts, open, queue } = this.keys;
    const keys = { open: open(this.prefix), records: receipts(this.prefix), listed: queue(this.prefix) };
    const { id, askedAt } = job;
    const args = { owner: about, id, record: JSON.stringify(job), score: Date.parse(askedAt) };
    return JSON.parse(String(await runScript(this.redis, scripts.openRecord, keys, args))) as Job<Receipt>;
  }

  /** One round trip. */
  async find(id: string): Promise<Job<Receipt> | null> {
    const text = await this.redis.hget(this.keys.receipts(this.prefix), id);
    return text === null ? null : (JSON.parse(text) as Job<Receipt>);
  }

  /** The ids of all that are not done, in the order in which they were asked for. One round trip. */
  queue(): Promise<string[]> {
    return this.redis.zrange(this.keys.queue(this.prefix), '0', '-1');
  }

  /** Says how far a job is, while it is open. One round trip. */
  async put(about: string, job: Job<Receipt>): Promise<void> {
    const { receipts, open } = this.keys;
    const keys = { condition: open(this.prefix), hash: receipts(this.prefix) };
    await runScript(this.redis, scripts.putFieldWhile, keys, {
      ...{ conditionField: about, expected: job.id },
      ...{ field: job.id, value: JSON.stringify(job) },
    });
  }

  /**
   * Takes a done job out of the queue, with what it is about; forgets the oldest done ones. Does nothing where another
   * instance has closed it. One round trip.
   */
  async close(about: string, job: Job<Receipt>): Promise<void> {
    const { receipts, open, queue, done: listed } = this.keys;
    const keys = {
      ...{ open: open(this.prefix), records: receipts(this.prefix) },
      ...{ listed: queue(this.prefix), closed: listed(this.prefix) },
    };
    const args = { owner: about, id: job.id, record: JSON.stringify(job) };
    await runScript(this.redis, scripts.closeRecord, keys, { ...args, score: Date.parse(job.askedAt), kept: maxDone });
  }
}
