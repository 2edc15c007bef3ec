import { runScript } from '@laurel/leaderboard/internals';
import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ActivityError } from '../../core/errors/errors';
import type { ActivitySettings } from '../../core/options/settings';
import type { PeriodicTask, PeriodicTasks } from '../../core/periodic/periodic-tasks';
import { Lease } from '../../core/redis/lease';
import type { RedisConnection } from '../../core/redis/redis-connection';
import { faultCode } from '../../core/redis/redis-faults';
import { runInRedis } from '../../core/redis/run-in-redis';
import { scripts } from '../../scripts/scripts.generated';
import { OwnedRecords } from '../owned-records';

/** How often an instance looks for jobs that another has left, or that could not be done. */
const lookEveryMs = 5_000;
/** How long a job of an instance that died is left to it. */
const leaseMs = 15_000;
/** How long an answer waits for its job: most are done by then. */
const answerWithinMs = 2_000;
/** How long a job that failed waits: twice as long each time. */
const pauseMs = 5_000;
const longestPauseMs = 600_000;
/** How long after an instance was last there its steps are waited for. */
const stepsKeptMs = 7 * 86_400_000;
/** Done receipts that are kept. */
const maxDone = 1_000;

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
interface Job<Receipt> {
  readonly id: string;
  /** The user or subject; empty once it is done. */
  readonly about: string;
  readonly receipt: Receipt;
  /** The steps of it that are done: an instance without some module leaves the others to those that have it. */
  readonly did: readonly string[];
  /** How often it has failed. */
  readonly failures: number;
}

/** What is done of a job now. */
export interface OpenJob<Receipt> extends Pick<Job<Receipt>, 'about' | 'receipt'> {
  readonly steps: readonly string[];
  /** Says how far it is; rejects where another instance must go on. */
  readonly note: (sofar: Partial<Receipt>) => Promise<void>;
}

/** Every key of one kind of jobs, such as `erasures`, all in one slot. What is of free length comes last. */
const keysOf = (prefix: string, kind: string) => ({
  /**
   * The receipts of the jobs of a kind that wait or run, and of the last 1,000 that are done.
   * @redis hash: id -> receipt
   * @expires never
   */
  records: `{${prefix}}:jobs:${kind}`,
  /**
   * The job about each user or subject that is not done.
   * @redis hash: user or subject -> id
   * @expires never
   */
  open: `{${prefix}}:jobs:${kind}:open`,
  /**
   * The jobs that are not done, by when they were asked for or, of those that failed, by when they did.
   * @redis sorted set: ids
   * @expires never
   */
  listed: `{${prefix}}:jobs:${kind}:queue`,
  /**
   * The last 1,000 jobs that are done, by when they were asked for.
   * @redis sorted set: ids
   * @expires never
   */
  closed: `{${prefix}}:jobs:${kind}:done`,
  /**
   * The steps of such jobs, by when an instance that does them was last there.
   * @redis sorted set: names
   * @expires never
   */
  steps: `{${prefix}}:jobs:${kind}:steps`,
  /**
   * The lease of the instance that does such jobs.
   * @redis string: its token
   * @expires 15 s after its last renewal
   */
  lease: `{${prefix}}:jobs:${kind}:lease`,
  /**
   * While the key exists, a job that failed is not tried again.
   * @redis string
   * @expires ten minutes at most
   */
  pauseOf: (id: string) => `{${prefix}}:jobs:${kind}:pause:${id}`,
});

/**
 * Runs jobs in the background, oldest first. One instance at a time runs them; if it crashes, another continues. A job
 * that fails goes behind the others, and waits for five seconds before it is tried again, twice as long each time, ten
 * minutes at most. A job is done when each of its steps is that some instance has named in the last seven days.
 */
export abstract class JobQueue<Receipt extends JobReceipt> implements OnApplicationBootstrap {
  private readonly logger = new Logger(this.constructor.name);
  private readonly keys: ReturnType<typeof keysOf>;
  private readonly records: OwnedRecords<Job<Receipt>>;
  private readonly task: PeriodicTask;
  private asked = 0;
  /** Emits the id of each job that this instance has tried. */
  private readonly ends = new EventEmitter().setMaxListeners(0);

