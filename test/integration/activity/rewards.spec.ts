import { defaultRules, Erasures, Exclusions, MostPraised, REDIS_CLIENT, SettlementService } from '@laurel/activity';
import { BadgeWonEvent, LevelReachedEvent, type UserRewards } from '@laurel/activity/rewards';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { Redis } from 'ioredis';
import { freshPrefix, testRedis } from '../../support/redis';
import { type AllOptions, dayMs, keysLike, ManualClock, TinyApp, waitUntil, withKey } from './support';

const clock = new ManualClock('2036-11-20T08:00:00Z');
beforeEach(() => clock.set('2036-11-20T08:00:00Z'));

const rewards: AllOptions['rewards'] = {
  levels: { points: [0, 4, 8] },
  badges: [
    { id: 'two-comments', name: 'Two comments', of: 'given:comment', atLeast: 2 },
    { id: 'praised', name: 'Praised', of: 'received:praise', leaderboard: 'all', atLeast: 1 },
    { id: 'five-points', name: 'Five points', of: 'points', leaderboard: 'all', atLeast: 5 },
    { id: 'collector', name: 'Collector', of: 'points', leaderboard: 'collected', atLeast: 4 },
    { id: 'three-days', name: 'Three days', of: 'streak', atLeast: 3 },
  ],
};
const leaderboards = [
  { name: 'day', period: 'day', tallies: ['received:praise'] },
  { name: 'all', period: 'all', tallies: ['given:comment', 'received:praise'] },
  { name: 'collected', period: 'all', actions: ['collect'] },
] as const;
const optionsOf = (options: Partial<AllOptions> = {}): Partial<AllOptions> => {
  return { clock, leaderboards, rewards, settlement: { everyMs: dayMs }, ...options };
};
const start = (options: Partial<AllOptions> = {}) => TinyApp.start({ options: optionsOf(options) });

/** What an app announces: who has won what. */
function heardBy(app: TinyApp): string[] {
  const heard: string[] = [];
  const emitter = app.nest.get(EventEmitter2);
  emitter.on(BadgeWonEvent.eventName, ({ userId, badge }: BadgeWonEvent) => heard.push(`${userId} ${badge.id}`));
  emitter.on(LevelReachedEvent.eventName, (one: LevelReachedEvent) => heard.push(`${one.userId} ${one.level}`));
  return heard;
}

const pathOf = (userId: string) => `/activity/users/${encodeURIComponent(userId)}/rewards`;
const ask = async (app: TinyApp, userId: string, query = '') => {
  const { status, body } = await app.get<UserRewards>(pathOf(userId) + query);
  expect([userId, status]).toEqual([userId, 200]);
  return body;
};
const badgesOf = async (app: TinyApp, userId: string) => (await ask(app, userId)).badges.map(({ id }) => id);

const activities = (userId: string, action: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ userId, action, subject: `article:${clock.now()}-${i}` }));
const praise = { userId: 'ada', action: 'praise', subject: 'a', ownerId: 'ben' };

