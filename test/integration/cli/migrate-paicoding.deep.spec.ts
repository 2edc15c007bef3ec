import { ActivityService, defaultRules, Exclusions } from '@laurel/activity';
import { systemClock } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { Paicoding } from '../../support/paicoding';
import { commands } from '../../support/run-cli';
import { drawer } from '../../support/seed';
import { allBoard, dayBoard, dayMs, monthBoard, testRedis, TinyApp } from '../activity/support';

describe('laurel migrate paicoding', () => {
  const cli = commands();
  const { run, expectVerified } = cli;
  let redis: Redis;
  let old: Paicoding;
  let app: TinyApp;

  beforeEach(async () => {
    redis = testRedis();
    old = new Paicoding(redis, `${cli.prefix}-pai_activity_rank_`);
    app = await TinyApp.start({
      options: {
        ...{ prefix: cli.prefix, cacheMs: 0 },
        // As paicoding counts: whatever is done again on another day.
        rules: defaultRules.map(({ once: _, ...rule }) => rule),
        leaderboards: [dayBoard, monthBoard, allBoard],
      },
    });
  });

  const migrate = (...args: readonly string[]) =>
    cli.json<{ activities: object; unchanged: number; leftOut: number; boards: object; left: string[] }>([
      ...['migrate', 'paicoding', '--key-prefix', old.base, ...args],
    ]);
  const standings = async (...asked: Parameters<typeof cli.standings>) =>
    Object.fromEntries(await cli.standings(...asked));
  const today = () => new Date(systemClock.now()).toISOString().slice(0, 10).replaceAll('-', '');
  /** What paicoding's board shows of those who have points. */
  const board = async (period: string): Promise<Record<string, number>> => {
    const flat = await redis.zrange(old.base + period, '(0', '+inf', 'BYSCORE', 'WITHSCORES');
    return Object.fromEntries(flat.flatMap((id, i) => (i % 2 === 0 ? [[id, Number(flat[i + 1])]] : [])));
  };
  const activities = () => app.nest.get(ActivityService);

  it('takes over every field as its activity, and what the boards have', async () => {
    await old.addActivityScore(1, { path: '/article/detail/7' });
    await old.addActivityScore(1, { articleId: 7, praise: true });
    await old.addActivityScore(1, { articleId: 7, collect: true });
    await old.addActivityScore(1, { articleId: 7, rate: true });
    await old.addActivityScore(1, { articleId: 8, publishArticle: true });
    await old.addActivityScore(22, { followedUserId: 1, follow: true });
    const first = await migrate();
    expect(first).toMatchObject({ activities: { outcomes: { granted: 6 } }, leftOut: 0, boards: { takenOver: 0 } });
    const { days } = await activities().history('1');
    expect(days[0]).toMatchObject({ points: 18, actions: { view: 1, praise: 1, collect: 1, comment: 1, publish: 1 } });
    expect(await standings('day')).toEqual(await board(today()));
    expect(await standings('month')).toEqual({ 1: 18, 22: 2 });

    // The same praise, known to both, counts once.
    await activities().record({ userId: '1', action: 'praise', subject: 'article:7' });
    expect(await migrate('--switched-at', new Date(systemClock.now() - 1).toISOString())).toMatchObject({
      ...{ activities: { activities: 0 }, unchanged: 6, boards: { takenOver: 0 } },
    });
    expect(await standings('month')).toEqual({ 1: 18, 22: 2 });
    await expectVerified();
  });

  it('leaves what the app has recorded since the switch, and follows its cancels', async () => {
    await old.addActivityScore(1, { articleId: 7, praise: true });
    await migrate();
    await old.addActivityScore(1, { articleId: 8, praise: true });
    await old.addActivityScore(1, { articleId: 9, praise: true });
    await old.addActivityScore(1, { articleId: 7, praise: false });
    const switchedAt = new Date(systemClock.now() - 1);
    await activities().record({ userId: '1', action: 'praise', subject: 'article:10' });
    await activities().record({ userId: '3', action: 'collect', subject: 'article:10' });
    await activities().revoke({ userId: '1', action: 'praise', subject: 'article:8' });
    for (let n = 0; n < 2; n += 1) await migrate('--switched-at', switchedAt.toISOString());
    // 7 was cancelled there, 8 here; 9 came over, 10 was recorded here.
    expect(await standings('month')).toEqual({ 1: 4, 3: 2 });
    await expectVerified();
  });

  it('gives what a board has beyond the hashes, once, and keeps an excluded user excluded', async () => {
    const now = systemClock.now();
    await old.addActivityScore(1, { articleId: 7, praise: true });
    await old.addActivityScore(2, { articleId: 7, praise: true });
    const month = today().slice(0, 6);
    // As a process that died between two commands leaves it; and what is older than the hashes.
    await redis.zincrby(old.base + month, 40, '1');
    await redis.zincrby(old.base + month, 5, '9');
    await app.nest.get(Exclusions).exclude('2');
    expect(await migrate()).toMatchObject({ boards: { takenOver: 2, points: 45 } });
    expect(await standings('month')).toEqual({ 1: 42, 9: 5 });
    expect(await standings('day')).toEqual({ 1: 2 });
    await redis.zincrby(old.base + month, -5, '9');
    await old.addActivityScore(1, { articleId: 8, praise: true });
    await migrate();
    await migrate();
    expect(await standings('month')).toEqual({ 1: 44 });
    await app.nest.get(Exclusions).include('2');
    expect(await standings('month')).toEqual({ 1: 44, 2: 2 });
    expect(now).toBeLessThan(systemClock.now());
    await expectVerified();
  });

  it('takes months before the hashes from their boards, where the app still takes them', async () => {
    const before = new Date(systemClock.now() - 70 * dayMs).toISOString().slice(0, 7);
    await redis.zadd(old.base + before.replace('-', ''), 12, '1', 7, '2');
    await old.addActivityScore(1, { articleId: 7, praise: true });
    expect(await migrate()).toMatchObject({ boards: { takenOver: 0, refused: { closed: 2 } } });
    const env = { LAUREL_LATENESS_S: '1000000000', LAUREL_RETENTION: 'none' };
    const args = ['migrate', 'paicoding', '--key-prefix', old.base];
    for (let n = 0; n < 2; n += 1) expect(await run(args, { env })).toMatchObject({ exitCode: 0 });
    expect(await standings('month', '--period', before)).toEqual({ 1: 12, 2: 7 });
  });

  it('leaves a month as it is once hashes of its first days are gone', async () => {
    const key = `{${cli.prefix}}:taken-over`;
    const previous = new Date(systemClock.now() - 35 * dayMs).toISOString().slice(0, 10);
    await redis.hset(key, 'paicoding', previous);
    await redis.zadd(old.base + previous.slice(0, 7).replace('-', ''), 12, '1');
    await old.addActivityScore(1, { articleId: 7, praise: true });
    expect((await migrate()).left).toContain(previous.slice(0, 7));
  });

  it('compares in a dry run, and changes nothing', async () => {
    await old.addActivityScore(1, { articleId: 7, praise: true });
    await redis.zincrby(`${old.base}${today().slice(0, 6)}`, 40, '1');
    await redis.hset(`${old.base}1${today()}`, 'unknown_field', '3');
    const names = async () => (await redis.keys(`{${cli.prefix}*`)).sort();
    await activities().record({ userId: 'x', action: 'view', subject: '/' });
    const before = await names();
    expect(await migrate('--dry-run')).toMatchObject({ activities: { grants: 1, revokes: 0 }, leftOut: 1 });
    expect(await names()).toEqual(before);
    expect(await standings('month')).toEqual({ x: 1 });
  });

  it('says that nothing is there', async () => {
    expect(await run(['migrate', 'paicoding', '--key-prefix', old.base])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('No keys of paicoding begin with'),
    });
  });

  it('equals its boards after any writes, with runs in between', async () => {
    const draw = drawer();
    for (let round = 0; round < 5; round += 1) {
      for (let n = 0; n < 40; n += 1) {
        const [user, articleId, is] = [draw(5) + 1, draw(4) + 1, draw(3) > 0];
        const kinds = [
          { articleId, praise: is },
          { articleId, collect: is },
          { articleId, rate: is },
        ];
        const more = [
          { followedUserId: articleId + 10, follow: is },
          { path: `/${articleId}` },
          { articleId, publishArticle: true },
        ];
        const when = new Date(
          systemClock.now() - (draw(4) === 0 && new Date(systemClock.now()).getUTCDate() > 1 ? dayMs : 0),
        );
        await old.addActivityScore(user, [...kinds, ...more][draw(6)] as object, when);
      }
      await migrate();
      expect(await standings('month')).toEqual(await board(today().slice(0, 6)));
      expect(await standings('day')).toEqual(await board(today()));
    }
    await expectVerified();
  });
});
