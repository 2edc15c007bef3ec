import fc from 'fast-check';
import type { ActivityChange, Rule } from '@laurel/activity';
import { parseRules } from '@laurel/activity/internals';
import { BoardAudits, RuleSimulation } from '@laurel/reports';
import { sampled } from '../../support/sampled';
import { seed } from '../../support/seed';
import { inForce, put } from './support/rules-apps';
import { dayBoard, dayMs, hourMs, ManualClock, monthBoard, stopTinyApps, testRedis, TinyApp, withKey } from './support';

/** A Monday at midnight. */
const beginMs = Date.parse('2036-11-17T00:00:00Z');
const at = (day: number, hour = 0, ms = 0) => new Date(beginMs + day * dayMs + hour * hourMs + ms).toISOString();
const leaderboards = [dayBoard, monthBoard, { name: 'dear', period: 'month', points: { praise: 10 } }] as const;
const owners: Readonly<Record<string, string>> = { a: 'ann', b: 'bob', c: 'cid' };

/** What actions give, and give owners, from each moment on: spans that meet, without a begin, without an end. */
const worths: Readonly<Record<string, readonly (readonly [from: string, points: number, ownerPoints: number])[]>> = {
  praise: [
    ['', 2, 1],
    [at(1, 10), 4, 2],
    [at(2, 12), 0, 0],
    [at(3), 2, 1],
    [at(4), 7, 1],
  ],
  view: [
    ['', 3, 0],
    [at(1, 6), 1, 0],
  ],
};
const rules: readonly Rule[] = [
  {
    ...{ action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 1 }] },
    during: [
      { from: at(4), points: 7 },
      { from: '2036-11-18T19:00:00+09:00', until: at(2, 12), points: 4, ownerPoints: 2 },
      { from: at(2, 12), until: at(3), points: 0, ownerPoints: 0 },
    ],
  },
  { action: 'view', points: 1, revocable: true, during: [{ until: at(1, 6), points: 3 }] },
];

const drawn = fc.record({
  userId: fc.constantFrom('ann', 'bob', 'dan'),
  action: fc.constantFrom('praise', 'praise', 'view'),
  subject: fc.constantFrom('a', 'b', 'c'),
  occurredAt: fc
    .tuple(fc.nat(5), fc.constantFrom(0, 6, 10, 12, 15), fc.constantFrom(-1, 0, 1, 77))
    .map((when) => new Date(at(...when))),
  revoke: fc.constantFrom(false, false, false, true),
});
type Drawn = ActivityChange & { readonly occurredAt: Date };

/** What users have on a board by the rules of each moment; of one day, or of all. */
function pointsOf(set: readonly Drawn[], worthOf: typeof worths, only?: string): Record<string, number> {
  const sums: Record<string, number> = {};
  const dayOf = ({ occurredAt }: Drawn) => occurredAt.toISOString().slice(0, 10);
  const add = (userId: string, points: number) => (sums[userId] = (sums[userId] ?? 0) + points);
  const fieldOf = ({ userId, action, subject }: Drawn) => `${userId} ${action} ${subject}`;
  for (const field of new Set(set.map((one) => `${dayOf(one)} ${fieldOf(one)}`))) {
    const [day = '', userId = '', action = '', subject = ''] = field.split(' ');
    const own = set.filter((one) => fieldOf(one) === `${userId} ${action} ${subject}` && dayOf(one) >= day);
    const msOf = (revoke: boolean, days = own.filter((one) => dayOf(one) === day)) =>
      days.filter((one) => one.revoke === revoke).map(({ occurredAt }) => occurredAt.getTime());
    const [grants, revokes] = [msOf(false), Math.max(-Infinity, ...msOf(true))];
    const isEndedLater = own.some((one) => one.revoke && dayOf(one) > day);
    const [first, last] = [Math.min(...grants), Math.max(...grants)];
    const since = revokes < first ? first : last > revokes ? last : Infinity;
    if (isEndedLater || since === Infinity || (only !== undefined && day !== only)) continue;
    const [, points, ownerPoints] = worthOf[action]?.findLast(([from]) => from <= new Date(since).toISOString()) ?? [];
    add(userId, points ?? 0);
    if (owners[subject] !== userId) add(owners[subject] ?? '', ownerPoints ?? 0);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, points]) => points > 0));
}