describe.each([1, 3])('rewards on %i shards', (shards) => {
  it('are won after an activity is recorded, announced once, and kept with the numbers that earned them', async () => {
    const app = await start({ shards });
    const heard = heardBy(app);
    await app.record(...activities('ada', 'comment', 2), praise);
    await waitUntil(() => heard.length === 5, { what: 'what ada and ben have won' });
    expect([...heard].sort()).toEqual(['ada 2', 'ada 3', 'ada five-points', 'ada two-comments', 'ben praised']);
    const of = { leaderboard: 'all', wonAt: '2036-11-20T08:00:00.000Z' };
    expect(await ask(app, 'ada')).toEqual({
      ...{ userId: 'ada', level: 3, points: 8, nextLevel: null, streak: 1, nextStreak: 3 },
      badges: [
        { id: 'five-points', name: 'Five points', of: 'points', value: 8, atLeast: 5, ...of },
        { id: 'two-comments', name: 'Two comments', of: 'given:comment', value: 2, atLeast: 2, ...of },
      ],
    });
    expect(await ask(app, 'nobody')).toEqual({
      ...{ userId: 'nobody', level: 1, points: 0, nextLevel: 4, streak: 0, nextStreak: 3, badges: [] },
    });
    // Ids that nobody has leave nothing behind.
    expect(await keysLike(testRedis(), `{${app.prefix}:*:rewards:nobody`)).toEqual([]);
    // What was won stays; the level follows the points.
    const [first, second] = activities('ada', 'comment', 2);
    await app.record({ ...first, revoke: true }, { ...second, revoke: true });
    expect(await ask(app, 'ada')).toMatchObject({ level: 1, points: 2, badges: [{ value: 8 }, { value: 2 }] });
    await app.record(...activities('ada', 'view', 7));
    expect(await ask(app, 'ada')).toMatchObject({ level: 3, points: 9 });
    expect(heard).toHaveLength(5);
    // A leaderboard that is renamed takes along the badges whose rules follow it; the others only their winner sees.
    const renamed = leaderboards.map((one) => ({ ...one, name: one.name === 'all' ? 'total' : one.name }));
    const badges = rewards?.badges ?? [];
    const moved = badges.map((one) => (one.leaderboard === 'all' ? { ...one, leaderboard: 'total' } : one));
    const next = { shards, prefix: app.prefix, leaderboards: renamed };
    const follows = await start({ ...next, rewards: { badges: moved } });
    expect(await badgesOf(follows, 'ada')).toEqual(['five-points', 'two-comments']);
    const left = await start({ ...next, rewards: { badges: moved.slice(0, 1) } });
    expect(await badgesOf(left, 'ada')).toEqual(['two-comments']);
    const { body } = await left.get<UserRewards>(pathOf('ada'), withKey);
    expect(body.badges.map(({ id }) => id)).toEqual(['five-points', 'two-comments']);
  });

  it('are judged by reading what no instance has judged, once among several instances', async () => {
    const prefix = freshPrefix();
    const without = await start({ shards, prefix, rewards: undefined });
    await without.record(...activities('ada', 'collect', 2), ...activities('ada', 'comment', 1));
    // Without the module nobody listens.
    expect(without.nest.get(EventEmitter2).listenerCount('activity.recorded')).toBe(0);
    const apps = await Promise.all([start({ shards, prefix }), start({ shards, prefix })]);
    const heard = apps.map(heardBy);
    const answers = await Promise.all(apps.flatMap((app) => [ask(app, 'ada'), ask(app, 'ada')]));
    for (const { badges } of answers) expect(badges).toEqual(answers[0]?.badges);
    expect(answers[0]?.badges.map(({ id }) => id)).toEqual(['collector', 'five-points']);
    await waitUntil(() => heard.flat().length >= 3);
    expect(heard.flat().sort()).toEqual(['ada 2', 'ada collector', 'ada five-points']);
  });

  it('follow users with hostile ids, and are erased and told with all else that is kept', async () => {
    const prefix = freshPrefix();
    const [app, other] = await Promise.all([start({ shards, prefix }), start({ shards, prefix })]);
    const ids = ['}:layout', '{lr}', 'a\nb', '__proto__', '*', '中文 🏅', 'x'.repeat(128)];
    for (const userId of ids) await app.record(...activities(userId, 'comment', 2));
    for (const userId of ids) {
      expect(await badgesOf(app, userId)).toEqual(['five-points', 'two-comments']);
      const { body } = await app.get<{ rewards: object[] }>(pathOf(userId).replace(/rewards$/, 'data'), withKey);
      expect(body.rewards).toHaveLength(3);
    }
    expect(await badgesOf(app, '*{lr}')).toEqual([]);
    const { body: refused } = await app.get<object>(pathOf('x'.repeat(129)));
    expect(refused).toMatchObject({ status: 400, errors: [{ path: 'userId' }] });
    const [first = '', ...others] = ids;
    await app.delete(`/activity/users/${encodeURIComponent(first)}`);
    await waitUntil(async () => (await keysLike(testRedis(), `{${app.prefix}:*:rewards:*`)).length === others.length);
    await app.record(...activities(first, 'comment', 2));
    expect(await badgesOf(app, first)).toEqual([]);
    for (const userId of others) expect(await badgesOf(app, userId)).toHaveLength(2);
    const goalless = await start({ shards, prefix, rewards: {} });
    await goalless.nest.get(Erasures).erase(others.pop() ?? '');
    expect(await keysLike(testRedis(), `{${app.prefix}:*:rewards:*`)).toHaveLength(others.length);
    // Who is let in again wins anew, and nobody has to ask for it; where another instance did it, a while later.
    const [again = ''] = others;
    for (const one of [app, other]) {
      const heard = heardBy(app);
      await one.nest.get(Erasures).erase(again);
      await one.nest.get(Erasures).readmit(again);
      if (one === other) clock.advance(600_000);
      await app.record(...activities(again, 'comment', 2));
      await waitUntil(() => heard.length === 3, { what: 'what the user has won anew' });
    }
  });
});

it('cost a few commands in the background, however many users did something', async () => {
  const app = await start();
  const heard = heardBy(app);
  const ids = Array.from({ length: 40 }, (_, i) => `user-${i}`);
  const judged = async (winner: string) => {
    const users = ids.map((userId) => ({ userId, action: 'view', subject: winner }));
    await app.record(...users, ...activities(winner, 'collect', 2));
    await waitUntil(() => heard.includes(`${winner} collector`));
  };
  await judged('ada');
  const sent = jest.spyOn(app.nest.get<Redis>(REDIS_CLIENT), 'sendCommand');
  await judged('ben');
  // What is won is read of the winner alone, who has not been judged before; of others what is new is stored.
  await app.record(...ids.flatMap((userId) => activities(userId, 'collect', 1)));
  await waitUntil(() => ids.every((userId) => heard.includes(`${userId} 2`)));
  const names = sent.mock.calls.map(([{ name }]) => name);
  expect(names.filter((name) => name === 'hgetall')).toHaveLength(1);
  expect(names.length).toBeLessThan(40 + ids.length);
});

