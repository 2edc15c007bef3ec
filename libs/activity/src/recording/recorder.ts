import type { Ledger, Transition, TransitionResult } from '@laurel/leaderboard';
import { checkTransition } from '@laurel/leaderboard/internals';
import { performance } from 'node:perf_hooks';
import { isRedisFault } from '../redis/redis-faults';
import { ActivityError } from '../errors/errors';

/** How much a {@link Recorder} takes at a time, and how long callers wait. */
export interface RecorderOptions {
  /** Most transitions that may wait or be under way; more are refused as `overloaded`. */
  readonly maxPending: number;
  /** Most transitions in one script call: larger ones keep every reader of that Redis waiting. */
  readonly batchSize: number;
  /** Script calls under way at once, for each shard. */
  readonly inFlight: number;
  /** How long a transition may take before its caller is told that it failed, where the caller does not say it. */
  readonly timeoutMs: number;
}

/**
 * The module's own choice: a call of 64 keeps readers waiting for a millisecond or so, 100 costs 1 to 2 % less and keeps
 * them waiting for half as long again (docs/benchmarks.md).
 */
export const smallBatches = { batchSize: 64, inFlight: 2 } as const satisfies Partial<RecorderOptions>;

/** A transition whose caller waits. */
interface Waiting {
  readonly transition: Transition;
  readonly deadlineMs: number;
  readonly settle: (result: TransitionResult | Failed) => void;
}

/** Why a transition was not recorded, as far as its caller is told. */
class Failed {
  constructor(readonly error: Error) {}
}

/** What waits for one shard, and the calls under way. */
interface Line {
  readonly shard: number;
  queue: Waiting[];
  readonly underWay: Set<Batch>;
  isScheduled: boolean;
}

/** One script call. It keeps its place until it ends, even when its callers have been told that it took too long. */
interface Batch {
  /** In the order in which they were sent; null: its caller has been told. */
  readonly waiting: (Waiting | null)[];
}

/** How often what waits is looked through for what has waited too long. */
const patrolMs = 100;

/**
 * Puts transitions that arrive while a script call is under way together into the next one, shard by shard. Where
 * nothing is under way the next call leaves at the end of the same turn of the event loop: no timer holds it back.
 */
