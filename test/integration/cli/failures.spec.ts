import { LeaderboardError, systemClock } from '@laurel/leaderboard';
import { ActivityError } from '@laurel/activity';
import type { OutboxLog } from '@laurel/outbox';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Lease } from '../../../libs/activity/src/redis/lease';
import { settlingKey } from '../../../libs/activity/src/settlement/settling-key';
import { replayEvents } from '../../../apps/cli/src/replay/replay-events';
import { closeTestRedis, freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { runCli } from '../../support/run-cli';
import { waitUntil } from '../../support/wait-until';

afterAll(closeTestRedis);

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
    try {
      const settled = await runCli(['settle'], { env: { ...env, REDIS_URL: url.href } });
      expect(settled).toMatchObject({ exitCode: 1, err: expect.stringMatching(/^Redis failed \(NOPERM [^\n]*\n$/) });
      expect(settled.err).not.toContain('secret');
      const moved = await runCli(['reshard', '--shards', '2'], { env: { ...env, REDIS_URL: url.href } });
      expect(moved).toMatchObject({ exitCode: 1, err: expect.stringMatching(/^Redis failed \(NOPERM [^\n]*\n$/) });
    } finally {
      await redis.call('ACL', 'DELUSER', user);
    }
  });

  it.each([
    [new LeaderboardError('shardCountMismatch', 'The data lies in 4 shards.'), 'The data lies in 4 shards.'],
    [new ActivityError('unavailable', 'Redis is away.'), 'Redis is away.'],
    [new Error('terminating connection'), 'The database could not be read (terminating connection).'],
  ])('names what a replay was cut short by: %s', async (cause, message) => {
    const log: Pick<OutboxLog, 'total' | 'handOver'> = { total: 3, handOver: () => Promise.reject(cause) };
    const recording = { apply: () => Promise.resolve([]), faultsOf: () => [] };
    const terminal = { out: process.stdout, err: process.stderr };
    await expect(replayEvents(log, recording, terminal, new AbortController().signal)).rejects.toThrow(
      `${message}\nAt least 0 of 3 events are recorded.`,
    );
  });

  it('says what was done when it is interrupted', async () => {
    const env = await withActivity();
    await testRedis().del(await testRedis().keys(`{${env.LAUREL_PREFIX ?? ''}:*}:board:*`));
    const { exitCode, err } = await runCli(['verify'], { env, interruptAt: 'Verifying' });
    expect(exitCode).toBe(130);
    expect(err).toMatch(/Interrupted: \d+ differences were found by then, 0 put right\. Run it again/);
  });

  it('ends on SIGTERM where it waits for others', async () => {
    const env = await withActivity();
    const held = await Lease.take(testRedis(), settlingKey(env.LAUREL_PREFIX ?? ''), 60_000);
    const args = ['-r', './tools/register-typescript.cjs', 'apps/cli/src/main.ts', 'import', '-'];
    const root = join(__dirname, '../../..');
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
    const ended = once(child, 'exit');
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdin.end('{ "userId": "ann", "action": "view", "subject": "2" }');
    // What comes after is the wait for the lease.
    await waitUntil(() => Promise.resolve(err.includes('Without occurredAt')), { what: 'the file checked' });
    child.kill('SIGTERM');
    expect(await ended).toEqual([130, null]);
    expect(err).toContain('Interrupted.\n');
    await held?.release();
  });
});
