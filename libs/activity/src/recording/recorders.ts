import type { Transition, TransitionResult } from '@laurel/leaderboard';
import { checkTransition } from '@laurel/leaderboard/internals';
import { within } from '../deadlines/deadline';
import type { Recorder } from './recorder';

/** What one activity asks of each ledger, in their order; null: nothing. */
export type Asked = readonly (Transition | null)[];

/** What each ledger answered. */
export type Answered = readonly (TransitionResult | null)[];

/** The recorders of all ledgers. An activity is recorded when all that it concerns have recorded it. */
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

  /** As {@link Recorder.record}: where one ledger fails it fails, and repeating it is safe. */
  async record(asked: Asked, deadlineMs: number): Promise<Answered> {
    const [recorder] = this.all;
    const [own] = asked;
    // The usual case pays for no lists.
    if (this.all.length === 1 && recorder && own) return [await recorder.record(own, deadlineMs)];
    return (await this.recordAll([asked], deadlineMs))[0] as Answered;
  }

  /** As {@link Recorder.recordAll}: nothing is recorded anywhere unless each ledger has room for its share. */
  async recordAll(asked: readonly Asked[], deadlineMs: number): Promise<Answered[]> {
    const shares = this.all.map((_, ledger) => asked.flatMap((one) => one[ledger] ?? []));
    shares.forEach((share, ledger) => {
      share.forEach(checkTransition);
      this.all[ledger]?.assertRoom(share.length);
    });
    const results = await Promise.all(
      this.all.map((recorder, ledger) => recorder.recordAll(shares[ledger] ?? [], deadlineMs)),
    );
    const answers = results.map((ofLedger) => ofLedger.values());
    return asked.map((one) =>
      answers.map((answer, ledger) => (one[ledger] ? (answer.next().value as TransitionResult) : null)),
    );
  }

  /** As {@link Recorder.close}, of all at once, when the calls under way have ended or as much time has passed. */
  async close(withinMs: number): Promise<void> {
    if (this.calls > 0)
      await within(withinMs, new Promise<void>((resolve) => (this.onIdle = resolve)), () => undefined);
    await Promise.all(this.all.map((recorder) => recorder.close(withinMs)));
  }
}
