import { systemClock } from '@laurel/leaderboard';
import { afterThisTest } from '../../support/endings';
import { freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { runCli } from '../../support/run-cli';

async function withActivity(): Promise<NodeJS.ProcessEnv> {
  const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix() };
  const line = { userId: 'ann', action: 'view', subject: '1', occurredAt: new Date(systemClock.now()) };
  expect(await runCli(['import', '-'], { env, stdin: JSON.stringify(line) })).toMatchObject({ exitCode: 0 });
  return env;
}

describe('a command that fails', () => {
  it('gives the reason of Redis, and no stack', async () => {
    const env = await withActivity();
    const redis = testRedis();
    const user = env.LAUREL_PREFIX ?? '';
    await redis.call('ACL', 'SETUSER', user, 'on', '>secret', '~*', '&*', '+@all', '-zdiff', '-scan');
    const url = new URL(testRedisUrl());
    [url.username, url.password] = [user, 'secret'];
    afterThisTest(() => redis.call('ACL', 'DELUSER', user));
    const settled = await runCli(['settle'], { env: { ...env, REDIS_URL: url.href } });
    expect(settled).toMatchObject({ exitCode: 1, err: expect.stringMatching(/^Redis failed \(NOPERM [^\n]*\n$/) });
    expect(settled.err).not.toContain('secret');
    const moved = await runCli(['reshard', '--shards', '2'], { env: { ...env, REDIS_URL: url.href } });
    expect(moved).toMatchObject({ exitCode: 1, err: expect.stringMatching(/^Redis failed \(NOPERM [^\n]*\n$/) });
  });

  it('says what was done when it is interrupted', async () => {
    const env = await withActivity();
    await testRedis().del(await testRedis().keys(`{${env.LAUREL_PREFIX ?? ''}:*}:board:*`));
    const { exitCode, err } = await runCli(['verify'], { env, interruptAt: 'Verifying' });
    expect(exitCode).toBe(130);
    expect(err).toMatch(/Interrupted: \d+ differences were found by then, 0 put right\. Run it again/);
  });
});
