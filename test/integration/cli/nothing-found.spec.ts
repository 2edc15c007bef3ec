import { startRedis } from '@laurel/servers';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeTestRedis, freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { runCli } from '../../support/run-cli';

afterAll(closeTestRedis);

describe('a command that finds no data', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-cli-test-'));
    await writeFile(join(folder, 'rules.json'), '[{ "action": "view", "points": 1, "revocable": false }]');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

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
    const server = await startRedis({ dataDir: join(folder, 'redis') });
    try {
      const { exitCode, err } = await runCli(['verify'], { env: { LAUREL_DATA_DIR: folder, NODE_ENV: 'production' } });
      expect(exitCode).toBe(2);
      const { host } = new URL(server.url);
      expect(err).toContain(
        `REDIS_URL is not set: using the private Redis at ${host}, with its files in ${folder}/redis.\n`,
      );
      expect(err).toContain(`Nothing is stored under the prefix "lr" on Redis at ${host}`);
    } finally {
      await server.stop();
    }
  });
});
