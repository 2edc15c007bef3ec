import { Ledger, type Transition, type TransitionResult } from '@laurel/leaderboard';
import { startRedis, type RedisServer } from '@laurel/servers';
import { Redis } from 'ioredis';
import { recordAll } from '../../../libs/activity/src/beside/record-all';
import { Recorder, Recorders, type RecorderOptions } from '../../../libs/activity/src/recording/recorder';
import { keptBoard } from '../../support/ledger';
import { waitUntil } from '../../support/wait-until';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const occurredAtMs = Date.parse('2026-11-20T12:00:00Z');
const view = (member: string, field = 'view:/'): Transition => ({
  kind: 'grant',
  member,
  field,
  points: 1,
  occurredAtMs,
});

/** A real ledger that keeps count of its calls. */
class CountingLedger extends Ledger {
  readonly calls: number[] = [];
  /** Calls wait for this. */
  open: Promise<void> | undefined;
  release = (): void => undefined;

  override async applyToShard(shard: number, transitions: readonly Transition[]): Promise<TransitionResult[]> {
    this.calls.push(transitions.length);
    await this.open;
    return super.applyToShard(shard, transitions);
  }
}

const options: RecorderOptions = { maxPending: 1000, batchSize: 50, inFlight: 2, timeoutMs: 5000 };
const inTime = () => performance.now() + options.timeoutMs;
const boards = [keptBoard('day'), keptBoard('month')];
const newLedger = (redis: Redis, shards = 1) =>
  new CountingLedger(redis, { prefix: freshPrefix(), shards, boards, ledgerRetentionMs: null });

