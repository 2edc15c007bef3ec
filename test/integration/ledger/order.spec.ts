import { type Ledger, Period } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import { grantsAt, keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { ManualClock, testRedis } from '../../support';

const redis = testRedis();

const noon = Date.parse('2036-11-20T12:00:00Z');
const periods = { day: Period.of('day', new Date(noon), 'UTC'), month: Period.of('month', new Date(noon), 'UTC') };

const grant = (member: string, points: number, occurredAtMs: number, field = 'x') =>
  grantsAt(occurredAtMs)(member, field, { points });

describe.each(['day', 'month'] as const)('on a %s board', (board) => {
  // 53 bits less the 27 that milliseconds of a day take, or the 32 of a month.
  const top = { day: 2 ** 26 - 1, month: 2 ** 21 - 1 }[board];
  let ledger: Ledger;
  beforeEach(() => {
    ledger = keptLedger(redis, { clock: noon + 1000, boards: [keptBoard(board)], maxPoints: top });
  });

  const standings = () => rawBoard(redis, ledger, board, periods[board]);

  it('tells points exactly beyond those with exact moments, whose last bit they take', async () => {
    await ledger.apply([grant('ann', top - 1, noon)]);
    const results = await ledger.apply([
      grant('ann', 1, noon + 1, 'y'),
      grant('ann', 1, noon + 2, 'z'),
      grant('bob', top + 1, noon + 3),
    ]);
    expect(results).toMatchObject([
      { outcome: 'granted', points: 1, scores: { [board]: top }, boards: { [board]: 'counted' } },
      { outcome: 'granted', points: 1, scores: { [board]: top + 1 }, boards: { [board]: 'counted' } },
      { outcome: 'granted', points: top + 1, scores: { [board]: top + 1 }, boards: { [board]: 'counted' } },
    ]);
    expect(await standings()).toEqual([
      { member: 'bob', score: top + 1, reachedAtMs: noon + 3 },
      { member: 'ann', score: top + 1, reachedAtMs: noon + 3 },
    ]);
    await ledger.apply([{ ...grant('ann', 1, noon + 3, 'y'), kind: 'revoke' }]);
    expect((await standings())[1]).toEqual({ member: 'ann', score: top, reachedAtMs: noon + 2 });
  });

  it('refuses points that no double tells exactly, and changes nothing', async () => {
    const most = 2 ** 53 - 1;
    const [first, second] = await ledger.apply([grant('ann', most, noon), grant('ann', 1, noon + 1, 'y')]);
    expect(first).toMatchObject({ outcome: 'granted', scores: { [board]: most } });
    expect(second).toMatchObject({ outcome: 'rejected', reason: 'scoreOutOfRange' });
    const adjust = async (points: number, id: string) =>
      (await ledger.apply([{ ...grant('bob', points, noon, adjustmentField(id)), kind: 'adjust', note: 'why' }]))[0];
    expect(await adjust(most - 1, 'a')).toMatchObject({ outcome: 'granted' });
    // The score is what it was, and no 0.
    expect(await adjust(2, 'b')).toMatchObject({ outcome: 'rejected', reason: 'scoreOutOfRange' });
    expect((await adjust(3, 'b'))?.scores).toEqual({});
    expect(await adjust(1, 'b')).toMatchObject({ outcome: 'granted', scores: { [board]: most } });
    expect(await standings()).toMatchObject([{ member: 'bob' }, { member: 'ann', score: most }]);
  });

  it('keeps every bit of a score across the script: top and top minus one differ, to the millisecond', async () => {
    const { start, end } = periods[board];
    const [firstMs, lastMs] = [start.getTime(), (end?.getTime() ?? 0) - 1];
    const later = keptLedger(redis, { clock: lastMs, boards: [keptBoard(board)], maxPoints: top });
    await later.apply([
      grant('a', top, firstMs),
      grant('b', top, firstMs + 1),
      grant('c', top, lastMs - 1),
      grant('d', top, lastMs),
      grant('e', top - 1, firstMs),
    ]);
    expect(await rawBoard(redis, later, board, periods[board])).toEqual([
      { member: 'a', score: top, reachedAtMs: firstMs },
      { member: 'b', score: top, reachedAtMs: firstMs + 1 },
      { member: 'c', score: top, reachedAtMs: lastMs - 1 },
      { member: 'd', score: top, reachedAtMs: lastMs },
      { member: 'e', score: top - 1, reachedAtMs: firstMs },
    ]);
  });
});

it('a revoke that came before an earlier one ends a late grant also after revokes that no ledger is left for were dropped', async () => {
  const dayMs = 86_400_000;
  const clock = new ManualClock('2036-01-30T12:00:00Z');
  const ledger = keptLedger(testRedis(), { clock, ledgerRetentionMs: 31 * dayMs, boards: [keptBoard('year')] });
  const revoke = (field: string, occurredAtMs: number) => grantsAt(occurredAtMs)('ann', field, { kind: 'revoke' });
  await ledger.apply([revoke('x', Date.parse('2036-01-30T11:00:00Z'))]);
  await ledger.apply([revoke('x', Date.parse('2036-01-01T11:00:00Z'))]);
  // By now the ledgers of January 1 are gone, those of January 30 are not. Each 64th revoked field drops others.
  clock.set('2036-02-04T12:00:00Z');
  await ledger.apply(Array.from({ length: 63 }, (_, i) => revoke(`f${i}`, clock.now() - 1000)));
  const [late] = await ledger.apply([grant('ann', 1, Date.parse('2036-01-10T11:00:00Z'))]);
  expect(late).toMatchObject({ outcome: 'notGranted', points: 0 });
});
