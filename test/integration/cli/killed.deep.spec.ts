import { BoardAudits } from '@laurel/reports';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { patientEnvironment } from '../../support/patient';
import { runCli } from '../../support/run-cli';
import { holdSettling } from '../../support/settling';
import { waitUntil } from '../../support/wait-until';
import { LiveApp } from './support/live-app';

/** A program of the repository in a process of its own. */
function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  return spawn(process.execPath, ['-r', './tools/register-typescript.cjs', program, ...args], {
    cwd: join(__dirname, '../../..'),
    env: { ...process.env, ...patientEnvironment, ...env },
  });
}

describe('a command in a process of its own', () => {
  it('that is killed in the middle of a rebuild leaves nothing worse, and the next one ends it', async () => {
    const live = await LiveApp.start();
    const redis = testRedis();
    const { month } = live;
    const everyone = Array.from({ length: 40 }, (_, n) => `user ${n}`);
    const raw = () =>
      Promise.all(
        everyone.flatMap((userId) =>
          [live.boardOf(userId), live.boardOf(userId, 'month', month)].map((key) => redis.zscore(key, userId)),
        ),
      );
    const before = await raw();
    // One repair by now: Redis knows the script, which otherwise is refused once and sent again as a whole.
    await redis.zincrby(live.boardOf('bob'), 2 ** 33, 'bob');
    expect((await live.run(['rebuild'])).out).toContain(': 1 differences, 1 put right.');
    for (const userId of everyone) await redis.zincrby(live.boardOf(userId, 'month', month), 2 ** 33, userId);
    const wrong = async () => (await live.app.nest.get(BoardAudits).verify()).differences;
    const all = await wrong();
    // So many lose points.
    const rebuild = ['rebuild', '--yes-take-points'];
    expect(all).toBeGreaterThanOrEqual(40);
    const child = start('test/support/mortal-cli.ts', rebuild, live.env);
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    const left = await wrong();
    expect(left).toBeLessThan(all);
    expect(left).toBeGreaterThan(0);
    expect((await live.run(rebuild)).out).toContain(`: ${left} differences, ${left} put right.`);
    expect(await wrong()).toBe(0);
    // Those kept off the board, and those whose grants were repeated, among them: times stay as they were.
    expect(await raw()).toEqual(before);
  });

  it('ends on SIGTERM where it waits for others', async () => {
    const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix() };
    const stdin = '{ "userId": "ann", "action": "view", "subject": "1" }';
    expect(await runCli(['import', '-'], { env, stdin })).toMatchObject({ exitCode: 0 });
    const held = await holdSettling(testRedis(), env.LAUREL_PREFIX);
    const child = start('apps/cli/src/main.ts', ['import', '-'], env);
    const ended = once(child, 'exit');
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdin.end(stdin);
    // What comes after is the wait for the lease.
    await waitUntil(() => err.includes('Without occurredAt'), { what: 'the file checked', withinMs: 120_000 });
    child.kill('SIGTERM');
    expect(await ended).toEqual([130, null]);
    expect(err).toContain('Interrupted.\n');
    await held.release();
  });
});
