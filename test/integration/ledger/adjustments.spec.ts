import { Ledger, type LedgerBoard, type LedgerOptions, type Transition } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const hour = 3_600_000;
const day = 24 * hour;
/** Ahead, so that nothing expires. */
const noon = Date.parse('2037-11-20T12:00:00Z');

const boards: readonly LedgerBoard[] = [
  { name: 'day', period: 'day', retentionMs: 31 * day, latenessMs: hour },
  { name: 'month', period: 'month', retentionMs: 365 * day, latenessMs: hour },
];

describe.each([
  [1, 31 * day],
  [3, null],
] as const)('adjustments, on %d shards with ledgers kept for %s ms', (shards, ledgerRetentionMs) => {
  let redis: Redis;
  beforeAll(() => {
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  const start = (more: Partial<LedgerOptions> = {}) => {
    const clock = new ManualClock(noon);
    const ledger = new Ledger(redis, { prefix: freshPrefix(), shards, boards, ledgerRetentionMs, clock, ...more });
    const send = async (transition: Partial<Transition>) => {
      const full = { kind: 'grant', member: 'ann', field: 'v:1', points: 1, occurredAtMs: clock.now(), ...transition };
      const [result] = await ledger.apply([full as Transition]);
      return result as NonNullable<typeof result>;
    };
    const adjust = (points: number, id: string, more: Partial<Transition> = {}) =>
      send({ kind: 'adjust', field: adjustmentField(id), points, note: 'because', ...more });
    const today = () => ledger.periods.of('day');
    const score = async (board: 'day' | 'month', member = 'ann') =>
      (await ledger.board(board, ledger.periods.of(board)).score(member)) ?? 0;
    return { clock, ledger, send, adjust, today, score };
  };

  it('adds points on every open board, once for each id, on whatever day it comes again', async () => {
    const { clock, adjust, score } = start();
    expect(await adjust(50, 'a')).toMatchObject({
      outcome: 'granted',
      points: 50,
      scores: { day: 50, month: 50 },
      boards: { day: 'counted', month: 'counted' },
    });
    expect(await adjust(50, 'a')).toMatchObject({ outcome: 'duplicate', points: 0 });
    clock.advance(3 * day);
    expect(await adjust(-7, 'a')).toMatchObject({ outcome: 'duplicate', points: 0 });
    expect([await score('day'), await score('month')]).toEqual([0, 50]);
  });

  it('takes what it says, also more than is there, and shows it where points come', async () => {
    const { clock, ledger, send, adjust, score } = start();
    await send({ points: 60 });
    clock.advance(day);
    await send({ points: 5 });
    expect(await adjust(-50, 'a')).toMatchObject({ outcome: 'revoked', points: -50, scores: { day: 0, month: 15 } });
    // Boards show nobody below a point.
    expect([await score('day'), await score('month')]).toEqual([0, 15]);
    expect(await ledger.board('day', ledger.periods.of('day')).size()).toBe(0);
    await send({ field: 'v:2', points: 48 });
    expect([await score('day'), await score('month')]).toEqual([3, 63]);
  });

  it('costs nobody an earlier moment where it takes points', async () => {
    const { clock, ledger, send, adjust, today } = start();
    await send({ points: 5 });
    clock.advance(hour);
    await adjust(-1, 'a');
    expect(await ledger.board('day', today()).entry('ann')).toMatchObject({ score: 4, reachedAt: new Date(noon) });
    await adjust(3, 'b');
    const reachedAt = new Date(noon + hour);
    expect(await ledger.board('day', today()).entry('ann')).toMatchObject({ score: 7, reachedAt });
  });

  it('stands in the ledger with its points, when and why', async () => {
    const { clock, ledger, send, adjust, today } = start();
    await send({ points: 5 });
    clock.advance(hour);
    await adjust(9, 'plus', { note: 'hostile; note=1,2;;\nadjust:' });
    await adjust(-20, 'minus;=,', { note: '🙂' });
    const [{ fields } = { fields: [] }] = await ledger.history.days('ann', today(), today());
    const atMs = noon + hour;
    expect(fields.filter(({ adjustment }) => adjustment)).toMatchObject([
      { field: 'adjust:plus', points: 9, adjustment: { atMs, note: 'hostile; note=1,2;;\nadjust:' } },
      { field: 'adjust:minus;=,', points: -20, adjustment: { atMs, note: '🙂' } },
    ]);
  });

  it('adjusts the boards of another day, and one board alone', async () => {
    const { clock, send, adjust, score, ledger } = start();
    await send({ points: 5 });
    const yesterday = ledger.periods.of('day');
    clock.set('2037-11-21T00:30:00Z');
    expect(await adjust(3, 'a', { grantedAtMs: yesterday.start.getTime() })).toMatchObject({
      scores: { day: 8, month: 8 },
    });
    expect(await ledger.board('day', yesterday).score('ann')).toBe(8);
    expect(await adjust(2, 'b', { board: 'month' })).toMatchObject({ points: 2, scores: { month: 10 } });
    expect(await score('day')).toBe(0);
    clock.set('2037-11-21T01:30:00Z');
    const late = await adjust(-1, 'c', { grantedAtMs: yesterday.start.getTime() });
    expect(late).toMatchObject({ points: -1, boards: { day: 'closed', month: 'counted' } });
    clock.set('2037-12-20T12:00:00Z');
    const closed = await adjust(1, 'd', { grantedAtMs: yesterday.start.getTime() });
    expect(closed).toMatchObject({ outcome: 'closed', boards: { day: 'closed', month: 'closed' } });
    expect(await adjust(1, 'd')).toMatchObject({ outcome: 'granted' });
  });

  it('leaves frozen boards as they are', async () => {
    const { clock, send, adjust, ledger } = start();
    await send({ points: 5 });
    const yesterday = ledger.periods.of('day');
    clock.set('2037-11-21T00:30:00Z');
    await ledger.periods.freeze('day', yesterday);
    expect(await adjust(-3, 'a', { grantedAtMs: yesterday.start.getTime() })).toMatchObject({
      points: -3,
      boards: { day: 'closed', month: 'counted' },
    });
    expect(await ledger.board('day', yesterday).score('ann')).toBe(5);
  });

  it('refuses what a board cannot hold, and the id is still free', async () => {
    const { adjust } = start();
    const rejected = { outcome: 'rejected', reason: 'scoreOutOfRange' };
    expect(await adjust(2 ** 53 - 2, 'a')).toMatchObject({ outcome: 'granted' });
    expect(await adjust(2, 'b')).toMatchObject(rejected);
    expect(await adjust(1, 'b')).toMatchObject({ outcome: 'granted', scores: { day: 2 ** 53 - 1 } });
  });

  it('is applied once by 64 at the same time', async () => {
    const { ledger, score, clock } = start();
    const one: Transition = {
      kind: 'adjust',
      member: 'ann',
      field: adjustmentField('a'),
      points: 5,
      note: 'x',
      occurredAtMs: clock.now(),
    };
    const results = await Promise.all(Array.from({ length: 64 }, () => ledger.apply([one])));
    expect(results.flat().filter(({ outcome }) => outcome === 'granted')).toHaveLength(1);
    expect(await score('day')).toBe(5);
  });
});
