import { type TransitionLimit } from '@laurel/leaderboard';
import { ManualClock } from '../../support/clock';
import type { LawfulLedger, LawfulTransition as Transition } from '../../support/lawful-ledger';
import { grantsAt, keptBoard, keptLedger } from '../../support/ledger';
import { atMost, dailyGrants, dailyPoints, noonOfLimits as noon } from '../../support/limits';
import { testRedis } from '../../support/redis';

const redis = testRedis();

describe('what a limit refused', () => {
  const hour = 3_600_000;
  const week: TransitionLimit = { type: 'daily', name: 'week', max: 1, of: 'grants', period: 'week' };

  /** Each lets one grant of two points pass. */
  const limitsOfOne: Record<string, TransitionLimit> = {
    daily: dailyGrants(1),
    'daily points': dailyPoints(2),
    weekly: week,
    sliding: { type: 'sliding', name: 'slow', max: 1, windowMs: 60_000, per: 'member' },
    pair: { type: 'sliding', name: 'friends', max: 1, windowMs: 60_000, per: 'pair' },
    own: atMost(1),
  };
  let clock: ManualClock;
  let ledger: LawfulLedger;
  beforeEach(() => {
    clock = new ManualClock(noon + hour);
    const boards = [keptBoard('day'), keptBoard('month')];
    ledger = keptLedger(redis, { clock, boards });
  });

  const change = (kind: Transition['kind'], field: string, offsetMs: number, limits: TransitionLimit[]) =>
    grantsAt(noon + offsetMs)('ann', field, { kind, points: 2, counterpart: 'bob', limits });
  const answers = async (...transitions: Transition[]) =>
    (await ledger.apply(transitions)).map(({ outcome, points, reason = '', scores }) =>
      `${outcome} ${points} ${scores['day']} ${reason}`.trim(),
    );

  it.each(Object.entries(limitsOfOne))('stays refused when it is delivered again: %s', async (_, limit) => {
    const [first, refused] = [change('grant', 'p:1', 0, [limit]), change('grant', 'p:2', 1, [limit])];
    expect(await answers(first, refused)).toEqual(['granted 2 2', `limited 0 2 ${limit.name}`]);
    // The place is free again.
    await answers(change('revoke', 'p:1', 2, [limit]));
    clock.advance(80 * 24 * hour);
    expect(await answers(refused)).toEqual([`limited 0 0 ${limit.name}`]);
    expect(await answers(refused, first, refused)).toEqual([
      `limited 0 0 ${limit.name}`,
      'duplicate 0 0',
      `limited 0 0 ${limit.name}`,
    ]);
  });

  it('may be tried again by the same id on its day, and counts once', async () => {
    const limits = [limitsOfOne['sliding'] as TransitionLimit];
    const byId = (id: string, ms: number) => ({ ...change('grant', `p:1#${id}`, ms, limits), id });
    expect(await answers(byId('a', 0), byId('b', 0))).toEqual(['granted 2 2', 'limited 0 2 slow']);
    clock.advance(24 * hour);
    const tried = byId('b', 60_000);
    expect(await answers(tried, tried)).toEqual(['granted 2 4', 'duplicate 0 4']);
  });
});
