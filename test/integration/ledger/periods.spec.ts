import { type Ledger, Period, type Transition } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const hour = 3_600_000;
const lastMoment = Date.parse('2036-11-30T23:59:59.999Z');
const november30 = Period.parse('day', '2036-11-30', 'UTC');
const november = Period.parse('month', '2036-11', 'UTC');

const praise = (change: Partial<Transition> = {}): Transition => ({
  kind: 'grant',
  member: 'ann',
  field: 'praise:article:7',
  points: 2,
  occurredAtMs: lastMoment,
  ...change,
});

describe('a praise of the last millisecond of a month', () => {
  let redis: Redis;
  let ledger: Ledger;
  const clock = new ManualClock(lastMoment);
  beforeAll(() => {
    redis = testRedis();
  });
  beforeEach(async () => {
    clock.set(lastMoment);
    ledger = keptLedger(redis, {
      prefix: freshPrefix(),
      clock,
      boards: [keptBoard('day', hour), keptBoard('month', hour), keptBoard('all')],
    });
    // Another praise keeps ann on the boards, so that one point too many taken would show.
    await ledger.apply([praise(), praise({ field: 'praise:article:8' })]);
  });
  afterAll(closeTestRedis);

  const score = async (board: string, period: Period) => (await rawBoard(redis, ledger, board, period))[0]?.score ?? 0;
  const scores = async () => ({
    day: await score('day', november30),
    month: await score('month', november),
    all: await score('all', Period.parse('all', 'all', 'UTC')),
  });

  it('leaves every board when it is cancelled within the lateness of its day, once', async () => {
    clock.set(lastMoment + hour);
    const revoke = praise({ kind: 'revoke', occurredAtMs: lastMoment + 1000 });
    expect(await ledger.apply([revoke, revoke])).toMatchObject([
      { outcome: 'revoked', points: -2 },
      { outcome: 'duplicate', points: 0 },
    ]);
    expect(await scores()).toEqual({ day: 2, month: 2, all: 2 });
  });

  it('leaves only what is open when it is cancelled the next day', async () => {
    clock.set(lastMoment + 12 * hour);
    const revoke = praise({ kind: 'revoke', occurredAtMs: clock.now() });
    expect(await ledger.apply([revoke, revoke])).toMatchObject([
      { outcome: 'revoked', points: -2 },
      { outcome: 'duplicate' },
    ]);
    expect(await scores()).toEqual({ day: 4, month: 4, all: 2 });
    const again = praise({ kind: 'revoke', occurredAtMs: clock.now() + 1 });
    expect(await ledger.apply([again])).toMatchObject([{ outcome: 'notGranted', points: 0 }]);
    expect(await scores()).toEqual({ day: 4, month: 4, all: 2 });
  });

  it('leaves only what is open when it is cancelled the next month', async () => {
    clock.set(lastMoment + 31 * 24 * hour);
    expect(await ledger.apply([praise({ kind: 'revoke', occurredAtMs: clock.now() })])).toMatchObject([
      { outcome: 'revoked', points: -2 },
    ]);
    expect(await scores()).toEqual({ day: 4, month: 4, all: 2 });
  });

  it('keeps its points when only another day is named', async () => {
    clock.set(lastMoment + 12 * hour);
    const [result] = await ledger.apply([
      praise({ kind: 'revoke', occurredAtMs: clock.now(), grantedAtMs: clock.now() }),
    ]);
    expect(result).toMatchObject({ outcome: 'notGranted', points: 0 });
    expect(await scores()).toEqual({ day: 4, month: 4, all: 4 });
  });

  it('is not given when its cancellation of the next day came first', async () => {
    clock.set(lastMoment + hour);
    const field = 'praise:article:9';
    await ledger.apply([praise({ field, kind: 'revoke', occurredAtMs: lastMoment + 1 })]);
    expect(await ledger.apply([praise({ field })])).toMatchObject([{ outcome: 'notGranted', points: 0 }]);
    expect(await scores()).toEqual({ day: 4, month: 4, all: 4 });
  });
});

describe('ledgers that are kept for good', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  it('are searched by a revoke however old they are', async () => {
    const clock = new ManualClock(lastMoment);
    const ledger = keptLedger(redis, {
      prefix: freshPrefix(),
      clock,
      boards: [keptBoard('day', hour), keptBoard('all')],
    });
    await ledger.apply([praise(), praise({ field: 'praise:article:8' })]);
    clock.advance(200 * 24 * hour);
    await ledger.apply([praise({ occurredAtMs: clock.now() })]);
    clock.advance(500 * 24 * hour);
    const results = await ledger.apply([praise({ kind: 'revoke', occurredAtMs: clock.now() })]);
    expect(results).toMatchObject([{ outcome: 'revoked', points: -4 }]);
    const all = Period.parse('all', 'all', 'UTC');
    expect(await rawBoard(redis, ledger, 'all', all)).toMatchObject([{ member: 'ann', score: 2 }]);
  });
});

describe('an activity counts by when it occurred', () => {
  let redis: Redis;
  const clock = new ManualClock(lastMoment);
  beforeAll(() => {
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  const newLedger = () =>
    keptLedger(redis, {
      prefix: freshPrefix(),
      clock,
      boards: [keptBoard('day', hour), keptBoard('month', 2 * hour)],
      ledgerRetentionMs: 31 * 24 * hour,
    });

  it.each([
    ['until the last millisecond of its lateness', hour - 1, ['day', 'month'], 'granted'],
    ['on the boards that are still open', hour, ['month'], 'granted'],
    ['on none when all are closed', 2 * hour, [], 'closed'],
  ] as const)('%s', async (_, late, boards, outcome) => {
    clock.set(lastMoment + 1 + late);
    const [result] = await newLedger().apply([praise()]);
    expect(result?.outcome).toBe(outcome);
    expect(Object.keys(result?.scores ?? {})).toEqual(boards);
  });

  it.each([
    ['as far ahead as hosts may disagree', 300_000, 'granted'],
    ['a millisecond further not', 300_001, 'rejected'],
  ] as const)('%s', async (_, ahead, outcome) => {
    clock.set(lastMoment);
    const [result] = await newLedger().apply([praise({ occurredAtMs: lastMoment + ahead })]);
    expect(result?.outcome).toBe(outcome);
    if (outcome !== 'rejected') return;
    const boards = { day: 'refused', month: 'refused' };
    expect(result).toEqual({ outcome, points: 0, scores: {}, boards, reason: 'future' });
  });
});