export class Recorder {
  /** By shard; there may come to be more of them while it runs. */
  private readonly lines: Line[] = [];
  private pendingCount = 0;
  private isClosed = false;
  private patrol: NodeJS.Timeout | undefined;
  private onIdle: (() => void) | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly options: RecorderOptions,
  ) {}

  /** Transitions that wait or are under way. */
  get pending(): number {
    return this.pendingCount;
  }

  /**
   * Resolves when the transition is in Redis, ledger and boards. A share of one round trip.
   * @param deadlineMs when the caller is told that it is not, by `performance.now()`: who has waited for something else
   * before says when that was.
   * @throws LeaderboardError `invalidArgument` where it is malformed.
   * @throws ActivityError `overloaded`: nothing was done. `unavailable`: Redis did not answer in time; whether it was
   * recorded is not known, and repeating it is safe.
   */
  async record(transition: Transition, deadlineMs = this.deadline()): Promise<TransitionResult> {
    checkTransition(transition);
    this.reserve(1);
    return new Promise((resolve, reject) => {
      this.enqueue(transition, deadlineMs, (result) => {
        if (result instanceof Failed) reject(result.error);
        else resolve(result);
      });
    });
  }

  /**
   * As {@link record}, for many: all are taken or none. Fails if any of them fails; the others may then be recorded.
   */
  async recordAll(transitions: readonly Transition[], deadlineMs = this.deadline()): Promise<TransitionResult[]> {
    transitions.forEach(checkTransition);
    this.reserve(transitions.length);
    if (transitions.length === 0) return [];
    return new Promise((resolve, reject) => {
      const results = new Array<TransitionResult>(transitions.length);
      let missing = transitions.length;
      transitions.forEach((transition, index) => {
        this.enqueue(transition, deadlineMs, (result) => {
          if (result instanceof Failed) return reject(result.error);
          results[index] = result;
          missing -= 1;
          if (missing === 0) resolve(results);
        });
      });
    });
  }

  /** Takes no more, and resolves when all is recorded or, after `withinMs`, has failed as `unavailable`. */
  async close(withinMs: number): Promise<void> {
    this.isClosed = true;
    if (this.pendingCount === 0) return;
    await new Promise<void>((resolve) => {
      this.onIdle = resolve;
      setTimeout(() => this.failAll(), withinMs).unref();
    });
  }

  /** @throws ActivityError `overloaded`, `unavailable` where `count` more would not be taken now. */
  assertRoom(count: number): void {
    if (this.isClosed)
      throw new ActivityError('unavailable', 'Recording has stopped: the application is shutting down.');
    if (this.pendingCount + count > this.options.maxPending) {
      throw new ActivityError(
        'overloaded',
        `${this.pendingCount} activities wait to be recorded and ${count} more would exceed ${this.options.maxPending}: try again later.`,
      );
    }
  }

  private reserve(count: number): void {
    this.assertRoom(count);
    this.pendingCount += count;
  }

  private deadline(): number {
    return performance.now() + this.options.timeoutMs;
  }

  private enqueue(transition: Transition, deadlineMs: number, settle: Waiting['settle']): void {
    const line = this.lineOf(this.ledger.shardOf(transition.member));
    line.queue.push({ transition, deadlineMs, settle });
    this.schedule(line);
    this.patrol ??= setInterval(() => this.failOverdue(), Math.min(patrolMs, this.options.timeoutMs));
  }

  private lineOf(shard: number): Line {
    for (let next = this.lines.length; next <= shard; next += 1) {
      this.lines.push({ shard: next, queue: [], underWay: new Set(), isScheduled: false });
    }
    return this.lines[shard] as Line;
  }

  private schedule(line: Line): void {
    if (line.isScheduled || line.queue.length === 0) return;
    line.isScheduled = true;
    setImmediate(() => {
      line.isScheduled = false;
      while (line.queue.length > 0 && line.underWay.size < this.options.inFlight) {
        void this.send(line, line.queue.splice(0, this.options.batchSize));
      }
    });
  }

  private async send(line: Line, waiting: Waiting[]): Promise<void> {
    const batch: Batch = { waiting };
    line.underWay.add(batch);
    try {
      const results = await this.ledger.applyToShard(
        line.shard,
        waiting.map(({ transition }) => transition),
      );
      batch.waiting.forEach((one, i) => one && this.settle(one, results[i] as TransitionResult));
    } catch (cause) {
      // What is no fault of Redis is one of ours: its callers must not be told that they may just try again.
      this.abandon(
        batch,
        isRedisFault(cause) ? unavailable('Redis could not record it', cause) : new Failed(cause as Error),
      );
    } finally {
      line.underWay.delete(batch);
      this.schedule(line);
    }
  }

  private settle(waiting: Waiting, result: TransitionResult | Failed): void {
    this.pendingCount -= 1;
    waiting.settle(result);
    if (this.pendingCount > 0) return;
    clearInterval(this.patrol);
    this.patrol = undefined;
    this.onIdle?.();
  }

  private failOverdue(): void {
    const nowMs = performance.now();
    this.failWhere(
      ({ deadlineMs }) => deadlineMs <= nowMs,
      unavailable(`It could not be recorded within ${this.options.timeoutMs} ms`),
    );
  }

  private failAll(): void {
    this.failWhere(() => true, unavailable('The application shut down before Redis answered'));
  }

  /** Deadlines are not in the order of the queue: some have waited for something else before. */
  private failWhere(isFailed: (one: Waiting) => boolean, failed: Failed): void {
    for (const line of this.lines) {
      const overdue = line.queue.filter(isFailed);
      if (overdue.length > 0) line.queue = line.queue.filter((one) => !isFailed(one));
      for (const one of overdue) this.settle(one, failed);
      for (const batch of line.underWay) this.abandon(batch, failed, isFailed);
    }
  }

  /** A call that is under way cannot be taken back: callers of it are told, and its late answer to them is dropped. */
  private abandon({ waiting }: Batch, failed: Failed, isFailed = (_: Waiting) => true): void {
    waiting.forEach((one, i) => {
      if (!one || !isFailed(one)) return;
      waiting[i] = null;
      this.settle(one, failed);
    });
  }
}

function unavailable(what: string, cause?: unknown): Failed {
  return new Failed(new ActivityError('unavailable', `${what}; repeating the activity is safe.`, { cause }));
}
