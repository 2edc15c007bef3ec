import { Ledger, Period, type LedgerBoard, type LedgerOptions, type Transition } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { boardSums } from '../../support/board-sums';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { announceSeed, drawer } from '../../support/seed';

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
    announceSeed();
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
      changes: { day: 50, month: 50 },
      scores: { day: 50, month: 50 },
      boards: { day: 'counted', month: 'counted' },
    });
    expect(await adjust(50, 'a')).toMatchObject({ outcome: 'duplicate', points: 0, changes: { day: 50, month: 50 } });
    clock.advance(3 * day);
    expect(await adjust(-7, 'a')).toMatchObject({ outcome: 'duplicate', points: 0, changes: { day: 50, month: 50 } });
    expect([await score('day'), await score('month')]).toEqual([0, 50]);
  });

  it('takes what is there on each board, and never more', async () => {
    const { clock, ledger, send, adjust, score } = start();
    await send({ points: 60 });
    clock.advance(day);
    await send({ points: 5 });
    expect(await adjust(-50, 'a')).toMatchObject({
      outcome: 'revoked',
      points: -50,
      changes: { day: -5, month: -50 },
      scores: { day: 0, month: 15 },
    });
    expect(await adjust(-50, 'b')).toMatchObject({ points: -15, changes: { day: 0, month: -15 } });
    expect(await adjust(-50, 'c')).toMatchObject({
      outcome: 'notGranted',
      points: 0,
      changes: { day: 0, month: 0 },
      boards: { day: 'unchanged', month: 'unchanged' },
    });
    expect([await score('day'), await score('month')]).toEqual([0, 0]);
    // Who has nothing left stands on no board.
    expect(await ledger.board('day', ledger.periods.of('day')).size()).toBe(0);
    await send({ field: 'v:2', points: 3 });
    expect([await score('day'), await score('month')]).toEqual([3, 3]);
  });

  it('stands in the ledger with what was asked, what it changed, when and why', async () => {
    const { clock, ledger, send, adjust, today } = start();
    await send({ points: 5 });
    clock.advance(hour);
    await adjust(9, 'plus', { note: 'hostile; note=1,2;;\nadjust:' });
    await adjust(-20, 'minus;=,', { note: '🙂' });
    const [{ fields } = { fields: [] }] = await ledger.history.days('ann', today(), today());
    expect(fields.filter(({ adjustment }) => adjustment)).toMatchObject([
      {
        field: 'adjust:plus',
        points: 9,
        version: 1,
        adjustment: {
          asked: 9,
          changes: { day: 9, month: 9 },
          atMs: noon + hour,
          note: 'hostile; note=1,2;;\nadjust:',
        },
      },
      {
        field: 'adjust:minus;=,',
        points: 0,
        version: null,
        adjustment: { asked: -20, changes: { day: -14, month: -14 }, atMs: noon + hour, note: '🙂' },
      },
    ]);
  });

  it('gives back what it had taken where the grant is revoked after it', async () => {
    const { clock, ledger, send, adjust, score, today } = start();
    await send({ field: 'v:1', points: 80 });
    await send({ field: 'v:2', points: 20 });
    clock.advance(1);
    await adjust(-50, 'a');
    clock.advance(1);
    expect(await send({ kind: 'revoke', field: 'v:1', points: 80 })).toMatchObject({ outcome: 'revoked', points: -80 });
    expect([await score('day'), await score('month')]).toEqual([0, 0]);
    const [{ fields } = { fields: [] }] = await ledger.history.days('ann', today(), today());
    expect(fields.find(({ field }) => field === 'adjust:')?.adjustment).toEqual({
      asked: 0,
      changes: { day: 30, month: 30 },
      atMs: noon + 2,
      note: '',
    });
    clock.advance(1);
    await send({ kind: 'revoke', field: 'v:2', points: 20 });
    await send({ field: 'v:3', points: 4 });
    expect([await score('day'), await score('month')]).toEqual([4, 4]);
    expect(await boardSums(ledger, 'ann', noon - day, noon + day)).toEqual({ 'day 2037-11-20': 4, 'month 2037-11': 4 });
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
    expect(await adjust(2, 'b', { boards: ['month'] })).toMatchObject({ changes: { month: 2 }, scores: { month: 10 } });
    expect(await score('day')).toBe(0);
    clock.set('2037-11-21T01:30:00Z');
    const late = await adjust(-1, 'c', { grantedAtMs: yesterday.start.getTime() });
    expect(late).toMatchObject({ changes: { month: -1 }, boards: { day: 'closed', month: 'counted' } });
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
      changes: { month: -3 },
      boards: { day: 'closed', month: 'counted' },
    });
    expect(await ledger.board('day', yesterday).score('ann')).toBe(5);
  });

  it('refuses what a board cannot hold, and the id is still free', async () => {
    const { adjust } = start();
    const rejected = { outcome: 'rejected', reason: 'scoreOutOfRange', changes: {} };
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

  it('leaves every board the sum of its ledgers, whatever is granted, revoked and adjusted in between', async () => {
    const draw = drawer();
    // A board that is closed keeps points whose grants are revoked afterwards: all of them stay open here.
    const open = boards.map((board) => ({ ...board, latenessMs: 30 * day }));
    const { clock, ledger, send, adjust } = start({ boards: open });
    for (let step = 0; step < 300; step += 1) {
      clock.advance(draw(40) * 60_000);
      const field = `v:${draw(4)}`;
      const sort = draw(5);
      if (sort < 2) await send({ field, points: 1 + draw(9) });
      else if (sort === 2) await send({ kind: 'revoke', field, points: 1 });
      else await adjust((draw(2) === 0 ? -1 : 1) * (1 + draw(12)), `id ${step}`);
    }
    const scores: Record<string, number> = {};
    for (const board of ['day', 'month'] as const) {
      for (const period of await ledger.periods.written(board)) {
        const found = (await ledger.board(board, period).score('ann')) ?? 0;
        if (found > 0) scores[`${board} ${period.key}`] = found;
      }
    }
    const sums = await boardSums(ledger, 'ann', noon - day, clock.now() + day);
    expect(Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))).toEqual(scores);
    expect(Period.of('day', new Date(clock.now()), 'UTC').start.getTime()).toBeGreaterThan(noon + day);
  });
});
