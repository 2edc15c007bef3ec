import { type Ledger, type Transition, type TransitionResult } from '@laurel/leaderboard';
import { Recorder, type RecorderOptions } from './recorder';

const occurredAtMs = Date.parse('2026-11-20T12:00:00Z');
const view = (member: string, field = 'view:/') =>
  ({ kind: 'grant', member, field, points: 1, occurredAtMs }) satisfies Transition;
const views = (count: number) => Array.from({ length: count }, (_, i) => view(`user-${i}`));

/** A minute: what is waited for for longer hangs. */
const options = { maxPending: 1000, batchSize: 50, inFlight: 2, timeoutMs: 60_000 } satisfies RecorderOptions;
const soon = () => performance.now() + options.timeoutMs;
const overdue = () => performance.now() - 1;

/** What becomes of an activity of one transition. */
async function recorded(recorder: Recorder, transition: Transition, deadlineMs = soon()): Promise<TransitionResult> {
  const { answers, fault } = await recorder.record([[transition]], deadlineMs);
  if (fault) throw fault;
  return answers[0]?.[0] as TransitionResult;
}
const turn = () => new Promise(setImmediate);

/** A recorder, of a ledger that grants everything and counts its calls; they are answered when they are let go. */
function recording(own: Partial<RecorderOptions> = {}, shards = 1) {
  const calls: (readonly Transition[])[] = [];
  let held: Promise<void> | undefined;
  let failure: Error | undefined;
  let release: () => void = () => undefined;
  const port: Pick<Ledger, 'shardOf' | 'applyToShard'> = {
    shardOf: (member) => Number(/\d+/.exec(member)?.[0] ?? 0) % shards,
    applyToShard: async (_, transitions) => {
      calls.push(transitions);
      await held;
      if (failure) throw failure;
      return transitions.map(({ points }) => ({ outcome: 'granted', points, scores: {}, boards: {} }));
    },
  };
  return {
    recorder: new Recorder([port as Ledger], { ...options, ...own }),
    calls,
    sizes: () => calls.map(({ length }) => length),
    hold: () => {
      held = new Promise<void>((resolve) => (release = resolve));
    },
    fail: (error: Error | undefined) => (failure = error),
    release: () => {
      held = undefined;
      release();
    },
  };
}

describe('the recorder', () => {
  it('sends what arrives in one turn together, in batches', async () => {
    const { recorder, sizes } = recording();
    const results = await Promise.all(views(120).map((one) => recorded(recorder, one)));
    expect(results.every(({ outcome }) => outcome === 'granted')).toBe(true);
    expect(sizes()).toEqual([50, 50, 20]);
    expect(recorder.pending).toBe(0);
  });

  it('gathers what arrives while calls are under way', async () => {
    const { recorder, sizes } = recording({ inFlight: 1 });
    const first = recorded(recorder, view('ann'));
    await turn();
    expect(sizes()).toEqual([1]);
    await Promise.all([first, ...views(30).map((one) => recorded(recorder, one))]);
    expect(sizes()).toEqual([1, 30]);
  });

  it('of several shards each gathers while its call is under way, unless the next is full', async () => {
    const { recorder, sizes, hold, release } = recording({}, 4);
    hold();
    const waiting: Promise<unknown>[] = [];
    for (const count of [1, 10, 20, 25]) {
      for (let i = 0; i < count; i++) waiting.push(recorded(recorder, view('user-3', `view:/${waiting.length}`)));
      await turn();
    }
    expect(sizes()).toEqual([1, 50]);
    release();
    await Promise.all(waiting);
    expect(sizes()).toEqual([1, 50, 5]);
  });

  it('answers many in their order, whatever shards they lie on', async () => {
    const activities = views(300).map((one, i) => [{ ...one, points: i + 1 }]);
    const { answers } = await recording({}, 4).recorder.record(activities, soon());
    expect(answers.map(([result]) => result?.points)).toEqual(activities.map(([one]) => one?.points));
  });

  it('takes all of many or none when too many wait', async () => {
    const { recorder, sizes } = recording({ maxPending: 10 });
    const activities = views(8).map((one) => [one]);
    const taken = recorder.record(activities, soon());
    await expect(recorder.record(activities.slice(5), soon())).rejects.toMatchObject({
      code: 'overloaded',
      message: expect.stringContaining('8 activities wait to be recorded and 3 more would exceed 10') as string,
    });
    await expect(recorded(recorder, view('d'))).resolves.toMatchObject({ outcome: 'granted' });
    expect((await taken).answers).toHaveLength(8);
    expect(sizes()).toEqual([9]);
  });

  it('fails what is overdue and nothing that came later in the same call', async () => {
    const { recorder, calls, hold, release } = recording({ batchSize: 3, inFlight: 1 });
    hold();
    const [first, second, late] = [overdue(), overdue(), soon()].map((deadlineMs, i) =>
      recorded(recorder, { ...view(`user-${i}`), points: i + 1 }, deadlineMs),
    );
    const queued = recorded(recorder, view('queued'), soon());
    const third = recorded(recorder, view('overdue'), overdue());
    for (const one of [first, second, third]) await expect(one).rejects.toMatchObject({ code: 'unavailable' });
    expect(recorder.pending).toBe(2);
    release();
    await expect(late).resolves.toMatchObject({ points: 3 });
    await expect(queued).resolves.toMatchObject({ outcome: 'granted' });
    expect(calls.map((call) => call.map(({ member }) => member))).toEqual([['user-0', 'user-1', 'user-2'], ['queued']]);
  });

  it('tells callers after the time given, where nothing answers, and keeps its bounds', async () => {
    const { recorder, sizes, hold } = recording({ timeoutMs: 20, batchSize: 1 });
    hold();
    const attempts = await Promise.allSettled(views(4).map((one) => recorded(recorder, one, performance.now() + 20)));
    const late = { status: 'rejected', reason: { code: 'unavailable' } };
    expect(attempts).toMatchObject([late, late, late, late]);
    expect(recorder.pending).toBe(0);
    // Calls that never ended keep their places: an outage does not pile up calls.
    expect(sizes().length).toBeLessThanOrEqual(options.inFlight);
  });

  it.each([
    ['that Redis refused as safe to repeat', new Error('Connection is closed.'), { code: 'unavailable' }],
    ['of our own as it is', new TypeError('a mistake'), { message: 'a mistake' }],
  ])('tells a failure %s', async (_, error, told) => {
    const { recorder, fail } = recording();
    fail(error);
    await expect(recorded(recorder, view('ann'))).rejects.toMatchObject(told);
    fail(undefined);
    await expect(recorded(recorder, view('ann'))).resolves.toMatchObject({ outcome: 'granted' });
  });

  it('closes within its bound: what is flushed is recorded, the rest is told', async () => {
    const { recorder: flushed } = recording();
    const first = recorded(flushed, view('ann'));
    await flushed.close(options.timeoutMs);
    await expect(first).resolves.toMatchObject({ outcome: 'granted' });
    await expect(recorded(flushed, view('bob'))).rejects.toMatchObject({ code: 'unavailable' });

    const { recorder: stuck, hold } = recording();
    hold();
    const told = expect(recorded(stuck, view('cho'))).rejects.toMatchObject({ code: 'unavailable' });
    await stuck.close(50);
    await told;
    expect(stuck.pending).toBe(0);
  });
});
