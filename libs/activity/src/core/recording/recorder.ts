import { type Ledger, LeaderboardError, type Transition, type TransitionResult } from '@laurel/leaderboard';
import { checkTransition } from '@laurel/leaderboard/internals';
import { performance } from 'node:perf_hooks';
import { within } from '../deadlines/deadline';
import { ActivityError } from '../errors/errors';
import { isPassing, isRedisFault, ofServer, refusalCode } from '../redis/redis-faults';

/** How much a {@link Recorder} takes at a time, and how long callers wait. */
export interface RecorderOptions {
  /** Most transitions that may wait or be under way; more are refused as `overloaded`. */
  readonly maxPending: number;
  /** Most transitions in one script call: larger ones keep every reader of that Redis waiting. */
  readonly batchSize: number;
  /** Script calls under way at once, for each shard; of several shards one, and more only where they are full. */
  readonly inFlight: number;
  /** How long a transition may take before it fails, unless the caller gives a deadline. */
  readonly timeoutMs: number;
}

/**
 * The module's own choice: a call of 64 keeps readers waiting for a millisecond or so, 100 costs 1 to 2 % less and
 * keeps them waiting for half as long again (docs/benchmarks.md).
 */
export const smallBatches = { batchSize: 64, inFlight: 2 } as const satisfies Partial<RecorderOptions>;

/** A transition whose caller waits. */
interface Waiting {
  readonly transition: Transition;
  /** When its caller is told that it failed, by `performance.now()`. */
  readonly deadlineMs: number;
  readonly settle: (result: TransitionResult) => void;
  readonly fail: (error: Error) => void;
  /** Whether its caller has been told what became of it. */
  isTold: boolean;
}

/** The transitions that wait for one shard, and the calls under way. */
interface Line {
  readonly shard: number;
  queue: Waiting[];
  /** Each keeps its place until it ends, even when its callers have been told that it took too long. */
  readonly underWay: Set<readonly Waiting[]>;
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
  /** Those to send from at the end of this turn of the event loop: all at once, so that they are written together. */
  private readonly due = new Set<Line>();
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
  async record(
    transition: Transition,
    deadlineMs = performance.now() + this.options.timeoutMs,
  ): Promise<TransitionResult> {
    checkTransition(transition);
    this.assertRoom(1);
    return new Promise((settle, fail) => this.enqueue({ transition, deadlineMs, settle, fail, isTold: false }));
  }

  /** As {@link record}, of a transition that was checked, for which there is room ({@link assertRoom}). */
  enqueue(waiting: Waiting): void {
    this.pendingCount += 1;
    const line = this.lineOf(this.ledger.shardOf(waiting.transition.member));
    line.queue.push(waiting);
    this.schedule(line);
    this.patrol ??= setInterval(() => this.failOverdue(), Math.min(patrolMs, this.options.timeoutMs));
  }

  /** Takes no more, and resolves when all is recorded or, after `withinMs`, has failed as `unavailable`. */
  async close(withinMs: number): Promise<void> {
    this.isClosed = true;
    if (this.pendingCount === 0) return;
    const idle = new Promise<void>((resolve) => (this.onIdle = resolve));
    const late = failure('unavailable', 'The application shut down before Redis answered');
    await within(withinMs, idle, () => this.failWhere(() => true, late));
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

  private lineOf(shard: number): Line {
    for (let next = this.lines.length; next <= shard; next += 1) {
      this.lines.push({ shard: next, queue: [], underWay: new Set() });
    }
    return this.lines[shard] as Line;
  }

  private schedule(line: Line): void {
    if (line.queue.length === 0) return;
    if (this.due.size === 0) setImmediate(() => this.sendDue());
    this.due.add(line);
  }

  private sendDue(): void {
    const due = [...this.due];
    this.due.clear();
    for (const line of due) {
      while (line.queue.length > 0 && line.underWay.size < this.callsAtOnce(line)) {
        void this.send(line, line.queue.splice(0, this.options.batchSize));
      }
    }
  }

  /** Where there are more shards, their calls keep Redis busy while this one gathers a larger call. */
  private callsAtOnce({ queue }: Line): number {
    const { inFlight, batchSize } = this.options;
    return this.lines.length > 1 && queue.length < batchSize ? 1 : inFlight;
  }

  private async send(line: Line, batch: readonly Waiting[]): Promise<void> {
    line.underWay.add(batch);
    try {
      const transitions = batch.map(({ transition }) => transition);
      const results = await this.ledger.applyToShard(line.shard, transitions);
      batch.forEach((one, i) => {
        if (this.leaves(one)) one.settle(results[i] as TransitionResult);
      });
    } catch (cause) {
      if (batch.length > 1 && isOfOne(cause)) {
        const left = batch.filter(({ isTold }) => !isTold);
        const first = left.splice(0, Math.ceil(left.length / 2));
        await Promise.all([this.send(line, first), this.send(line, left)]);
        return;
      }
      const code = refusalCode(cause) === 'WRONGTYPE' ? 'unrecordable' : 'unavailable';
      const fault = failure(code, 'Redis could not record it', cause);
      // Any other error is a bug of ours: its callers must not be told just to try again.
      this.fail(batch, isRedisFault(cause) ? fault : (cause as Error));
    } finally {
      line.underWay.delete(batch);
      this.schedule(line);
    }
  }

  /** Whether its caller is still to be told; from now on the caller is not. */
  private leaves(one: Waiting): boolean {
    if (one.isTold) return false;
    one.isTold = true;
    this.pendingCount -= 1;
    if (this.pendingCount === 0) {
      clearInterval(this.patrol);
      this.patrol = undefined;
      this.onIdle?.();
    }
    return true;
  }

  private fail(all: readonly Waiting[], error: Error): void {
    for (const one of all) if (this.leaves(one)) one.fail(error);
  }

  private failOverdue(): void {
    const nowMs = performance.now();
    const late = failure('unavailable', `It could not be recorded within ${this.options.timeoutMs} ms`);
    this.failWhere(({ deadlineMs }) => deadlineMs <= nowMs, late);
  }

  /**
   * Deadlines are not in the order of the queue: some have waited for something else before. A call that is under way
   * cannot be taken back: callers of it are told, and its late answer to them is dropped.
   */
  private failWhere(isFailed: (one: Waiting) => boolean, error: Error): void {
    for (const line of this.lines) {
      for (const waiting of [line.queue, ...line.underWay]) this.fail(waiting.filter(isFailed), error);
      line.queue = line.queue.filter(({ isTold }) => !isTold);
    }
  }
}

/** The transitions of one activity: one for each ledger, in their order; null: none. */
export type Transitions = readonly (Transition | null)[];

/** The results of the ledgers, in the same order. */
export type TransitionResults = readonly (TransitionResult | null)[];

/** The recorders of all ledgers. An activity is recorded when each of its ledgers has recorded it. */
export class Recorders {
  private calls = 0;
  private onIdle: (() => void) | undefined;

