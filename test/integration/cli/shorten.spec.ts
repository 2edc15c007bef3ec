import { systemClock } from '@laurel/leaderboard';
import { keys } from '../../support/keys';
import { closeTestRedis, freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { runCli } from '../../support/run-cli';

afterAll(closeTestRedis);

const dayMs = 86_400_000;
const at = new Date(systemClock.now());

/** What users did by today, imported under a prefix of the version before or of this one. */
async function withActivity(form: 'full' | 'short') {
  const prefix = freshPrefix();
  const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix };
  const layout = keys.layout(prefix);
  if (form === 'full') {
    await testRedis().hset(layout, { shards: '1', format: '1' });
    await runCli(['import', '/dev/null'], { env });
  }
  const line = { userId: '7', action: 'praise', subject: 'article:7', occurredAt: at };
  const imported = () => runCli(['import', '-', '--json'], { env, stdin: `${JSON.stringify(line)}\n` });
  expect((await imported()).out).toContain('granted');
  const [ledger = ''] = await testRedis().keys(`{${prefix}:*}:ledger:*:7`);
  return { env, layout, prefix, imported, fields: () => testRedis().hgetall(ledger) };
}

describe('laurel shorten', () => {
  it('begins the short form two days ahead for data of an earlier version, once', async () => {
    const { env, layout, prefix, imported, fields } = await withActivity('full');
    expect(Object.keys(await fields())).toEqual(['p:article:7']);
    const shortened = await runCli(['shorten'], { env });
    const days = [2, 3].map((n) => new Date(at.getTime() + n * dayMs).toISOString().slice(0, 10));
    expect(days.map((day) => `${prefix}: ledgers have the latest form from ${day} on.\n`)).toContain(shortened.out);
    const stored = await testRedis().hmget(layout, 'format', 'shortFrom', 'pagedFrom', 'timedFrom');
    const from = String(Math.floor(Date.parse(/\d{4}-\d\d-\d\d/.exec(shortened.out)?.[0] ?? '') / dayMs));
    expect(stored).toEqual(['3', from, from, from]);
    // Until then nothing changes: what was there is known.
    expect((await imported()).out).toContain('duplicate');
    expect(Object.keys(await fields())).toEqual(['p:article:7']);
    expect(await runCli(['shorten'], { env })).toEqual(shortened);
  });

  it('lets ledgers of the second format keep the earliest grants from then on, in the form that they have', async () => {
    const { env, layout, prefix } = await withActivity('short');
    await testRedis().multi().hset(layout, 'format', '2').hdel(layout, 'timedFrom').exec();
    const { out } = await runCli(['shorten'], { env });
    expect(out).toMatch(new RegExp(`^${prefix}: ledgers have the latest form from `));
    expect(await testRedis().hmget(layout, 'format', 'shortFrom')).toEqual(['3', '0']);
  });

  it('has nothing to do for what this version began', async () => {
    const { env, prefix, fields } = await withActivity('short');
    expect(Object.keys(await fields())).toEqual(['p#AH']);
    const shortened = await runCli(['shorten'], { env });
    expect(shortened).toMatchObject({
      exitCode: 0,
      out: `${prefix}: ledgers have the latest form.\n`,
    });
    expect(await runCli(['verify'], { env })).toMatchObject({ exitCode: 0 });
  });

  it('ends with 2 where nothing is stored', async () => {
    const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix() };
    expect(await runCli(['shorten'], { env })).toMatchObject({ exitCode: 2 });
  });
});
