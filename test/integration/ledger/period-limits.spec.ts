import type { PeriodSpec, Transition, TransitionLimit } from '@laurel/leaderboard';
import type { LedgerCount } from '@laurel/leaderboard/internals';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const day = 86_400_000;
/** A Monday, the 2nd of a month. */
const monday = Date.parse('2037-02-02T12:00:00Z');

describe('limits of a period', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  const limitOf = (period: PeriodSpec, max: number, of: LedgerCount['of'] = 'grants'): TransitionLimit[] => [
    { type: 'daily', name: 'many', max, count: { of, fieldPrefixes: ['p:'] }, period },
  ];
  const start = () => {
    const clock = new ManualClock(monday + 40 * day);
    const ledger = keptLedger(redis, { prefix: freshPrefix(), boards: [keptBoard('day')], clock });
    let n = 0;
    const grant = (
      daysLater: number,
      limits: readonly TransitionLimit[],
      more: Partial<Transition> = {},
    ): Transition => {
      n += 1;
      const occurredAtMs = monday + daysLater * day + n;
      return { kind: 'grant', member: 'ann', field: `p:${n}`, points: 3, occurredAtMs, limits, ...more };
    };
    const send = async (...transitions: Transition[]) =>
      (await ledger.apply(transitions)).map(({ outcome, points }) => `${outcome} ${points}`);
    return { ledger, clock, grant, send };
  };

  it.each<[string, PeriodSpec, number]>([
    ['week', 'week', 7],
    ['month', 'month', 27],
    ['contest', { kind: 'contest', from: '2037-02-02', to: '2037-02-11' }, 10],
  ])(
    'refuse what is more than a %s allows, on whichever of its days, in one call or in many',
    async (_, spec, next) => {
      const { ledger, grant, send } = start();
      const limits = limitOf(spec, 3);
      expect(await send(grant(1, limits), grant(0, limits))).toEqual(['granted 3', 'granted 3']);
      expect(await send(grant(3, limits), grant(2, limits))).toEqual(['granted 3', 'limited 0']);
      const [refused] = await ledger.apply([grant(0, limits)]);
      const end = Date.parse('2037-02-02T00:00:00Z') + next * day;
      expect(refused).toMatchObject({ outcome: 'limited', refusal: { limit: 'many', allowedAgainAtMs: end } });
      expect(await send(grant(next, limits), grant(-2, limits))).toEqual(['granted 3', 'granted 3']);
    },
  );

  it('count what stands: a revoke of any day frees its place', async () => {
    const { grant, send } = start();
    const limits = limitOf('week', 2);
    const first = grant(0, limits);
    expect(await send(first, grant(1, limits), grant(2, limits))).toEqual(['granted 3', 'granted 3', 'limited 0']);
    expect(await send({ ...first, kind: 'revoke', occurredAtMs: monday + 2 * day })).toEqual(['revoked -3']);
    expect(await send(grant(2, limits), grant(3, limits))).toEqual(['granted 3', 'limited 0']);
  });

  it('give what is left of points, and know what an import without limits granted', async () => {
    const { grant, send } = start();
    const limits = limitOf('week', 10, 'points');
    expect(await send(grant(0, []), grant(1, []), grant(2, []))).toEqual(['granted 3', 'granted 3', 'granted 3']);
    expect(await send(grant(3, limits), grant(3, limits))).toEqual(['granted 1', 'limited 0']);
    expect(await send(grant(0, limits, { member: 'bob' }))).toEqual(['granted 3']);
  });

  it('tell what is left of them', async () => {
    const { ledger, grant, send } = start();
    const limits = limitOf('week', 3);
    await send(grant(0, limits), grant(2, limits));
    const quota = async () =>
      ledger.quotaOf('ann', [{ limit: limits[0] as TransitionLimit }], { atMs: monday + 3 * day });
    expect(await quota()).toMatchObject([{ max: 3, used: 2, left: 1, allowedAgainAtMs: null }]);
    await send(grant(3, limits));
    const end = Date.parse('2037-02-09T00:00:00Z');
    expect(await quota()).toMatchObject([{ used: 3, left: 0, allowedAgainAtMs: end }]);
  });
});
