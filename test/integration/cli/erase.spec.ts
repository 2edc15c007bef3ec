import { systemClock } from '@laurel/leaderboard';
import { archiveKeys } from '../../../libs/activity/src/settlement/redis-archive/archive-keys';
import { closeTestRedis, freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { runCli } from '../../support/run-cli';
import { apiKey, stopTinyApps, TinyApp } from '../activity/support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

const at = new Date(systemClock.now());

async function withActivity(): Promise<{ prefix: string; env: NodeJS.ProcessEnv }> {
  const prefix = freshPrefix();
  const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix };
  const line = (userId: string) => `${JSON.stringify({ userId, action: 'view', subject: '1', occurredAt: at })}\n`;
  await runCli(['import', '-', '--json'], { env, stdin: line('ann') + line('bob') });
  return { prefix, env };
}

describe('laurel erase', () => {
  it('erases a user and prints the receipt; once more there is nothing', async () => {
    const { prefix, env } = await withActivity();
    const first = await runCli(['erase', '--user', 'ann'], { env });
    expect(first).toMatchObject({ exitCode: 0, err: '' });
    expect(first.out).toContain('boards: 4\n');
    expect(first.out).toContain('ledgers: 1\n');
    expect(first.out).toContain('Erased "ann".\n');
    const keys = await testRedis().keys(`{${prefix}:*`);
    expect(keys.filter((key) => key.endsWith(':ann'))).toEqual([]);
    expect(keys.some((key) => key.endsWith(':bob'))).toBe(true);
    const again = await runCli(['erase', '--user', 'ann'], { env });
    expect(again.out.match(/: [1-9]/g)).toBeNull();
  });

  it('looks up what an earlier version left when `index` has listed it', async () => {
    const { prefix, env } = await withActivity();
    await testRedis().hdel(`{${prefix}}:layout`, 'naming');
    expect(await runCli(['index'], { env })).toMatchObject({ exitCode: 0, out: 'Listed 0 keys that name users.\n' });
    expect(await testRedis().hget(`{${prefix}}:layout`, 'naming')).toBe('complete');
  });

  it('keeps out what comes of the user afterwards, until they are readmitted', async () => {
    const { env } = await withActivity();
    await runCli(['erase', '--user', 'ann'], { env });
    const again = `${JSON.stringify({ userId: 'ann', action: 'view', subject: '1', occurredAt: at })}\n`;
    const imported = () => runCli(['import', '-', '--json'], { env, stdin: again });
    expect((await imported()).out).toContain('rejected');
    const readmit = () => runCli(['readmit', '--user', 'ann'], { env });
    expect(await readmit()).toMatchObject({ exitCode: 0, out: '"ann" may come in again.\n' });
    expect((await readmit()).out).toContain('was not refused');
    expect((await imported()).out).toContain('granted');
  });

  it('leaves what the app keeps elsewhere to the app, and asks it where it is named', async () => {
    const { prefix, env } = await withActivity();
    await testRedis().set(archiveKeys.kind(prefix), 'app');
    const refused = await runCli(['erase', '--user', 'ann'], { env });
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining('--url') });
    const app = await TinyApp.start({ options: { prefix } });
    const url = await app.nest.getUrl();
    const asked = await runCli(['erase', '--user', 'ann', '--url', url], { env: { ...env, LAUREL_API_KEY: apiKey } });
    expect(asked).toMatchObject({ exitCode: 0, out: expect.stringContaining('ledgers: 1\n') });
    const wrong = await runCli(['erase', '--user', 'ann', '--url', url], { env: { ...env, LAUREL_API_KEY: 'wrong' } });
    expect(wrong).toMatchObject({ exitCode: 1, err: expect.stringContaining('The app answered 403') });
  });
});