  /** @param kind its name in keys and logs: `erasures`. @param beside the kind with whose jobs they take turns. */
  protected constructor(
    private readonly kind: string,
    protected readonly connection: RedisConnection,
    protected readonly settings: ActivitySettings,
    private readonly tasks: PeriodicTasks,
    private readonly beside = kind,
  ) {
    this.task = tasks.task(kind, () => this.workOff());
    this.keys = keysOf(settings.prefix, kind);
    this.records = new OwnedRecords(connection.client, this.keys);
  }

  /** The steps of such a job that this instance can do. */
  abstract steps(): readonly string[];

  /** Does these steps of a job, again where they were begun before. Returns what the receipt has then. */
  protected abstract carryOut(job: OpenJob<Receipt>): Promise<Partial<Receipt>>;

  /** What the receipt has once the job is done: it names no user. */
  protected abstract done(about: string): Partial<Receipt>;

  /** Starts to look for jobs; a command, which stores no settings, leaves them to the app. */
  onApplicationBootstrap(): void {
    if (!this.settings.storesSettings) return;
    this.task.every(lookEveryMs);
    this.task.ask();
  }

  /** The receipt of a job. One round trip. @throws ActivityError if it is unknown; `unavailable`. */
  async find(id: string): Promise<Receipt> {
    const job = await this.connection.read(() => this.records.find(id));
    if (job) return job.receipt;
    throw new ActivityError('unknownReceipt', 'There is no such receipt: the last 1,000 of each kind are kept.');
  }

  /**
   * Asks for a job, and returns its receipt: after two seconds, or when it is done or has failed, if that is sooner.
   * While one about the same is not done, it is that one's, and tried at once if it failed. A few round trips.
   * @param begun makes the receipt of a new one, of what all receipts have.
   * @param check of several that are asked for at once, each sees those before it. Only where these use no own lease.
   * @throws ActivityError `unavailable`; what `check` throws.
   */
  protected async askFor(about: string, begun: (all: JobReceipt) => Receipt, check?: () => Promise<void>) {
    const all = this.newReceipt();
    const job = { id: all.id, about, receipt: begun(all), did: [], failures: 0 };
    const enter = () => this.connection.read(() => this.records.open(about, job, all.askedAt));
    const { id, failures } = await (check ? this.inTurn(() => check().then(enter), this.kind) : enter());
    if (failures > 0) await this.connection.read((client) => client.del(this.keys.pauseOf(id)));
    const end = once(this.ends, id, { signal: AbortSignal.timeout(answerWithinMs) });
    this.task.ask();
    await end.catch(() => undefined);
    return this.find(id);
  }

  /** The receipts of the jobs that are not done. Two round trips. */
  protected async open(): Promise<Receipt[]> {
    return (await this.records.all(await this.queue())).map(({ receipt }) => receipt);
  }

  private newReceipt(): JobReceipt {
    const nowMs = this.settings.clock.now();
    this.asked += 1;
    // Ordered by its time and, within a process, by its number.
    const id = `${nowMs.toString(36).padStart(9, '0')}${this.asked.toString(36).padStart(4, '0')}-${randomBytes(4).toString('hex')}`;
    const askedAt = new Date(nowMs).toISOString();
    return { id, state: 'waiting', askedAt, startedAt: null, doneAt: null, fault: null };
  }

  private async workOff(): Promise<void> {
    const { client } = this.connection;
    const named = this.steps().flatMap((step) => [this.settings.clock.now(), step]);
    // A command's modules are not the app's: nothing waits for another command.
    if (this.settings.storesSettings) await client.zadd(this.keys.steps, ...named);
    if ((await this.queue()).length === 0) return;
    const lease = await Lease.take(client, keysOf(this.settings.prefix, this.beside).lease, leaseMs);
    // The instance that has it looks again before it ends, or this one does in a moment.
    if (!lease) return;
    try {
      await this.tryAll(lease);
    } finally {
      await lease.release();
    }
  }

