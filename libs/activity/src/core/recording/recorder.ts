import { type Ledger, LeaderboardError, type Transition, type TransitionResult } from '@laurel/leaderboard';
import { performance } from 'node:perf_hooks';
import { within } from '../deadlines/deadline';
import { ActivityError } from '../errors/errors';
import { isPassing, isRedisFault, ofServer, refusalCode } from '../redis/redis-faults';

/** How much a {@link Recorder} takes at a time, and how long callers wait. */
export interface RecorderOptions {
  /** Most transitions of a ledger that may wait or be under way; more are refused as `overloaded`. */
  readonly maxPending: number;
  /** How long callers wait, as they are told. */
  readonly timeoutMs: number;
  /**
   * Most transitions in one script call. Default: 64, which keep readers of that Redis waiting for a millisecond or so;
   * 100 cost 1 to 2 % less and keep them waiting for half as long again (docs/benchmarks.md).
   */
  readonly batchSize?: number;
  /** Script calls under way at once, for each shard (2); of several shards one, and more only where they are full. */
  readonly inFlight?: number;
}

/** The transitions of one activity: one for each ledger, in their order; null: none. */
export type Transitions = readonly (Transition | null)[];

/** The results of the ledgers, in the same order. */
export type TransitionResults = readonly (TransitionResult | null)[];

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

/** A ledger, and what waits for it. */
interface LedgerLines {
  readonly ledger: Ledger;
  /** By shard; there may come to be more of them while it runs. */
  readonly lines: Line[];
  /** Transitions that wait or are under way. */
  pending: number;
}

/** The transitions that wait for one shard, and the calls under way. */
interface Line {
  readonly of: LedgerLines;
  readonly shard: number;
  queue: Waiting[];
  /** Each keeps its place until it ends, even when its callers have been told that it took too long. */
  readonly underWay: Set<readonly Waiting[]>;
}

/** How often what waits is looked through for what has waited too long. */
const patrolMs = 100;

/**
 * Records activities in all ledgers. It puts transitions that arrive while a script call is under way together into the
 * next one, shard by shard. Where nothing is under way the next call leaves at the end of the same turn of the event
 * loop: no timer holds it back.
 */
export class Recorder {
  private readonly all: readonly LedgerLines[];
  private readonly options: Required<RecorderOptions>;
  /** Those to send from at the end of this turn of the event loop: all at once, so that they are written together. */
  private readonly due = new Set<Line>();
  private calls = 0;
  private isClosed = false;
  private patrol: NodeJS.Timeout | undefined;
  private onIdle: (() => void) | undefined;

  constructor(ledgers: readonly Ledger[], options: RecorderOptions) {
    this.options = { batchSize: 64, inFlight: 2, ...options };
    this.all = ledgers.map((ledger) => ({ ledger, lines: [], pending: 0 }));
  }

  /** Transitions that wait or are under way, of all ledgers. */
  get pending(): number {
    return this.all.reduce((sum, { pending }) => sum + pending, 0);
  }

  /** Notes that a call which records has begun, however many steps it takes until its {@link end}. */
  begin(): void {
    this.calls += 1;
    this.patrol ??= setInterval(() => this.failOverdue(), Math.min(patrolMs, this.options.timeoutMs));
  }

  /** Notes that a call has ended. */
  end(): void {
    this.calls -= 1;
    if (this.calls > 0) return;
    clearInterval(this.patrol);
    this.patrol = undefined;
    this.onIdle?.();
  }

