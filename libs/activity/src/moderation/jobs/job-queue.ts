import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { ActivityError } from '../../core/errors/errors';
import type { ActivitySettings } from '../../core/options/settings';
import { Lease } from '../../core/redis/lease';
import type { RedisConnection } from '../../core/redis/redis-connection';
import type { PeriodicTask, PeriodicTasks } from '../../core/periodic/periodic-tasks';
import { faultCode } from '../../core/redis/redis-faults';
import { type Job, jobKeys, type JobReceipt, JobRecords, type JobReport } from './job-records';

/** How often an instance looks for jobs that another has left, or that could not be done. */
const lookEveryMs = 5_000;
/** How long a job of an instance that died is left to it. */
const leaseMs = 15_000;
/** How long an answer waits for its job: most are done by then. */
const answerWithinMs = 2_000;
/** How long a job that failed waits: twice as long each time. */
const pauseMs = 5_000;
const longestPauseMs = 600_000;

/** One kind of jobs. */
export interface JobKind<Receipt extends JobReceipt> {
  /** Their name in keys and logs: `erasures`. */
  readonly name: string;
  /** The steps of such a job that this instance can do. */
  readonly steps: () => readonly string[];
  /** The receipt of a job about this that was just asked for, with what all receipts have. */
  readonly begun: (about: string, all: JobReceipt) => Receipt;
  /** The subject of an open job; null once it is no longer named. */
  readonly about: (receipt: Receipt) => string | null;
  /**
   * Does these steps of it, again where they were begun before. Returns what the receipt has then.
   * @param note says how far it is; rejects where another instance must go on.
   */
  readonly carryOut: (
    about: string,
    work: { readonly receipt: Receipt; readonly steps: readonly string[] },
    note: (sofar: Partial<Omit<Receipt, keyof JobReceipt>>) => Promise<void>,
  ) => Promise<Partial<Receipt>>;
  /** The receipt of a done job in its place: it names no user. */
  readonly done: (about: string) => Partial<Receipt>;
}

/**
 * Runs jobs in the background, oldest first. One instance at a time runs them; if it crashes, another continues. A job
 * that fails goes behind the others, and waits for five seconds before it is tried again, twice as long each time, ten
 * minutes at most. A job is done when each of its steps is that some instance has named in the last seven days.
 */
export abstract class JobQueue<Receipt extends JobReceipt> implements OnApplicationBootstrap {
  private readonly logger = new Logger(this.constructor.name);
  protected readonly records: JobRecords<Receipt>;
  private readonly task: PeriodicTask;
  private asked = 0;
  /** Emits the id of each job that this instance has tried. */
  private readonly ends = new EventEmitter().setMaxListeners(0);

  protected constructor(
    protected readonly connection: RedisConnection,
    private readonly settings: ActivitySettings,
    private readonly tasks: PeriodicTasks,
    private readonly kind: JobKind<Receipt>,
  ) {
    this.task = tasks.task(kind.name, () => this.workOff());
    this.records = new JobRecords(connection.client, settings.prefix, kind.name);
  }

  /** Starts to look for jobs; a command, which stores no settings, leaves them to the app. */
  onApplicationBootstrap(): void {
    if (!this.settings.storesSettings) return;
    this.task.every(lookEveryMs);
    this.task.ask();
  }

  /**
   * Asks for a job, and returns its receipt: after two seconds, or when it is done or has failed, if that is sooner.
   * While one about the same is not done, it is that one's. A few round trips.
   * @param more of what a new one is begun with.
   * @throws ActivityError `unavailable`.
   */
  protected async askFor(about: string, more: Partial<Receipt> = {}): Promise<JobReport<Receipt>> {
    const job = { ...this.newJob(about), ...more };
    const { id } = await this.connection.read(() => this.records.open(about, job));
    await this.tried(id);
    return this.find(id);
  }

