import type { LedgerPage } from '@laurel/activity/internals';
import { ManualClock, type ProblemBody, TinyApp, withKey } from './support';

const rules = [
  {
    action: 'view',
    points: 1,
    revocable: false,
    ownSubject: 'ignore',
    grants: [{ to: 'owner', points: 1, leaderboards: ['authors', 'tokyo'] }],
  },
  { action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 3, leaderboards: ['authors'] }] },
  { action: 'follow', points: 1, revocable: true, grants: [{ to: 'owner', points: 5 }] },
] as const;

const leaderboards = [
  { name: 'day', period: 'day' },
  { name: 'authors', period: 'month', actions: [] },
  { name: 'tokyo', period: 'day', timezone: 'Asia/Tokyo', actions: [] },
] as const;

const of = (userId: string, action: string, subject: string, ownerId: string) => ({
  ...{ userId, action, subject, ownerId },
  occurredAt: '2036-11-20T08:00:00.000Z',
});

describe.each([1, 3])('a leaderboard of authors, on %d shards', (shards) => {
  const begin = () => {
    const clock = new ManualClock('2036-11-20T08:00:00.000Z');
    return TinyApp.start({ options: { clock, shards, rules, leaderboards } });
  };
  const ranked = async (app: TinyApp) =>
    Promise.all(
      ['day', 'authors', 'tokyo'].map(async (name) => (await app.page(`/ranks/${name}`)).map(([, ...line]) => line)),
    );

  it('has what readers give, on the leaderboards that the rule names alone', async () => {
    const app = await begin();
    const view = of('ann', 'view', 'article:1', 'bob');
    const praise = of('cid', 'praise', 'article:1', 'bob');
    const { body } = await app.record(
      view,
      praise,
      of('bob', 'view', 'article:1', 'bob'),
      of('dan', 'follow', 'user:eve', 'eve'),
    );
    expect(body.results).toMatchObject([
      {
        outcome: 'granted',
        points: 1,
        scores: { day: 1 },
        owner: { userId: 'bob', points: 1, scores: { authors: 1, tokyo: 1 } },
      },
      {
        outcome: 'granted',
        points: 2,
        scores: { day: 2 },
        owner: { userId: 'bob', points: 3, scores: { authors: 4 } },
      },
      { outcome: 'ignored', points: 0 },
      { outcome: 'granted', points: 1, scores: { day: 1 }, owner: { userId: 'eve', points: 5, scores: { day: 5 } } },
    ]);
    const day = [
      ['eve', 5],
      ['cid', 2],
      ['dan', 1],
      ['ann', 1],
    ];
    expect(await ranked(app)).toEqual([day, [['bob', 4]], [['bob', 1]]]);
    const { lines } = (await app.get<LedgerPage>('/activity/users/bob/ledger', withKey)).body;
    const boards = Object.fromEntries(lines.map((line) => [line.action, Object.keys(line.boards)]));
    expect(boards).toEqual({ view: ['authors', 'tokyo'], praise: ['authors'] });
    // Known already: nobody has anything twice.
    await app.record(view, praise);
    expect(await ranked(app)).toEqual([day, [['bob', 4]], [['bob', 1]]]);
    await app.record({ ...praise, revoke: true, occurredAt: '2036-11-20T08:00:01.000Z' });
    expect((await ranked(app)).slice(1)).toEqual([[['bob', 1]], [['bob', 1]]]);
    expect(await app.differences()).toEqual([]);
  });

  it('takes rules while the app runs, and refuses those that name another leaderboard', async () => {
    const app = await begin();
    const grants = (name: string) => ({
      rules: [{ ...rules[0], grants: [{ ...rules[0].grants[0], leaderboards: [name] }] }],
    });
    const refused = await app.post<ProblemBody>('/activity/rules', grants('nowhere'), withKey);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'rules.0.grants.0.leaderboards' }] } });
    expect(await app.post('/activity/rules', grants('day'), withKey)).toMatchObject({ status: 200 });
    await app.record(of('ann', 'view', 'article:1', 'bob'));
    expect(await ranked(app)).toEqual([
      [
        ['bob', 1],
        ['ann', 1],
      ],
      [],
      [],
    ]);
  });
});

it('an app whose rules give points on a leaderboard that it does not have is refused', async () => {
  const start = TinyApp.start({ options: { rules, leaderboards: [leaderboards[0]] } });
  await expect(start).rejects.toThrow('rules[0].grants[0].leaderboards is "authors": use day.');
});
