import { RedisArchive } from '@laurel/activity/internals';
import { systemClock } from '@laurel/leaderboard';
import { archiveKeys } from '../../../libs/activity/src/settlement/redis-archive/archive-keys';
import { Lease } from '../../../libs/activity/src/redis/lease';
import { settlingKey } from '../../../libs/activity/src/settlement/settling-key';
import { closeTestRedis, freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { runCli } from '../../support/run-cli';
import { waitUntil } from '../../support/wait-until';

afterAll(closeTestRedis);

const dayMs = 86_400_000;
/** Three days ago at noon: closed, and kept. */
const agoMs = Math.floor(systemClock.now() / dayMs) * dayMs - 3 * dayMs + dayMs / 2;
const day = new Date(agoMs).toISOString().slice(0, 10);

async function withActivity(): Promise<{ prefix: string; env: NodeJS.ProcessEnv }> {
  const prefix = freshPrefix();
  const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix };
  const line = (userId: string, at: number) =>
    `${JSON.stringify({ userId, action: 'view', subject: '1', occurredAt: new Date(at) })}\n`;
  const stdin = line('ann', agoMs) + line('bob', agoMs + 1) + line('ann', agoMs - dayMs);
  const imported = await runCli(['import', '-', '--json'], { env: { ...env, LAUREL_LATENESS_S: '864000' }, stdin });
  expect(JSON.parse(imported.out)).toMatchObject({ outcomes: { granted: 3 } });
  return { prefix, env };
}

describe('laurel settle', () => {
  it('settles what is due, and tells the checksums', async () => {
    const { prefix, env } = await withActivity();
    const first = await runCli(['settle', '--leaderboard', 'day'], { env });
    const archive = new RedisArchive(testRedis(), { prefix, shards: 1 });
    const settled = await archive.find('day', day);
    expect(first).toMatchObject({ exitCode: 0, err: '' });
    expect(first.out).toContain(`day ${day}: 2 entries, sha256 ${settled?.checksum}\n`);
    expect(first.out.trim().split('\n')).toHaveLength(2);
    expect(await archive.page('day', day, 0, 10)).toMatchObject([{ userId: 'ann' }, { userId: 'bob' }]);
  });

  it('settles one period alone', async () => {
    const { prefix, env } = await withActivity();
    const { out } = await runCli(['settle', '--leaderboard', 'day', '--period', day], { env });
    expect(out).toMatch(new RegExp(`^day ${day}: 2 entries, sha256 \\w{64}\n$`));
    expect(await new RedisArchive(testRedis(), { prefix, shards: 1 }).periods('day', { limit: 5 })).toHaveLength(1);
  });

  it('settles nothing while a file is imported', async () => {
    const prefix = freshPrefix();
    const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix, LAUREL_LATENESS_S: '864000' };
    const redis = testRedis();
    const held = await Lease.take(redis, settlingKey(prefix), 60_000);
    const stdin = `${JSON.stringify({ userId: 'ann', action: 'view', subject: '1', occurredAt: new Date(agoMs) })}\n`;
    const importing = runCli(['import', '-', '--json'], { env, stdin });
    // It asks whether the lease is free before anything is written, and draws no token meanwhile.
    await waitUntil(async () => String(await redis.client('LIST')).includes('cmd=exists'));
    expect(await redis.get(`${settlingKey(prefix)}:token`)).toBe('1');
    expect(await redis.keys(`{${prefix}:*}:board:*`)).toEqual([]);
    await held?.release();
    expect(JSON.parse((await importing).out)).toMatchObject({ outcomes: { granted: 1 } });
    expect(await redis.exists(settlingKey(prefix))).toBe(0);
  });

  it('retires a listener that the app no longer has, and names those that there are', async () => {
    const { prefix, env } = await withActivity();
    await testRedis().sadd(`{${prefix}}:settled-listeners`, 'prizes', 'letters');
    expect(await runCli(['settle', '--retire', 'no-such'], { env })).toMatchObject({
      exitCode: 1,
      err: 'No listener is named "no-such": there are letters, prizes.\n',
    });
    expect(await runCli(['settle', '--retire', 'prizes'], { env })).toMatchObject({
      exitCode: 0,
      out: 'The listener "prizes" is no longer waited for.\n',
    });
    expect(await testRedis().smembers(`{${prefix}}:settled-listeners`)).toEqual(['letters']);
  });

  it('says that nothing is due', async () => {
    const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix() };
    await runCli(['import', '-'], { env, stdin: '{ "userId": "ann", "action": "view", "subject": "1" }' });
    expect(await runCli(['settle'], { env })).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('Nothing is due'),
    });
  });

  it('refuses a leaderboard that is not there, naming those that are', async () => {
    const { env } = await withActivity();
    const { exitCode, err } = await runCli(['settle', '--leaderboard', 'dai'], { env });
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: 'No leaderboard is named "dai": there are day, week, month, all, category-week, category-month.\n',
    });
  });

  it('leaves it to the app where that keeps its archive elsewhere', async () => {
    const { prefix, env } = await withActivity();
    await testRedis().set(archiveKeys.kind(prefix), 'app');
    const { exitCode, err } = await runCli(['settle'], { env, interruptAt: 'waiting for a running instance' });
    expect({ exitCode, err }).toEqual({
      exitCode: 130,
      err: 'The app keeps its archive elsewhere: waiting for a running instance to settle.\nInterrupted.\n',
    });
    expect(await new RedisArchive(testRedis(), { prefix, shards: 1 }).periods('day', { limit: 5 })).toEqual([]);
  });
});