  /**
   * Records what several checked activities ask: nothing is recorded anywhere unless each ledger has room for its
   * share. Resolves when all are in Redis, ledgers and boards, or have failed: those have no answer, the `fault` is
   * that of the first, and repeating all of them is safe. A share of one round trip.
   * @param deadlineMs when the caller is told that they are not recorded, by `performance.now()`: who has waited for
   * something else before says when that was.
   * @throws ActivityError `overloaded`, `unavailable`: nothing was done.
   */
  record(
    activities: readonly Transitions[],
    deadlineMs: number,
  ): Promise<{ readonly answers: readonly TransitionResults[]; readonly fault: Error | null }> {
    // One promise for the call: one for each of a thousand transitions costs as much as to check them.
    return new Promise((resolve) => {
      const counts = this.all.map((_, ledger) => activities.filter((asked) => asked[ledger]).length);
      this.all.forEach(({ pending }, ledger) => this.assertRoom(pending, counts[ledger] ?? 0));
      let left = counts.reduce((sum, count) => sum + count, 0);
      let fault: Error | null = null;
      const answers = activities.map((asked) => asked.map((): TransitionResult | null => null));
      if (left === 0) return resolve({ answers, fault });
      this.begin();
      const end = (error: Error | null) => {
        fault ??= error;
        left -= 1;
        if (left > 0) return;
        this.end();
        resolve({ answers, fault });
      };
      activities.forEach((asked, i) => {
        const answer = answers[i] as (TransitionResult | null)[];
        asked.forEach((transition, ledger) => {
          if (!transition) return;
          const settle = (result: TransitionResult) => {
            answer[ledger] = result;
            end(null);
          };
          this.enqueue(ledger, { transition, deadlineMs, settle, fail: end, isTold: false });
        });
      });
    });
  }

  /** Waits for the calls under way, at most so long; then takes no more, and what is left fails as `unavailable`. */
  async close(withinMs: number): Promise<void> {
    const idle = new Promise<void>((resolve) => (this.onIdle = resolve));
    if (this.calls > 0) await within(withinMs, idle, () => undefined);
    this.isClosed = true;
    this.failWhere(() => true, failure('unavailable', 'The application shut down before Redis answered'));
  }

  private assertRoom(pending: number, count: number): void {
    if (this.isClosed)
      throw new ActivityError('unavailable', 'Recording has stopped: the application is shutting down.');
    if (pending + count > this.options.maxPending) {
      throw new ActivityError(
        'overloaded',
        `${pending} activities wait to be recorded and ${count} more would exceed ${this.options.maxPending}: try again later.`,
      );
    }
  }

  private enqueue(ledger: number, waiting: Waiting): void {
    const of = this.all[ledger] as LedgerLines;
    const shard = of.ledger.shardOf(waiting.transition.member);
    for (let next = of.lines.length; next <= shard; next += 1) {
      of.lines.push({ of, shard: next, queue: [], underWay: new Set() });
    }
    const line = of.lines[shard] as Line;
    of.pending += 1;
    line.queue.push(waiting);
    this.schedule(line);
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
  private callsAtOnce({ of, queue }: Line): number {
    const { inFlight, batchSize } = this.options;
    return of.lines.length > 1 && queue.length < batchSize ? 1 : inFlight;
  }

  private async send(line: Line, batch: readonly Waiting[]): Promise<void> {
    line.underWay.add(batch);
    try {
      const transitions = batch.map(({ transition }) => transition);
      const results = await line.of.ledger.applyToShard(line.shard, transitions);
      batch.forEach((one, i) => {
        if (this.leaves(line, one)) one.settle(results[i] as TransitionResult);
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
      this.fail(line, batch, isRedisFault(cause) ? fault : (cause as Error));
    } finally {
      line.underWay.delete(batch);
      this.schedule(line);
    }
  }

  /** Whether its caller is still to be told; from now on the caller is not. */
  private leaves({ of }: Line, one: Waiting): boolean {
    if (one.isTold) return false;
    one.isTold = true;
    of.pending -= 1;
    return true;
  }

  private fail(line: Line, all: readonly Waiting[], error: Error): void {
    for (const one of all) if (this.leaves(line, one)) one.fail(error);
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
    for (const line of this.all.flatMap(({ lines }) => lines)) {
      for (const waiting of [line.queue, ...line.underWay]) this.fail(line, waiting.filter(isFailed), error);
      line.queue = line.queue.filter(({ isTold }) => !isTold);
    }
  }
}

/** Whether a call failed by what one transition met, as a key that another program wrote: the others are recorded. */
function isOfOne(cause: unknown): boolean {
  return !isPassing(cause) && !(cause instanceof LeaderboardError) && !ofServer.has(refusalCode(cause) ?? '');
}

function failure(code: 'unavailable' | 'unrecordable', what: string, cause?: unknown): ActivityError {
  return new ActivityError(code, `${what}; repeating the activity is safe.`, { cause });
}