  /** @param all in the order of the ledgers. */
  constructor(private readonly all: readonly Recorder[]) {}

  /** Notes that a call which records has begun, however many steps it takes until its {@link end}. */
  begin(): void {
    this.calls += 1;
  }

  /** Notes that a call has ended. */
  end(): void {
    this.calls -= 1;
    if (this.calls === 0) this.onIdle?.();
  }

  /** Transitions that wait or are under way, of all ledgers. */
  get pending(): number {
    return this.all.reduce((sum, { pending }) => sum + pending, 0);
  }

  /**
   * As {@link Recorder.record}, for what several checked activities ask: nothing is recorded anywhere unless each
   * ledger has room for its share. Resolves when all have ended; transitions that failed have no answer, the `fault` is
   * that of the first, and repeating all of them is safe.
   */
  record(
    activities: readonly Transitions[],
    deadlineMs: number,
  ): Promise<{ readonly answers: readonly TransitionResults[]; readonly fault: Error | null }> {
    // One promise for the call: one for each of a thousand transitions costs as much as to check them.
    return new Promise((resolve) => {
      const counts = this.all.map((_, ledger) => activities.filter((asked) => asked[ledger]).length);
      this.all.forEach((recorder, ledger) => recorder.assertRoom(counts[ledger] ?? 0));
      let left = counts.reduce((sum, count) => sum + count, 0);
      let fault: Error | null = null;
      const answers = activities.map((asked) => asked.map((): TransitionResult | null => null));
      if (left === 0) resolve({ answers, fault });
      const end = (error: Error | null) => {
        fault ??= error;
        left -= 1;
        if (left === 0) resolve({ answers, fault });
      };
      activities.forEach((asked, i) => {
        const answer = answers[i] as (TransitionResult | null)[];
        asked.forEach((transition, ledger) => {
          if (!transition) return;
          const settle = (result: TransitionResult) => {
            answer[ledger] = result;
            end(null);
          };
          this.all[ledger]?.enqueue({ transition, deadlineMs, settle, fail: end, isTold: false });
        });
      });
    });
  }

  /** As {@link Recorder.close}, of all at once, when the calls under way have ended or as much time has passed. */
  async close(withinMs: number): Promise<void> {
    if (this.calls > 0)
      await within(withinMs, new Promise<void>((resolve) => (this.onIdle = resolve)), () => undefined);
    await Promise.all(this.all.map((recorder) => recorder.close(withinMs)));
  }
}

/** Whether a call failed by what one transition met, as a key that another program wrote: the others are recorded. */
function isOfOne(cause: unknown): boolean {
  return !isPassing(cause) && !(cause instanceof LeaderboardError) && !ofServer.has(refusalCode(cause) ?? '');
}

function failure(code: 'unavailable' | 'unrecordable', what: string, cause?: unknown): ActivityError {
  return new ActivityError(code, `${what}; repeating the activity is safe.`, { cause });
}
