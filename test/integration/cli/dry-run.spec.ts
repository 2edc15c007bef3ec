import { systemClock } from '@laurel/leaderboard';
import { closeTestRedis, freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { runCli } from '../../support/run-cli';

afterAll(closeTestRedis);

const dayMs = 86_400_000;
const agoMs = systemClock.now() - 3 * dayMs;
const line = (userId: string, at: number) =>
  `${JSON.stringify({ userId, action: 'view', subject: '1', occurredAt: new Date(at) })}\n`;

/** All that lies under a prefix, without what only the clock changes. */
async function contentOf(prefix: string): Promise<Record<string, string | null>> {
  const redis = testRedis();
  const keys = await redis.keys(`{${prefix}*`);
  const dumps = await Promise.all(
    keys.map(async (key) => [key, (await redis.dumpBuffer(key))?.toString('hex') ?? null]),
  );
  return Object.fromEntries(dumps) as Record<string, string | null>;
}

describe('a dry run', () => {
  let prefix: string;
  let env: NodeJS.ProcessEnv;
  beforeEach(async () => {
    prefix = freshPrefix();
    env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix };
    const late = { ...env, LAUREL_LATENESS_S: '864000' };
    await runCli(['import', '-'], { env: late, stdin: line('ann', agoMs) + line('ben', agoMs + 1) });
  });

  it('of an import checks the file, and records nothing', async () => {
    const before = await contentOf(prefix);
    expect(await runCli(['import', '-', '--dry-run'], { env, stdin: line('cyd', agoMs) })).toMatchObject({
      exitCode: 0,
      out: '1 activities could be recorded: every line is good.\n',
    });
    const bad = await runCli(['import', '-', '--dry-run', '--json'], { env, stdin: '{ "userId": "cyd" }' });
    expect(bad).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining('stdin:1: action is missing') });
    expect(await contentOf(prefix)).toEqual(before);
  });

  it('of a settlement names what is due, as lines of JSON too, and settles nothing', async () => {
    const before = await contentOf(prefix);
    const day = new Date(agoMs).toISOString().slice(0, 10);
    const args = ['settle', '--leaderboard', 'day', '--dry-run'];
    expect(await runCli(args, { env })).toMatchObject({ exitCode: 0, out: `day ${day}: is due\n` });
    const { out } = await runCli([...args, '--json'], { env });
    expect(JSON.parse(out)).toEqual({ leaderboard: 'day', period: day, state: 'due' });
    expect(await contentOf(prefix)).toEqual(before);
    const settled = await runCli(['settle', '--leaderboard', 'day', '--json'], { env });
    expect(JSON.parse(settled.out)).toMatchObject({ leaderboard: 'day', period: day, state: 'settled', total: 2 });
  });

  it('of a move to more shards says from where to where, and moves nothing', async () => {
    const before = await contentOf(prefix);
    expect(await runCli(['reshard', '--shards', '4', '--dry-run'], { env })).toMatchObject({
      exitCode: 0,
      out: `${prefix}: lies in 1 shards, would be moved to 4.\n`,
    });
    expect(await runCli(['reshard', '--shards', '1', '--dry-run'], { env })).toMatchObject({
      out: `${prefix}: lies in 1 shards.\n`,
    });
    expect(await contentOf(prefix)).toEqual(before);
  });
});

it('an erasure tells what was erased as JSON', async () => {
  const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix() };
  await runCli(['import', '-'], { env, stdin: line('ann', systemClock.now()) });
  const { out } = await runCli(['erase', '--user', 'ann', '--json'], { env });
  expect(JSON.parse(out)).toMatchObject({ userId: 'ann', erased: expect.objectContaining({}) });
});
