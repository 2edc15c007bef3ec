import { systemClock } from '@laurel/leaderboard';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { patientEnvironment } from '../../support/patient';
import { runCli } from '../../support/run-cli';
import { holdSettling } from '../../support/settling';
import { afterThisTest, freshPrefix, testRedis, testRedisUrl, waitUntil } from '../../support';

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

  it('ends on SIGTERM where it waits for others, as a process of its own', async () => {
    const env = await withActivity();
    const held = await holdSettling(testRedis(), env.LAUREL_PREFIX ?? '');
    const child = spawn(
      process.execPath,
      ['-r', './tools/register-typescript.cjs', 'apps/cli/src/main.ts', 'import', '-'],
      {
        cwd: join(__dirname, '../../..'),
        env: { ...process.env, ...patientEnvironment, ...env },
      },
    );
    const ended = once(child, 'exit');
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdin.end('{ "userId": "ann", "action": "view", "subject": "1" }');
    // What comes after is the wait for the lease.
    await waitUntil(() => err.includes('Without occurredAt'), { what: 'the file checked', withinMs: 120_000 });
    child.kill('SIGTERM');
    expect(await ended).toEqual([130, null]);
    expect(err).toContain('Interrupted.\n');
    await held.release();
  });
});
