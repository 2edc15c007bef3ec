import type { Rule } from '@laurel/activity';
import type { AllOptions } from '../../support/activity-imports';
import { ManualClock } from '../../support/clock';
import { announceSeed, drawer, shuffled } from '../../support/seed';
import { stopTinyApps, TinyApp, withKey } from './support/tiny-app';

/** Ahead, so that nothing expires. */
const noon = Date.parse('2037-11-20T12:00:00Z');

const rules: readonly Rule[] = [
  { action: 'read', points: 0.1, revocable: true, grants: [{ to: 'owner', points: 0.05 }] },
  { action: 'answer', points: 0.2, revocable: true },
  { action: 'downvote', points: -0.75, revocable: true },
];

const leaderboards = [
  { name: 'day', period: 'day', floor: null },
  { name: 'own', period: 'day', points: { answer: 1.25 } },
  { name: 'week', rolling: { days: 7, refreshMs: 100 }, floor: null },
] as const;

const start = (options: Partial<AllOptions>) =>
  TinyApp.start({ options: { clock: new ManualClock(noon), rules, leaderboards, decimals: 2, ...options } });

afterEach(stopTinyApps);

describe('points with two decimals, at random', () => {
  beforeAll(announceSeed);

  it('are the hundredth of an app whose whole points are a hundred times as many, in every answer', async () => {
    const draw = drawer();
    const times = (factor: number) => (points: number) => Math.round(points * factor);
    const hundred = times(100);
    const whole = rules.map(({ points, grants, ...rule }) => ({
      ...{ ...rule, points: hundred(points) },
      ...(grants && { grants: grants.map((grant) => ({ ...grant, points: hundred(grant.points) })) }),
    }));
    const caps = [{ type: 'daily', points: 0.95, name: 'cap' }] as const;
    const parts = await start({ limits: caps });
    const wholes = await start({
      ...{ decimals: 0, rules: whole, limits: [{ ...caps[0], points: 95 }] },
      leaderboards: leaderboards.map((one) => ('points' in one ? { ...one, points: { answer: 125 } } : one)),
    });
    const users = ['ann', 'bob', 'cid', 'dan'];
    const acts = Array.from({ length: 60 }, (_, i) => ({
      userId: users[draw(4)] as string,
      action: (['read', 'answer', 'downvote'] as const)[draw(3)] as string,
      subject: `post:${draw(4)}`,
      ownerId: users[draw(4)] as string,
      occurredAt: new Date(noon - 60_000 + draw(60) * 1_000),
      sequence: i,
      revoke: draw(4) === 0,
    }));
    const adjustments = Array.from({ length: 8 }, (_, i) => ({
      userId: users[draw(4)] as string,
      units: draw(300) - 150 || 1,
      id: `a${i}`,
    }));
    const all = [...acts, ...acts.slice(0, 15), ...adjustments];
    for (const one of shuffled(all)) {
      if ('units' in one) {
        const { userId, units, id } = one;
        const adjust = async (app: TinyApp, points: number) =>
          (await app.post<object>('/activity/adjustments', { userId, points, reason: 'r', id }, withKey)).body;
        const [inParts, inWhole] = [await adjust(parts, units / 100), await adjust(wholes, units)];
        expect(hundredfold(inParts)).toEqual(inWhole);
      } else {
        const { revoke, ...activity } = one;
        const act = ({ service }: typeof parts) => (revoke ? service.revoke(activity) : service.record(activity));
        expect(hundredfold(await act(parts))).toEqual(await act(wholes));
      }
    }
    const answers = [
      ...['/ranks/day?limit=9', '/ranks/own?ranking=dense', '/ranks/day?ranking=competition&minScore=-5&maxScore=5'],
      ...users.flatMap((user) => [
        ...[`/ranks/day/users/${user}`, `/activity/users/${user}?versions=true`, `/activity/users/${user}/ledger`],
        ...[`/activity/users/${user}/quota`, `/ranks/day/users/${user}/around`],
      ]),
    ];
    for (const path of answers) {
      const [inParts, inWhole] = [
        await parts.get<object>(path, withKey),
        await wholes.get<object>(path.replace('=5', '=500').replace('=-5', '=-500'), withKey),
      ];
      expect([path, hundredfold(inParts.body)]).toEqual([path, inWhole.body]);
    }
    expect(await parts.differences()).toEqual([]);
    expect(await wholes.differences()).toEqual([]);
  });
});

const ofPoints = new Set(['points', 'score', 'gap', 'asked']);
const ofManyPoints = new Set(['scores', 'changes', 'versions']);
const ofQuota = new Set(['max', 'used', 'left']);

/** An answer with all that is points a hundred times as much; every number must be a whole one then, to the bit. */
function hundredfold(given: unknown, isPoints = false): unknown {
  if (typeof given === 'number') return isPoints ? exactly(given) : given;
  if (Array.isArray(given)) return given.map((one) => hundredfold(one, isPoints));
  if (typeof given !== 'object' || given === null || given instanceof Date) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, one]) => [
      name,
      hundredfold(one, isPoints || ofPoints.has(name) || ofManyPoints.has(name) || ofQuota.has(name)),
    ]),
  );
}

/** By its digits: what prints as 0.30000000000000004 is refused. */
function exactly(points: number): number {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(points)) ?? [];
  if (whole === '') throw new Error(`${points} has more than two decimals.`);
  return Number(`${sign}${whole}${part.padEnd(2, '0')}`) + 0;
}