describe('rules with a time', () => {
  const start = (shards: number) =>
    TinyApp.start({ options: { shards, rules, leaderboards, clock: new ManualClock(at(6)), latenessMs: 30 * dayMs } });
  const shown = async (app: TinyApp, path: string) =>
    Object.fromEntries((await app.page(`/ranks/${path}`)).map(([, userId, score]) => [userId, score]));

  it('judge by the moment of the activity, in any order, on 1 and 8 shards; verify, rebuild and simulate agree', async () => {
    const runs = fc
      .array(drawn, { minLength: 30, maxLength: 60 })
      .chain((set) => fc.tuple(fc.constant(set), fc.shuffledSubarray([...set, ...set], { minLength: 2 * set.length })));
    await fc.assert(
      fc.asyncProperty(runs, async (orders) => {
        for (const [i, order] of orders.entries()) {
          const app = await start(i === 0 ? 1 : 8);
          const set = order.map((one) => ({ ...one, ownerId: owners[one.subject] ?? null }));
          for (let from = 0; from < set.length; from += 7) await app.service.apply(set.slice(from, from + 7));
          const month = pointsOf(set, worths);
          const isRight = async () => {
            expect(await shown(app, 'month')).toEqual(month);
            for (const day of [0, 1, 2, 3, 4].map((number) => at(number).slice(0, 10))) {
              expect(await shown(app, `day?period=${day}`)).toEqual(pointsOf(set, worths, day));
            }
            // A leaderboard's points of its own stay; what owners are given there has its time.
            const own = (worths.praise ?? []).map(([from, , given]) => [from, 10, given] as const);
            expect(await shown(app, 'dear')).toEqual(pointsOf(set, { ...worths, praise: own }));
          };
          await isRight();
          expect(await app.differences()).toEqual([]);
          const simulated = async (leaderboard: string, given: readonly Rule[]) => {
            const { rules: read } = parseRules(JSON.stringify(given));
            const asked = { leaderboard, period: '2036-11', rules: read, top: 9 };
            const { top } = await app.nest.get(RuleSimulation).run(asked);
            return Object.fromEntries(top.map(({ userId, points }) => [userId, points]));
          };
          expect(await simulated('month', rules)).toEqual(month);
          const usual = rules.map((rule) => ({ ...rule, during: [{ from: at(2), points: 5, ownerPoints: 6 }] }));
          const others = { praise: [['', 2, 1] as const, [at(2), 5, 6] as const], view: worths.view ?? [] };
          expect(await simulated('month', [usual[0] as Rule, rules[1] as Rule])).toEqual(pointsOf(set, others));
          const redis = testRedis();
          await redis.del(await redis.keys(`{${app.prefix}:*}:board:*`));
          await app.nest.get(BoardAudits).rebuild();
          await isRight();
          await stopTinyApps();
        }
      }),
      { numRuns: sampled({ sample: 2, full: 200 }), seed, endOnFailure: true },
    );
  });

  it('are put in force while the app runs, and judge what is delivered late as its moment wants it', async () => {
    const app = await start(1);
    const doubled = { ...rules[1], during: [{ from: '2036-11-22T08:00:00.5+08:00', until: at(7), points: 2 }] };
    const { status, body } = await put(app, { rules: [rules[0], doubled] });
    const [during] = [[{ from: '2036-11-22T00:00:00.500Z', until: '2036-11-24T00:00:00.000Z', points: 2 }]];
    expect(status).toBe(200);
    expect(body).toMatchObject({ version: 2, changes: [{ name: 'view', after: { during } }] });
    expect((await inForce(app)).rules).toMatchObject([{}, { during }]);
    const view = (subject: string, occurredAt: string) => ({ userId: 'ann', action: 'view', subject, occurredAt });
    const late = await app.record(view('1', at(5, 0, 499)), view('2', at(5, 0, 500)), view('3', at(0)));
    expect(late.body.results.map(({ points }) => points)).toEqual([1, 2, 1]);
    const days = await app.get<{ days: object[] }>(
      '/activity/users/ann?from=2036-11-20&to=2036-11-22&versions=true',
      withKey,
    );
    expect(days.body.days).toMatchObject([{ date: '2036-11-22', versions: { 2: 3 } }]);
  });
});
