import { Leaderboard, systemClock } from '@laurel/leaderboard';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Leaderboard as RedisRank, PeriodicLeaderboard } from 'redis-rank';
import { ownRedis } from '../../support/own-servers';
import { testRedis } from '../../support/redis';
import { commands } from '../../support/run-cli';
import { drawer } from '../../support/seed';
import { temporaryFolder } from '../../support/temporary-folder';

describe('laurel migrate, of scores', () => {
  const elsewhere = ownRedis();
  const folder = temporaryFolder();
  const cli = commands();
  let key: string;
  beforeEach(() => void (key = `${cli.prefix}-old`));

  const { run, expectVerified } = cli;
  const migrate = (...args: readonly string[]) => run(['migrate', ...args]);
  const counted = (...args: readonly string[]) => cli.json(['migrate', ...args]);
  /** What a leaderboard shows, in rank order. */
  const standings = async (...asked: Parameters<typeof cli.standings>) =>
    (await cli.standings(...asked)).map((line) => line.join(' '));
  const record = (userId: string, subject: string) =>
    run(['import', '-'], {
      stdin: JSON.stringify({ userId, action: 'praise', subject, occurredAt: new Date(systemClock.now()) }),
    });

  it('takes over a sorted set in its order, and again only what changed', async () => {
    const redis = testRedis();
    await redis.zadd(key, 30, 'ann', 20, 'bob', 20, 'cyd', 7, 'dan', 0, 'eve');
    expect(await counted('zset', key, '--leaderboard', 'month')).toMatchObject({
      ...{ entries: 5, takenOver: 4, unchanged: 1, points: 77, gone: 0 },
    });
    const before = await redis.zrange(key, '+inf', '(0', 'BYSCORE', 'REV');
    expect((await standings('month')).map((line) => line.split(' ')[0])).toEqual(before);
    expect(await counted('zset', key, '--leaderboard', 'month')).toMatchObject({
      takenOver: 0,
      unchanged: 5,
      points: 0,
    });

    await redis.zincrby(key, 5, 'bob');
    await redis.zincrby(key, -3, 'ann');
    await redis.zincrby(key, 1, 'eve');
    await redis.zrem(key, 'dan');
    expect(await counted('zset', key, '--leaderboard', 'month')).toMatchObject({
      ...{ takenOver: 3, unchanged: 1, gone: 1, points: 5 - 3 + 1 - 7 },
    });
    expect(await standings('month')).toEqual(['ann 27', 'bob 25', 'cyd 20', 'eve 1']);
    expect(await standings('day')).toEqual([]);
    await expectVerified();
  });

  it('equals the source after any writes, with runs in between', async () => {
    const [redis, draw] = [testRedis(), drawer()];
    const own = new Map<string, number>();
    for (let round = 0; round < 6; round += 1) {
      for (let n = 0; n < 20; n += 1) {
        const user = `u${draw(8)}`;
        if (draw(6) === 0) await redis.zrem(key, user);
        else if (draw(5) === 0) {
          await record(user, `article:${round}-${n}`);
          own.set(user, (own.get(user) ?? 0) + 2);
        } else await redis.zadd(key, `${draw(50)}`, user);
      }
      await counted('zset', key, '--leaderboard', 'month');
    }
    const flat = await redis.zrange(key, '0', '-1', 'WITHSCORES');
    for (let i = 0; i < flat.length; i += 2) {
      own.set(flat[i] as string, (own.get(flat[i] as string) ?? 0) + Number(flat[i + 1]));
    }
    const expected = [...own].flatMap(([user, points]) => (points > 0 ? [`${user} ${points}`] : []));
    expect((await standings('month')).sort()).toEqual(expected.sort());
    await expectVerified();
  });

  it('compares in a dry run, and changes nothing', async () => {
    const redis = testRedis();
    await redis.zadd(key, 10, 'ann');
    expect(await migrate('zset', key, '--leaderboard', 'month', '--dry-run')).toMatchObject({ exitCode: 2, out: '' });
    await record('zoe', 'article:1');
    expect(await counted('zset', key, '--leaderboard', 'month', '--dry-run')).toMatchObject({
      takenOver: 1,
      points: 10,
    });
    expect(await standings('month')).toEqual(['zoe 2']);
  });

  it('takes nothing of a source with a bad entry, unless that may be left out', async () => {
    await testRedis().zadd(key, 1.5, 'user:ann', -2, 'user:bob', 3, 'cyd', '+inf', 'user:dan', 4, 'user:eve');
    const args = ['zset', key, '--leaderboard', 'month', '--member-prefix', 'user:'];
    const { exitCode, out, err } = await migrate(...args);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain('user:ann: 1.5 is no whole number');
    expect(err).toContain('user:bob: -2 is below zero');
    expect(err).toContain('cyd: does not begin with "user:"');
    expect(err).toContain('user:dan: Infinity is no number of points');
    expect(err).toContain('4 entries cannot be taken over, so nothing was');
    expect(await counted(...args, '--leave-out', '--whole')).toMatchObject({ leftOut: 3, takenOver: 2 });
    expect(await standings('month')).toEqual(['eve 4', 'ann 1']);
  });

  it('says what is not there, or of another kind', async () => {
    expect(await migrate('zset', key, '--leaderboard', 'month')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining(`There is no key "${key}" on Redis at`),
    });
    await testRedis().set(key, 'text');
    expect(await migrate('zset', key, '--leaderboard', 'month')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('is a string, not a sorted set'),
    });
    expect((await migrate('zset', key)).err).toContain('Name either --leaderboard');
    expect((await migrate('zset', key, '--leaderboard', 'week', '--from', 'http://x')).err).toContain(
      '--from is no url',
    );
  });

  it('takes over from another Redis, and says when that does not answer', async () => {
    await elsewhere.client.zadd(key, 5, 'ann');
    await testRedis().zadd(key, 6, 'bob');
    const from = elsewhere.servers.url;
    expect(await counted('zset', key, '--leaderboard', 'all', '--from', from)).toMatchObject({ points: 5 });
    const args = ['migrate', 'zset', key, '--leaderboard', 'month', '--json'];
    expect(JSON.parse((await run(args, { env: { SOURCE_REDIS_URL: from } })).out)).toMatchObject({ points: 5 });
    expect(await run([...args, '--from', 'redis://127.0.0.1:1'])).toMatchObject({
      ...{ exitCode: 1, out: '', err: expect.stringContaining('Redis at 127.0.0.1:1 does not answer') },
    });
  });

  it('goes on where it was interrupted', async () => {
    const scores = Array.from({ length: 3_000 }, (_, n) => [`${n + 1}`, `u${n}`]).flat();
    await testRedis().zadd(key, ...scores);
    const args = ['migrate', 'zset', key, '--leaderboard', 'all', '--json'];
    const cut = await run(args, { interruptAt: 'Taking' });
    expect(cut).toMatchObject({ exitCode: 130, out: '', err: expect.stringContaining('Run the same command again') });
    const { takenOver, unchanged } = JSON.parse((await run(args)).out) as { takenOver: number; unchanged: number };
    expect(takenOver).toBeLessThan(3_000);
    expect(takenOver + unchanged).toBe(3_000);
    const sum = (await standings('all')).reduce((points, line) => points + Number(line.split(' ')[1]), 0);
    expect(sum).toBe((3_000 * 3_001) / 2);
  });

  it('says that a period takes no more, and ends with 1', async () => {
    await testRedis().zadd(key, 5, 'ann');
    await record('zoe', 'article:1');
    const args = ['migrate', 'zset', key, '--leaderboard', 'month', '--period', '2020-02', '--json'];
    const closed = await run(args);
    expect(closed).toMatchObject({ exitCode: 1, err: expect.stringContaining('Not taken: 1 entries') });
    expect(JSON.parse(closed.out)).toMatchObject({ takenOver: 0, refused: { closed: 1 } });
    const open = await run(args, { env: { LAUREL_LATENESS_S: '1000000000', LAUREL_RETENTION: 'none' } });
    expect(open).toMatchObject({ exitCode: 0 });
    expect(await standings('month', '--period', '2020-02')).toEqual(['ann 5']);
  });

  it('leaves a user alone who was erased', async () => {
    await testRedis().zadd(key, 5, 'ann', 6, 'bob');
    await record('zoe', 'article:1');
    expect(await run(['erase', '--user', 'ann'])).toMatchObject({ exitCode: 0 });
    const { exitCode, out } = await migrate('zset', key, '--leaderboard', 'month', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ takenOver: 1, refused: { rejected: 1 } });
  });

  it('takes over boards of redis-rank, by their keys and by their cycles', async () => {
    const redis = testRedis();
    const points = new RedisRank(redis, key, { sortPolicy: 'high-to-low', updatePolicy: 'aggregate' });
    await points.update([
      { id: 'ann', value: 12 },
      { id: 'bob', value: 3 },
    ]);
    await points.updateOne('bob', 4);
    expect(await counted('redis-rank', key, '--leaderboard', 'all')).toMatchObject({ takenOver: 2, points: 19 });
    expect(await standings('all')).toEqual((await points.top(10)).map(({ id, score }) => `${id} ${score}`));

    for (const [cycle, leaderboard] of [
      ['daily', 'day'],
      ['monthly', 'month'],
    ] as const) {
      const periodic = new PeriodicLeaderboard(redis, `${key}:${cycle}`, {
        ...{ cycle, leaderboardOptions: { sortPolicy: 'high-to-low', updatePolicy: 'aggregate' } },
        // Its days are those of the process' zone; here they are those of the app.
        now: () => new Date(`${new Date(systemClock.now()).toISOString().slice(0, 10)}T12:00:00`),
      });
      await periodic.getLeaderboardNow().updateOne('ann', 5);
      await counted('redis-rank', `${key}:${cycle}`, '--cycle', cycle, '--leaderboard', leaderboard);
      expect(await standings(leaderboard)).toEqual(['ann 5']);
    }
    await expectVerified();
  });

  it('makes a board of the engine what one of redis-rank is, the lower the better', async () => {
    const redis = testRedis();
    const times = new RedisRank(redis, key, { sortPolicy: 'low-to-high', updatePolicy: 'best' });
    await times.update([
      { id: 'ann', value: 61.25 },
      { id: 'bob', value: 59.5 },
      { id: 'cyd', value: -1 },
    ]);
    const args = ['redis-rank', key, '--board', `${cli.prefix}-new`, '--order', 'asc'];
    expect(await counted(...args, '--dry-run')).toMatchObject({ takenOver: 3 });
    const board = new Leaderboard(redis, { key: `${cli.prefix}-new`, order: 'asc' });
    expect(await board.size()).toBe(0);
    expect(await counted(...args)).toMatchObject({ takenOver: 3 });
    await times.updateOne('ann', 58);
    await times.remove('cyd');
    expect(await counted(...args)).toMatchObject({ takenOver: 1, unchanged: 1, gone: 1 });
    const entries = (await times.list(1, 10)).map(({ id, score, rank }) => ({ member: id, score, rank }));
    expect(await board.top(10)).toMatchObject(entries);
  });

  it('takes over a leaderboard of the gem, and writes its member data to a file', async () => {
    const redis = testRedis();
    // As rank_member of the gem, 3.12: one MULTI.
    const rankMember = (member: string, score: number, data: string) =>
      redis.multi().zadd(key, score, member).hset(`${key}:member_data`, member, data).exec();
    await rankMember('ann', 1_000, '{"name":"Ann"}');
    await rankMember('bob', 2_000, '{"name":"Bob"}');
    const file = join(folder, 'members.ndjson');
    expect(await counted('agoragames', key, '--leaderboard', 'all', '--member-data', file)).toMatchObject({
      takenOver: 2,
    });
    expect(await standings('all')).toEqual(['bob 2000', 'ann 1000']);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      expect.arrayContaining([
        { member: 'ann', data: '{"name":"Ann"}' },
        { member: 'bob', data: '{"name":"Bob"}' },
      ]),
    );
    await expectVerified();
  });
});