  /** The receipt of a job. One round trip. @throws ActivityError if it is unknown; `unavailable`. */
  async find(id: string): Promise<JobReport<Receipt>> {
    const job = await this.connection.read(() => this.records.find(id));
    if (!job)
      throw new ActivityError('unknownReceipt', 'There is no such receipt: the last 1,000 of each kind are kept.');
    const { did: _, failures: __, ...receipt } = job;
    return receipt;
  }

  /** Until this instance has tried a job, or two seconds. */
  private async tried(id: string): Promise<void> {
    const end = once(this.ends, id, { signal: AbortSignal.timeout(answerWithinMs) });
    this.task.ask();
    await end.catch(() => undefined);
  }

  private newJob(about: string): Job<Receipt> {
    const nowMs = this.settings.clock.now();
    this.asked += 1;
    // Ordered by its time and, within a process, by its number.
    const id = `${nowMs.toString(36).padStart(9, '0')}${this.asked.toString(36).padStart(4, '0')}-${randomBytes(4).toString('hex')}`;
    const times = { askedAt: new Date(nowMs).toISOString(), startedAt: null, doneAt: null };
    const all: JobReceipt = { id, state: 'waiting', ...times, fault: null };
    return { ...this.kind.begun(about, all), did: [], failures: 0 };
  }

  private async workOff(): Promise<void> {
    // A command's modules are not the app's: nothing waits for another command.
    if (this.settings.storesSettings) await this.records.noteSteps(this.kind.steps(), this.settings.clock.now());
    if ((await this.records.queue()).length === 0) return;
    const leaseKey = jobKeys.lease(this.settings.prefix, this.kind.name);
    const lease = await Lease.take(this.connection.client, leaseKey, leaseMs);
    // The instance that has it looks again before it ends, or this one does in a moment.
    if (!lease) return;
    try {
      await this.tryAll(lease);
    } finally {
      await lease.release();
    }
  }

  /** Tries each that is in the queue once, also those that come meanwhile. */
  private async tryAll(lease: Lease): Promise<void> {
    const tried = new Set<string>();
    for (;;) {
      const ids = (await this.records.queue()).filter((id) => !tried.has(id));
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
    const { kind, records } = this;
    const job = await records.find(id);
    const about = job && kind.about(job);
    if (!job || about == null) return;
    const steps = kind.steps().filter((step) => !job.did.includes(step));
    const now = () => this.settings.clock.now();
    const without = async (did: readonly string[]) => (await records.steps(now())).filter((one) => !did.includes(one));
    if (steps.length === 0 && (await without(job.did)).length > 0) return;
    if (job.failures > 0 && (await records.isPutOff(id))) return;
    const isoNow = () => new Date(now()).toISOString();
    let running: Job<Receipt> = { ...job, state: 'running', startedAt: isoNow() };
    await records.put(about, running);
    try {
      const result = await kind.carryOut(about, { receipt: running, steps }, async (sofar) => {
        if (this.tasks.stopped.aborted) throw new ActivityError('unavailable', 'The application is shutting down.');
        lease.assertHeld();
        running = { ...running, ...sofar };
        await records.put(about, running);
      });
      const ended: Job<Receipt> = { ...running, ...result, did: [...job.did, ...steps], fault: null };
      const missing = await without(ended.did);
      if (missing.length > 0) {
        this.logger.log(`Job ${id} of the ${kind.name} waits for an instance that can do: ${missing.join(', ')}.`);
        return await records.put(about, { ...ended, state: 'waiting', fault: `waiting:${missing.join()}` });
      }
      await records.close(about, { ...ended, ...kind.done(about), state: 'done', doneAt: isoNow() });
    } catch (error) {
      const fault = faultCode(error instanceof ActivityError ? (error.cause ?? error) : error);
      const waitMs = Math.min(pauseMs * 2 ** job.failures, longestPauseMs);
      this.logger.warn(`Job ${id} of the ${kind.name} failed (${fault}); retrying in ${waitMs / 1_000} s.`);
      await records.put(about, { ...running, state: 'waiting', fault, failures: job.failures + 1 });
      await records.putOff(id, now(), waitMs);
    }
  }
}
