import { ActivityService, type ActivityHistory, type Rule } from '../../../libs/activity/src';
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
      (await app.nest.get(ActivityService).ruleVersions()).map(({ version, since, rules }) => [
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

  it('is remembered from the first activity on', async () => {
    await startWith(rulesWith(2));
    const app = await startWith(rulesWith(7));
    await app.nest.get(ActivityService).record(praise('1'));
    expect(await days(app, '?versions=true')).toMatchObject([{ points: 7, versions: { 2: 7 } }]);
  });
});