  /** Does work of many round trips when nobody else has the lease of a kind. */
  protected inTurn<T>(work: () => Promise<T>, of = this.beside): Promise<T> {
    return runInRedis(this.connection, async () => {
      for (;;) {
        const lease = await Lease.take(this.connection.client, keysOf(this.settings.prefix, of).lease, leaseMs);
        try {
          if (lease) return await work();
        } finally {
          await lease?.release();
        }
        await delay(100);
      }
    });
  }

  /** Whether a job about a user or subject is not done. One round trip. */
  protected async isOpen(about: string, kind = this.kind): Promise<boolean> {
    return (await this.connection.client.hexists(keysOf(this.settings.prefix, kind).open, about)) === 1;
  }

  /** The ids of all that are not done, in the order in which they are tried. */
  private queue(): Promise<string[]> {
    return this.connection.client.zrange(this.keys.listed, '0', '-1');
  }

  /** Tries each that is in the queue once, also those that come meanwhile. */
  private async tryAll(lease: Lease): Promise<void> {
    const tried = new Set<string>();
    for (;;) {
      const ids = (await this.queue()).filter((id) => !tried.has(id));
      if (ids.length === 0) return;
      for (const id of ids) {
        if (this.tasks.stopped.aborted) return;
        lease.assertHeld();
        tried.add(id);
        await this.try(id, lease);
        this.ends.emit(id);
      }
    }
  }

  private async try(id: string, lease: Lease): Promise<void> {
    const { connection, keys, records, settings } = this;
    const { client } = connection;
    const job = await records.find(id);
    if (!job || job.receipt.state === 'done') return;
    const { about, failures } = job;
    const steps = this.steps().filter((step) => !job.did.includes(step));
    /** The steps that some instance does, if not now, and that are not done. */
    const without = async (did: readonly string[]) => {
      const known = await client.zrangebyscore(keys.steps, settings.clock.now() - stepsKeptMs, '+inf');
      return known.filter((one) => !did.includes(one));
    };
    if (steps.length === 0 && (await without(job.did)).length > 0) return;
    if (failures > 0 && (await client.exists(keys.pauseOf(id))) === 1) return;
    const isoNow = () => new Date(settings.clock.now()).toISOString();
    const put = (changed: Partial<Job<Receipt>>) => records.put({ ...job, ...changed }, records.whileOpen(about, id));
    let receipt: Receipt = { ...job.receipt, state: 'running', startedAt: isoNow() };
    await put({ receipt });
    try {
      const note = async (sofar: Partial<Receipt>) => {
        if (this.tasks.stopped.aborted) throw new ActivityError('unavailable', 'The application is shutting down.');
        lease.assertHeld();
        receipt = { ...receipt, ...sofar };
        await put({ receipt });
      };
      const result = await this.carryOut({ about, receipt, steps, note });
      receipt = { ...receipt, ...result };
      const did = [...job.did, ...steps];
      const missing = (await without(did)).join();
      if (missing !== '') {
        this.logger.log(`Job ${id} of the ${this.kind} waits for an instance that can do: ${missing}.`);
        await put({ did, receipt: { ...receipt, state: 'waiting', fault: `waiting:${missing}` } });
        return;
      }
      receipt = { ...receipt, ...this.done(about), state: 'done', fault: null, doneAt: isoNow() };
      const record = JSON.stringify({ ...job, about: '', receipt });
      const args = { owner: about, id, record, score: Date.parse(receipt.askedAt), kept: maxDone };
      const { open, records: hash, listed, closed } = keys;
      await runScript(client, scripts.closeRecord, { open, records: hash, listed, closed }, args);
    } catch (error) {
      const fault = faultCode(error instanceof ActivityError ? (error.cause ?? error) : error);
      const waitMs = Math.min(pauseMs * 2 ** failures, longestPauseMs);
      this.logger.warn(`Job ${id} of the ${this.kind} failed (${fault}); retrying in ${waitMs / 1_000} s.`);
      await put({ receipt: { ...receipt, state: 'waiting', fault }, failures: failures + 1 });
      await client.zadd(keys.listed, 'XX', settings.clock.now(), id);
      await client.set(keys.pauseOf(id), '', 'PX', waitMs);
    }
  }
}