it('are won by what has only a count, and told once each where one of many cannot be stored at first', async () => {
  const rules = [...defaultRules, { action: 'read', points: 0, revocable: false }];
  const boards = [{ name: 'all', period: 'all', tallies: ['given:read'] }] as const;
  const badges = [{ id: 'reader', name: 'Reader', of: 'given:read', atLeast: 1 } as const];
  const app = await start({ rules, leaderboards: boards, rewards: { badges } });
  const heard = heardBy(app);
  const storing = jest.spyOn(app.nest.get<Redis>(REDIS_CLIENT), 'hsetnx');
  storing.mockRejectedValueOnce(new Error('Connection is closed.'));
  await app.record(...['ada', 'ben', 'cid'].flatMap((userId) => activities(userId, 'read', 1)));
  await waitUntil(() => heard.length === 3, { what: 'what all have won' });
  expect([...heard].sort()).toEqual(['ada reader', 'ben reader', 'cid reader']);
});

it('count days in a row, with a badge for the days that it needs', async () => {
  const java = { name: 'java', period: 'day', where: [{ partition: 'category', only: ['java'] }] } as const;
  const app = await start({ leaderboards: [java, ...leaderboards] });
  for (let day = 1; day <= 3; day += 1, clock.advance(dayMs)) {
    await app.record(...activities('ada', 'view', 1));
    expect(await ask(app, 'ada')).toMatchObject({ streak: day, nextStreak: day < 3 ? 3 : null });
  }
  // Up to yesterday, while today has nothing yet.
  expect(await ask(app, 'ada')).toMatchObject({
    streak: 3,
    badges: [{ id: 'three-days', leaderboard: 'day', value: 3 }],
  });
  clock.advance(dayMs);
  expect(await ask(app, 'ada')).toMatchObject({ streak: 0, nextStreak: 3, badges: [{ id: 'three-days' }] });
});

it('tell the titles that were won by period', async () => {
  const app = await TinyApp.start({ options: optionsOf({ titles: { cacheMs: 0 } }), providers: [MostPraised] });
  await app.record(praise, ...activities('ben', 'view', 1));
  clock.advance(2 * dayMs);
  await app.nest.get(SettlementService).settleDue();
  const title = { id: 'most-praised', name: 'Most praised' };
  expect((await ask(app, 'ben', '?titles=true')).titles).toEqual([{ leaderboard: 'day', period: '2036-11-20', title }]);
  expect((await ask(app, 'ada', '?titles=true')).titles).toEqual([]);
  expect((await ask(app, 'ben')).titles).toBeUndefined();
  // Who is removed from final standings has not won there.
  const review = { userId: 'ben', reason: 'bought', from: '2036-11-20T00:00:00Z' };
  const { body } = await app.post<{ id: string }>('/activity/reviews', review, withKey);
  await app.post(`/activity/reviews/${body.id}/void`, {}, withKey);
  expect((await ask(app, 'ben', '?titles=true')).titles).toEqual([]);
});

it('are shown to others as points are, and nothing of excluded users', async () => {
  const app = await start({ settlement: { everyMs: dayMs, visibility: { points: 'signed-in' } } });
  await app.record(...activities('ada', 'comment', 2));
  const as = async (user: Record<string, string>) => {
    const { status, body } = await app.get<UserRewards>(pathOf('ada'), user);
    return status === 200 ? [body.points, body.badges.length] : status;
  };
  const users = [{}, { 'x-user': 'ben' }, { 'x-user': 'ada' }, withKey];
  expect(await Promise.all(users.map(as))).toEqual([401, [6, 2], [6, 2], [6, 2]]);
  await app.nest.get(Exclusions).optOut('ada');
  await app.record(...activities('ada', 'collect', 2));
  // Excluded users go on earning, unseen.
  expect(await Promise.all(users.map(as))).toEqual([401, [0, 0], [10, 3], [10, 3]]);
});

const one = (rule: object) => ({ badges: [{ id: 'b', name: 'B', of: 'points', atLeast: 1, ...rule }] });
it.each<[object, string]>([
  [one({ leaderboard: 'day' }), 'badges[0].leaderboard is "day": use one of "all", "collected"'],
  [one({ of: 'given:dance' }), 'badges[0].of is "given:dance": use "points", "streak" or'],
  [one({ of: 'given:view' }), 'add { name: "all", period: "all", tallies: ["given:view"] }'],
  [one({ of: 'streak', atLeast: 32 }), 'badges[0].atLeast is 32: use at most 31'],
  [one({ id: 'A b' }), 'badges[0].id is "A b": use 1 to 64 of a-z, 0-9 and -'],
  [{ badges: [...one({}).badges, ...one({}).badges] }, 'give each badge its own id'],
  [{ levels: { points: [5, 5] } }, 'levels.points[1] is 5: use more points for each level'],
  [{ badge: [] }, 'RewardsModule.badge is unknown: there are levels, badges'],
])('refuse %j by its name, and say what is allowed', async (given, message) => {
  const refused = { code: 'invalidOption', message: expect.stringContaining(message) as string };
  await expect(start({ rewards: given })).rejects.toMatchObject(refused);
});
