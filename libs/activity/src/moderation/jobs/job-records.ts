import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import { scripts } from '../../scripts/scripts.generated';

/** The receipt of a job. */
export class JobReceipt {
  /** @example 0mb1x3f2k0001-5c1f09aa */
  readonly id: string;
  /** `waiting`: for its turn, or for a retry after a fault. @example done */
  readonly state: 'waiting' | 'running' | 'done';
  /** @format date-time @example 2026-11-20T08:12:01.123Z */
  readonly askedAt: string;
  /** When it was last begun. @format date-time */
  readonly startedAt: string | null;
  /** @format date-time */
  readonly doneAt: string | null;
  /**
   * The error code of the last try (`timeout:directory`), or what another instance has to do (`waiting:archived`).
   * @example null
   */
  readonly fault: string | null;
}

/** A job that was asked for, as Redis has it. */
export type Job<Receipt extends JobReceipt> = Receipt & {
  /** The steps of it that are done: an instance without some module leaves the others to those that have it. */
  readonly did: readonly string[];
  /** How often it has failed. */
  readonly failures: number;
};

/** The receipt of a job. */
export type JobReport<Receipt extends JobReceipt> = Omit<Job<Receipt>, 'did' | 'failures'>;

/** Every key of one kind of jobs, such as `erasures`, all in one slot. What is of free length comes last. */
export const jobKeys = {
  /**
   * The receipts of the jobs of a kind that wait or run, and of the last 1,000 that are done.
   * @redis hash: id -> receipt
   * @expires never
   */
  receipts: (prefix: string, kind: string): string => `{${prefix}}:jobs:${kind}`,
  /**
   * The job about each user or subject that is not done.
   * @redis hash: user or subject -> id
   * @expires never
   */
  open: (prefix: string, kind: string): string => `{${prefix}}:jobs:${kind}:open`,
  /**
   * The jobs that are not done, by when they were asked for or, of those that failed, by when they did.
   * @redis sorted set: ids
   * @expires never
   */
  queue: (prefix: string, kind: string): string => `{${prefix}}:jobs:${kind}:queue`,
  /**
   * The last 1,000 jobs that are done, by when they were asked for.
   * @redis sorted set: ids
   * @expires never
   */
  done: (prefix: string, kind: string): string => `{${prefix}}:jobs:${kind}:done`,
  /**
   * The steps of such jobs, by when an instance that does them was last there.
   * @redis sorted set: names
   * @expires never
   */
  steps: (prefix: string, kind: string): string => `{${prefix}}:jobs:${kind}:steps`,
  /**
   * While the key exists, a job that failed is not tried again.
   * @redis string
   * @expires ten minutes at most
   */
  pause: (prefix: string, kind: string, id: string): string => `{${prefix}}:jobs:${kind}:pause:${id}`,
  /**
   * The lease of the instance that does such jobs.
   * @redis string: its token
   * @expires 15 s after its last renewal
   */
  lease: (prefix: string, kind: string): string => `{${prefix}}:jobs:${kind}:lease`,
};

/** Done receipts that are kept. */
const maxDone = 1_000;

/** How long after an instance was last there its steps are waited for. */
const stepsKeptMs = 7 * 86_400_000;

/** A queue of jobs in Redis. */
export class JobRecords<Receipt extends JobReceipt> {
  private readonly keys;

  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
    private readonly kind: string,
  ) {
    const { receipts, open, queue, done, steps } = jobKeys;
    this.keys = {
      records: receipts(prefix, kind),
      open: open(prefix, kind),
      listed: queue(prefix, kind),
      closed: done(prefix, kind),
      steps: steps(prefix, kind),
    };
  }

  /**
   * Queues a job; if there is an open one about the same, returns that, and retries it at once if it failed. Two round
   * trips.
   */
  async open(about: string, job: Job<Receipt>): Promise<Job<Receipt>> {
    const { open, records, listed } = this.keys;
    const { id, askedAt } = job;
    const args = { owner: about, id, record: JSON.stringify(job), score: Date.parse(askedAt) };
    const known = String(await runScript(this.redis, scripts.openRecord, { open, records, listed }, args));
    const opened = JSON.parse(known) as Job<Receipt>;
    if (opened.failures > 0) await this.redis.del(this.pauseOf(opened.id));
    return opened;
  }

  /** Two round trips. */
  async openAbout(about: string): Promise<Job<Receipt> | null> {
    const id = await this.redis.hget(this.keys.open, about);
    return id === null ? null : this.find(id);
  }

  /** One round trip. */
  async find(id: string): Promise<Job<Receipt> | null> {
    const text = await this.redis.hget(this.keys.records, id);
    return text === null ? null : (JSON.parse(text) as Job<Receipt>);
  }

  /** The ids of all that are not done, in the order in which they are tried. One round trip. */
  queue(): Promise<string[]> {
    return this.redis.zrange(this.keys.listed, '0', '-1');
  }

  /** Notes that an instance which does these steps is here. One round trip. */
  async noteSteps(steps: readonly string[], nowMs: number): Promise<void> {
    await this.redis.zadd(this.keys.steps, ...steps.flatMap((step) => [nowMs, step]));
  }

  /** The steps that some instance does, if not now. One round trip. */
  steps(nowMs: number): Promise<string[]> {
    return this.redis.zrangebyscore(this.keys.steps, nowMs - stepsKeptMs, '+inf');
  }

  /** Says how far a job is, while it is open. One round trip. */
  async put(about: string, job: Job<Receipt>): Promise<void> {
    await runScript(
      this.redis,
      scripts.putFieldWhile,
      { condition: this.keys.open, hash: this.keys.records },
      { conditionField: about, expected: job.id, field: job.id, value: JSON.stringify(job) },
    );
  }

  /** Puts a job that failed behind the others, and has it wait. One round trip. */
  async putOff(id: string, nowMs: number, pauseMs: number): Promise<void> {
    await Promise.all([
      this.redis.zadd(this.keys.listed, 'XX', nowMs, id),
      this.redis.set(this.pauseOf(id), '', 'PX', pauseMs),
    ]);
  }

  /** Whether a job that failed has to wait. One round trip. */
  async isPutOff(id: string): Promise<boolean> {
    return (await this.redis.exists(this.pauseOf(id))) === 1;
  }

  /**
   * Takes a done job out of the queue, with what it is about; forgets the oldest done ones. Does nothing where another
   * instance has closed it. One round trip.
   */
  async close(about: string, job: Job<Receipt>): Promise<void> {
    const { open, records, listed, closed } = this.keys;
    const args = { owner: about, id: job.id, record: JSON.stringify(job) };
    const score = Date.parse(job.askedAt);
    const keys = { open, records, listed, closed };
    await runScript(this.redis, scripts.closeRecord, keys, { ...args, score, kept: maxDone });
  }

  private pauseOf(id: string): string {
    return jobKeys.pause(this.prefix, this.kind, id);
  }
}
