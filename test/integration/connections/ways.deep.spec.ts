import { ActivityHealth, ActivityService, type RedisOptions } from '@laurel/activity';
import { Ledgers, type RankPage } from '@laurel/activity/internals';
import { systemClock } from '@laurel/leaderboard';
import { activityEnvironment } from '@laurel/settings';
import { type RedisServer, startSentinel } from '@laurel/servers';
import { Redis } from 'ioredis';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Certificates, makeCertificates } from '../../support/certificates';
import { redisOfTest } from '../../support/own-servers';
import { runCli } from '../../support/run-cli';
import { temporaryFolder } from '../../support/temporary-folder';
import { afterThisTest, freshPrefix, TinyApp, waitUntil } from '../activity/support';

type Variables = Readonly<Record<string, string>>;

let certificates: Certificates;
const folder = temporaryFolder();

beforeAll(async () => {
  certificates = await makeCertificates('localhost');
});
afterAll(() => certificates.remove());

/** What variables say is an app's options and an operator's command alike: both record, read and agree. */
async function worksWith(redis: RedisOptions, variables: Variables): Promise<TinyApp> {
  expect(activityEnvironment(variables).redis).toEqual(redis);
  const prefix = freshPrefix();
  const app = await TinyApp.start({ options: { redis, prefix } });
  expect(await app.nest.get(ActivityHealth).check('redis')).toEqual({ redis: { status: 'up' } });
  await app.nest.get(ActivityService).record({ userId: 'ada', action: 'praise', subject: 'article:7' });
  expect((await app.get<RankPage>('/ranks/day')).body.entries).toMatchObject([{ userId: 'ada', score: 2 }]);
  expect(app.nest.get(Ledgers).main.shards).toBe(1);
  const env = { ...variables, LAUREL_PREFIX: prefix };
  expect(await runCli(['verify'], { env })).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(/: 0 differences\.\n$/),
  });
  const occurredAt = new Date(systemClock.now());
  const line = JSON.stringify({ userId: 'bob', action: 'praise', subject: '1', occurredAt });
  expect(await runCli(['import', '-'], { env, stdin: line })).toMatchObject({ exitCode: 0 });
  return app;
}

/** Resolves when a replica has all that was written: a failover keeps no more than that. */
async function isCopied({ connection }: RedisServer): Promise<void> {
  const operator = new Redis(connection);
  try {
    // WAIT counts for writes of its own connection alone.
    await operator.set('copied', 'yes');
    expect(await operator.wait(1, 30_000)).toBe(1);
  } finally {
    operator.disconnect();
  }
}

describe('an app and its commands reach', () => {
  it('a Redis that asks for a user, a password, TLS and a certificate', async () => {
    const user = ['--user', 'app', 'on', '>of-app', '~*', '&*', '+@all'];
    const options = { password: 'of-default', tls: certificates, args: [...user, '--tls-auth-clients', 'yes'] };
    const { url, port } = await redisOfTest(options);
    const of = (file: string) => readFileSync(file, 'utf8').trim();
    const { ca, cert, key } = certificates;
    const tls = { ca: of(ca), cert: of(cert), key: of(key) };
    const files = { REDIS_TLS_CA_FILE: ca, REDIS_TLS_CERT_FILE: cert, REDIS_TLS_KEY_FILE: key };
    await worksWith(
      { url, username: 'app', password: 'of-app', tls },
      { REDIS_URL: url, REDIS_USERNAME: 'app', REDIS_PASSWORD: 'of-app', ...files },
    );
    const secret = join(folder, 'password');
    await writeFile(secret, 'of-app\n');
    const elsewhere = { REDIS_URL: `rediss://app@localhost:${port}/1`, REDIS_PASSWORD_FILE: secret };
    await worksWith({ url: elsewhere.REDIS_URL, password: 'of-app', tls }, { ...elsewhere, ...files });
  });

  it('a Redis behind a Unix socket, and a database of it', async () => {
    const path = join(folder, 'redis.sock');
    await redisOfTest({ password: 'secret', args: ['--unixsocket', path] });
    const url = `unix://${path}?db=3`;
    await worksWith({ url, password: 'secret' }, { REDIS_URL: url, REDIS_PASSWORD: 'secret' });
  });

  it('the master that a Sentinel names, and the next one after a failover', async () => {
    const master = await redisOfTest({ password: 'secret', args: ['--repl-diskless-sync-delay', '0'] });
    await redisOfTest({ password: 'secret', args: ['--replicaof', master.host, String(master.port)] });
    const sentinel = await startSentinel({ name: 'boards', master, replicas: 1, password: 'of-sentinel' });
    afterThisTest(() => sentinel.kill());
    const { host, port } = sentinel;
    const app = await worksWith(
      { sentinels: [{ host, port }], name: 'boards', password: 'secret', sentinelPassword: 'of-sentinel' },
      {
        ...{ REDIS_SENTINELS: `${host}:${port}`, REDIS_SENTINEL_NAME: 'boards', REDIS_PASSWORD: 'secret' },
        REDIS_SENTINEL_PASSWORD: 'of-sentinel',
      },
    );
    await isCopied(master);
    await sentinel.failover();
    await master.kill();
    const again = { userId: 'eve', action: 'praise', subject: 'article:7' };
    await waitUntil(() => app.nest.get(ActivityService).record(again), { what: 'recording', withinMs: 60_000 });
    const { body } = await app.get<RankPage>('/ranks/day');
    expect(body.entries.map(({ userId }) => userId).sort()).toEqual(['ada', 'bob', 'eve']);
  });
});