describe('the recorder', () => {
  afterAll(closeTestRedis);

  it('sends what arrives in one turn together, in batches', async () => {
    const ledger = newLedger(testRedis());
    const recorder = new Recorder(ledger, options);
    const results = await Promise.all(Array.from({ length: 120 }, (_, i) => recorder.record(view(`user-${i}`))));
    expect(results.every(({ outcome }) => outcome === 'granted')).toBe(true);
    expect(ledger.calls).toEqual([50, 50, 20]);
    expect(recorder.pending).toBe(0);
  });

  it('sends one alone when nothing is under way', async () => {
    const ledger = newLedger(testRedis());
    const recorder = new Recorder(ledger, options);
    await recorder.record(view('ann'));
    await recorder.record(view('bob'));
    expect(ledger.calls).toEqual([1, 1]);
  });

  it('gathers what arrives while calls are under way', async () => {
    const ledger = newLedger(testRedis());
    const recorder = new Recorder(ledger, { ...options, inFlight: 1 });
    const first = recorder.record(view('ann'));
    await new Promise(setImmediate);
    expect(ledger.calls).toEqual([1]);
    await Promise.all([first, ...Array.from({ length: 30 }, (_, i) => recorder.record(view(`user-${i}`)))]);
    expect(ledger.calls).toEqual([1, 30]);
  });

  it('of several shards each gathers while its call is under way, unless the next is full', async () => {
    const ledger = newLedger(testRedis(), 4);
    const member = Array.from({ length: 50 }, (_, i) => `user-${i}`).find(
      (name) => ledger.shardOf(name) === 3,
    ) as string;
    const recorder = new Recorder(ledger, options);
    const record = (count: number, field: string) =>
      Promise.all(Array.from({ length: count }, (_, i) => recorder.record(view(member, `view:/${field}/${i}`))));
    ledger.open = new Promise((open) => (ledger.release = open));
    const recorded: Promise<unknown>[] = [];
    for (const [count, field] of [
      [1, 'a'],
      [10, 'b'],
      [20, 'c'],
      [25, 'd'],
    ] as const) {
      recorded.push(record(count, field));
      await new Promise(setImmediate);
    }
    expect(ledger.calls).toEqual([1, 50]);
    ledger.release();
    await Promise.all(recorded);
    expect(ledger.calls).toEqual([1, 50, 5]);
  });

  it('answers many in their order, whatever shards they lie on', async () => {
    const recorder = new Recorder(newLedger(testRedis(), 4), options);
    const transitions = Array.from({ length: 300 }, (_, i) => ({
      ...view(`user-${i % 100}`, `view:/${i}`),
      points: i + 1,
    }));
    const results = await recordAll(new Recorders([recorder]), transitions, inTime());
    expect(results.map((result) => result?.points)).toEqual(transitions.map(({ points }) => points));
  });

  it('takes all of many or none when too many wait', async () => {
    const ledger = newLedger(testRedis());
    const recorder = new Recorder(ledger, { ...options, maxPending: 10 });
    const recorders = new Recorders([recorder]);
    const taken = recordAll(
      recorders,
      Array.from({ length: 8 }, (_, i) => view(`user-${i}`)),
      inTime(),
    );
    await expect(recordAll(recorders, [view('a'), view('b'), view('c')], inTime())).rejects.toMatchObject({
      code: 'overloaded',
      message: expect.stringContaining('8 activities wait to be recorded and 3 more would exceed 10'),
    });
    await expect(recorder.record(view('d'))).resolves.toMatchObject({ outcome: 'granted' });
    await expect(taken).resolves.toHaveLength(8);
    expect(ledger.calls).toEqual([9]);
  });

  it('fails what is overdue and nothing that came later in the same call', async () => {
    const ledger = newLedger(testRedis());
    const held = jest.spyOn(ledger, 'applyToShard');
    let answer: (results: TransitionResult[]) => void = () => undefined;
    held.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
    const recorder = new Recorder(ledger, { ...options, batchSize: 3, inFlight: 1 });
    const startedMs = performance.now();
    const soon = [startedMs + 300, startedMs + 200, startedMs + 60_000];
    const [early, earlier, late] = soon.map((deadlineMs, i) => recorder.record(view(`user-${i}`), deadlineMs));
    const queued = recorder.record(view('queued'), startedMs + 60_000);
    const overdue = recorder.record(view('overdue'), startedMs + 100);
    for (const one of [overdue, earlier, early]) await expect(one).rejects.toMatchObject({ code: 'unavailable' });
    expect(recorder.pending).toBe(2);
    const result = { outcome: 'granted', points: 1, scores: {}, boards: {} } as const;
    answer([1, 2, 3].map((points) => ({ ...result, points })));
    await expect(late).resolves.toMatchObject({ points: 3 });
    await waitUntil(() => held.mock.calls.length === 2);
    expect(held.mock.calls[1]?.[1].map(({ member }) => member)).toEqual(['queued']);
    answer([result]);
    await expect(queued).resolves.toMatchObject({ outcome: 'granted' });
  });

  it('refuses what is malformed and takes none of its company', async () => {
    const ledger = newLedger(testRedis());
    const recorder = new Recorder(ledger, options);
    const taken = recordAll(new Recorders([recorder]), [view('ann'), view('')], inTime());
    await expect(taken).rejects.toMatchObject({ code: 'invalidArgument' });
    expect(recorder.pending).toBe(0);
    expect(ledger.calls).toEqual([]);
  });

  describe('when Redis goes away', () => {
    let server: RedisServer;
    let redis: Redis;
    beforeEach(async () => {
      server = await startRedis();
      redis = new Redis(server.url, { retryStrategy: () => 20, maxRetriesPerRequest: null, disconnectTimeout: 100 });
      redis.on('error', () => undefined);
      await redis.ping();
    });
    afterEach(async () => {
      redis.disconnect();
      await server.stop();
    });

    it('tells callers after the time given, and keeps its bounds', async () => {
      await server.kill();
      const ledger = newLedger(redis);
      const recorder = new Recorder(ledger, { ...options, timeoutMs: 150, batchSize: 1 });
      const attempts = await Promise.allSettled(['a', 'b', 'c', 'd'].map((member) => recorder.record(view(member))));
      expect(attempts).toMatchObject(
        Array.from({ length: 4 }, () => ({ status: 'rejected', reason: { code: 'unavailable' } })),
      );
      expect(recorder.pending).toBe(0);
      // Calls that never ended keep their places: an outage does not pile up calls.
      expect(ledger.calls).toEqual([1, 1]);
    });

    it('records what still waits when it comes back in time', async () => {
      await server.kill();
      const recorder = new Recorder(newLedger(redis), { ...options, timeoutMs: 20_000 });
      const waiting = recorder.record(view('ann'));
      server = await startRedis({ port: server.port });
      await expect(waiting).resolves.toMatchObject({ outcome: 'granted', scores: { day: 1, month: 1 } });
    });

    it('closes within its bound: what is flushed is recorded, the rest is told', async () => {
      const flushed = new Recorder(newLedger(redis), options);
      const recorded = flushed.record(view('ann'));
      await flushed.close(5000);
      await expect(recorded).resolves.toMatchObject({ outcome: 'granted' });
      await expect(flushed.record(view('bob'))).rejects.toMatchObject({ code: 'unavailable' });

      await server.kill();
      const stuck = new Recorder(newLedger(redis), options);
      const lost = stuck.record(view('cho'));
      const told = expect(lost).rejects.toMatchObject({ code: 'unavailable' });
      await stuck.close(50);
      await told;
      expect(stuck.pending).toBe(0);
    });
  });
});
