import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redisOfTest } from '../../support/own-servers';
import { freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { runCli } from '../../support/run-cli';
import { temporaryFolder } from '../../support/temporary-folder';

describe('laurel.config.json', () => {
  const folder = temporaryFolder();
  const run = async (config: unknown, args: readonly string[], env: NodeJS.ProcessEnv = {}, stdin = '') => {
    const file = join(folder, 'laurel.config.json');
    await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config));
    return runCli(['--config', file, ...args], { env, stdin });
  };
  const own = () => ({
    redis: { url: testRedisUrl() },
    prefix: freshPrefix(),
    rules: [{ action: 'run', points: 3, revocable: false }],
    leaderboards: [{ name: 'runs', period: 'week' }],
  });
  const line = '{ "userId": "ann", "action": "run", "subject": "1" }';

  it('names the Redis, the prefix and the boards of data that it begins', async () => {
    const config = own();
    expect(await run(config, ['import', '-', '--json'], {}, line)).toMatchObject({ exitCode: 0 });
    const { out } = await run(config, ['export', '--leaderboard', 'runs']);
    expect(JSON.parse(out)).toMatchObject({ rank: 1, userId: 'ann', score: 3 });
    expect(await run(config, ['verify'])).toMatchObject({ exitCode: 0 });
  });

  it('is refused where the environment, or what is stored, says something else', async () => {
    const config = own();
    await run(config, ['import', '-'], {}, line);
    expect(await run(config, ['verify'], { LAUREL_PREFIX: 'other' })).toMatchObject({
      exitCode: 1,
      err: `prefix in laurel.config.json is ${config.prefix}, but LAUREL_PREFIX says other: leave one of them out.\n`,
    });
    expect(await run(config, ['verify'], { REDIS_URL: 'redis://elsewhere:6379' })).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('but the environment says Redis at elsewhere:6379: leave one of them out.'),
    });
    expect(await run({ ...config, timezone: 'Europe/Berlin' }, ['verify'])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('timezone in laurel.config.json is Europe/Berlin, but the data under the prefix'),
    });
    const databases = { ...config, databaseUrl: 'postgres://one/app' };
    const since = ['replay', '--since', '2026-11-01T00:00:00Z'];
    expect(await run(databases, since, { DATABASE_URL: 'postgres://two/app' })).toMatchObject({
      exitCode: 1,
      err: 'databaseUrl in laurel.config.json is another than DATABASE_URL: leave one of them out.\n',
    });
  });

  it('is refused with its name where it cannot be read, or has what is no option', async () => {
    expect(await run('{', ['verify'])).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^laurel\.config\.json cannot be read: /),
    });
    expect(await run({ ...own(), leaderbords: [] }, ['verify'])).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^laurel\.config\.json: .*leaderbords/),
    });
    expect(await run('[]', ['--config', join(folder, 'none.json'), 'verify'])).toMatchObject({
      exitCode: 1,
      err: 'none.json cannot be read: no such file or directory\n',
    });
  });
});

describe('a command that finds no data', () => {
  const folder = temporaryFolder('each test');
  beforeEach(() => writeFile(join(folder, 'rules.json'), '[{ "action": "view", "points": 1, "revocable": false }]'));

  const commands = (rules: string): readonly (readonly string[])[] => [
    ['verify'],
    ['verify', '--json'],
    ['rebuild'],
    ['export', '--leaderboard', 'month'],
    ['rings', '--period', 'current'],
    ['simulate', '--rules', rules, '--period', 'current'],
    ['settle'],
    ['erase', '--user', 'ann'],
    ['reshard', '--shards', '4'],
  ];

  it('names host, port and prefix, ends with 2, and leaves the prefix empty', async () => {
    const { host } = new URL(testRedisUrl());
    for (const args of commands(join(folder, 'rules.json'))) {
      const prefix = freshPrefix();
      const found = await runCli(args, { env: { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix } });
      expect({ args, ...found }).toEqual({
        ...{ args, exitCode: 2, out: '' },
        err: `Nothing is stored under the prefix "${prefix}" on Redis at ${host}: correct LAUREL_PREFIX, REDIS_URL or REDIS_CLUSTER_NODES.\n`,
      });
      expect(await testRedis().keys(`{${prefix}*`)).toEqual([]);
    }
  });

  it('starts no private Redis on an empty folder, and none in production', async () => {
    for (const args of commands(join(folder, 'rules.json'))) {
      const dataDir = join(folder, 'data');
      const found = await runCli(args, { env: { LAUREL_DATA_DIR: dataDir } });
      expect(found).toMatchObject({
        exitCode: 2,
        err: `REDIS_URL is not set, and there is no data of a private Redis in ${dataDir}/redis: set REDIS_URL or REDIS_CLUSTER_NODES, as for the app.\n`,
      });
    }
    const stdin = '{ "userId": "ann", "action": "view", "subject": "1" }';
    const env = { LAUREL_DATA_DIR: join(folder, 'data'), NODE_ENV: 'production' };
    expect(await runCli(['import', '-'], { env, stdin })).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('none is started in production (NODE_ENV)'),
    });
    expect(await readdir(folder)).toEqual(['rules.json']);
  });

  it('says which private Redis it works on', async () => {
    const server = await redisOfTest({ dataDir: join(folder, 'redis') });
    const { exitCode, err } = await runCli(['verify'], { env: { LAUREL_DATA_DIR: folder, NODE_ENV: 'production' } });
    expect(exitCode).toBe(2);
    const { host } = new URL(server.url);
    expect(err).toContain(
      `REDIS_URL is not set: using the private Redis at ${host}, with its files in ${folder}/redis.\n`,
    );
    expect(err).toContain(`Nothing is stored under the prefix "lr" on Redis at ${host}`);
  });
});
