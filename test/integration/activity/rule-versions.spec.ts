import { type ActivityHistory, ActivityService, LedgerService, RankService, type Rule } from '@laurel/activity';
import { BoardAudits } from '@laurel/activity/tools';
import type { AllOptions } from '../../support/activity-imports';
import { ManualClock } from '../../support/clock';
import { freshPrefix } from '../../support/redis';
import { stopTinyApps, TinyApp, withKey } from './support/tiny-app';

afterEach(stopTinyApps);

const rulesWith = (points: number): readonly Rule[] => [
  { action: 'praise', points, revocable: true },
  { action: 'view', points: 1, revocable: false },
];

describe('a change of the rules', () => {
  const clock = new ManualClock('2036-11-20T08:00:00Z');
  let prefix: string;
  beforeEach(() => {
    prefix = freshPrefix();
    clock.set('2036-11-20T08:00:00Z');
  });
  const startWith = (rules: readonly Rule[]) => TinyApp.start({ options: { prefix, clock, rules, shards: 4 } });
  const praise = (subject: string, more: object = {}) => {
    clock.advance(1_000);
    return { userId: 'ada', action: 'praise', subject, ...more };
  };
  const days = async (app: TinyApp, query = '') =>
    (await app.get<ActivityHistory>(`/activity/users/ada${query}`, withKey)).body.days;

  it('makes the next version; the same rules keep theirs, in whatever order they are listed', async () => {
    const versions = async (app: TinyApp) =>
      (await app.nest.get(LedgerService).ruleVersions()).map(({ version, since, rules }) => [
        version,
        since.toISOString(),
        rules.map(({ action, points }) => `${action} ${points}`),
      ]);
    const first = [1, '2036-11-20T08:00:00.000Z', ['praise 2', 'view 1']];
    expect(await versions(await startWith(rulesWith(2)))).toEqual([first]);
    clock.set('2036-11-21T09:00:00Z');
    expect(await versions(await startWith([...rulesWith(2)].reverse()))).toEqual([first]);
    const second = [2, '2036-11-21T09:00:00.000Z', ['praise 5', 'view 1']];
    expect(await versions(await startWith(rulesWith(5)))).toEqual([first, second]);
    expect(await versions(await startWith(rulesWith(2)))).toEqual([first, second]);
  });

  it('never rewrites the past: what stands keeps its points, what is taken back is what was given', async () => {
    const before = await startWith(rulesWith(2));
    await before.record(praise('1'), praise('2'), praise('3'));
    const after = await startWith(rulesWith(5));
    const { body } = await after.record(
      praise('1'),
      praise('2', { revoke: true }),
      praise('3', { revoke: true }),
      praise('3'),
      praise('4'),
    );
    expect(body.results.map(({ outcome, points }) => [outcome, points])).toEqual([
      ['duplicate', 0],
      ['revoked', -2],
      ['revoked', -2],
      ['granted', 5],
      ['granted', 5],
    ]);
    const day = { date: '2036-11-20', points: 12, actions: { praise: 3 } };
    expect(await days(after)).toEqual([day]);
    expect(await days(after, '?versions=false')).toEqual([day]);
    expect(await days(after, '?versions=true')).toEqual([{ ...day, versions: { 1: 2, 2: 10 } }]);
    expect(await after.get('/activity/users/ada?versions=yes', withKey)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'versions' }] },
    });
  });

  it('retires an action at 0 points: it earns nothing more, is still counted, and its cancels are honoured', async () => {
    const rules = (points: number): readonly Rule[] => [
      { action: 'praise', points, revocable: true, grants: [{ to: 'owner', points: points && 1 }] },
    ];
    const options = { prefix, clock, shards: 4, cacheMs: 0 };
    const limits: AllOptions['limits'] = [
      { type: 'daily', action: 'praise', max: 3 },
      { type: 'daily', points: 6, name: 'all' },
    ];
    const leaderboards: AllOptions['leaderboards'] = [{ name: 'day', period: 'day', tallies: ['given:praise'] }];
    const start = (points: number) =>
      TinyApp.start({ options: { ...options, rules: rules(points), limits, leaderboards, settlement: false } });
    const before = await start(2);
    const of = (subject: string, more: object = {}) => praise(subject, { ownerId: 'bob', ...more });
    await before.record(of('1'), of('2'), of('3'));
    const after = await start(0);
    const { body } = await after.record(
      of('1', { revoke: true }),
      of('4'),
      of('4'),
      of('5', { userId: 'eve' }),
      of('4', { revoke: true }),
    );
    expect(body.results.map(({ outcome, points }) => [outcome, points])).toEqual([
      ['revoked', -2],
      ['granted', 0],
      ['duplicate', 0],
      ['granted', 0],
      ['revoked', 0],
    ]);
    const { entries } = await after.nest.get(RankService).standings('day');
    expect(entries.map(({ userId, score }) => [userId, score])).toEqual([
      ['ada', 4],
      ['bob', 2],
    ]);
    expect(await after.nest.get(BoardAudits).verify()).toMatchObject({ differences: 0 });
  });

  it('is remembered from the first activity on', async () => {
    await startWith(rulesWith(2));
    const app = await startWith(rulesWith(7));
    await app.nest.get(ActivityService).record(praise('1'));
    expect(await days(app, '?versions=true')).toMatchObject([{ points: 7, versions: { 2: 7 } }]);
  });
});
