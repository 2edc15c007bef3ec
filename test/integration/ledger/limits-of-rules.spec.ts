import { Period, type TransitionLimit } from '@laurel/leaderboard';
import { ManualClock } from '../../support/clock';
import type { LawfulLedger, LawfulTransition as Transition } from '../../support/lawful-ledger';
import { grantsAt, keptBoard, keptLedger } from '../../support/ledger';
import { atMost, dailyGrants, dailyPoints, noonOfLimits as noon, spaced } from '../../support/limits';
import { testRedis } from '../../support/redis';

const redis = testRedis();

describe('a limit of the caller’s own', () => {
  const noon = Date.parse('2036-11-20T12:00:00Z');
  const day = 86_400_000;

  const grant = (field: string, offsetMs: number, limits: readonly TransitionLimit[]) =>
    grantsAt(noon + offsetMs)('ann', field, { limits });

  it('refuses where it fails, says what failed, and harms nobody else; its quota says so too', async () => {
    const fails = (): never => {
      throw new Error('no room');
    };
    const failing: TransitionLimit = { ...spaced(1_000), allows: fails, quota: fails };
    const own = keptLedger(redis, { clock: noon + day });
    const results = await own.apply([grant('a', 0, []), grant('b', 1, [failing]), grant('d', 3, [])]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['granted', 'limited', 'granted']);
    expect(results[1]?.refusal).toEqual({ limit: 'pause', allowedAgainAtMs: null, fault: 'no room' });
    const today = Period.of('day', new Date(noon), 'UTC');
    expect(await own.board('day', today).entry('ann')).toMatchObject({ score: 2 });
    expect(await own.quotaOf('ann', [{ limit: failing }])).toMatchObject([
      { used: null, left: null, fault: 'no room' },
    ]);
  });
});

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

  it('names the limit among several', async () => {
    const two = ['sliding', 'daily'].map((name) => limitsOfOne[name] as TransitionLimit);
    const refused = { ...change('grant', 'p:2', 90_000, two), sequence: 7 };
    expect(await answers(change('grant', 'p:1', 0, two), refused, refused)).toEqual([
      'granted 2 2',
      'limited 0 2 day-grants',
      'limited 0 2 day-grants',
    ]);
    const [again] = await ledger.apply([refused]);
    expect(again?.refusal).toEqual({ limit: 'day-grants', allowedAgainAtMs: Date.parse('2036-11-21T00:00:00Z') });
  });
});
