import { ActivityHealth, type RedisOptions } from '@laurel/activity';
import { type RedisServer, startRedis, startRedisCluster, startSentinel, type Sentinel } from '@laurel/servers';
import { Logger } from '@nestjs/common';
import clusterKeySlot from 'cluster-key-slot';
import { readFileSync } from 'node:fs';
import { type Certificates, makeCertificates } from '../../support/certificates';
import { freshPrefix } from '../../support/redis';
import { runCli } from '../../support/run-cli';
import { waitUntil } from '../../support/wait-until';
import { stopTinyApps, TinyApp } from '../activity/support/tiny-app';

let certificates: Certificates;
let other: Certificates;
let plain: RedisServer;
let secure: RedisServer;
let mutual: RedisServer;
let node: RedisServer;
let sentinel: Sentinel;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  [certificates, other] = await Promise.all([makeCertificates(), makeCertificates()]);
  const password = 'secret';
  plain = await startRedis({ password });
  secure = await startRedis({ password, tls: certificates });
  mutual = await startRedis({ password, tls: certificates, args: ['--tls-auth-clients', 'yes'] });
  const cluster = await startRedisCluster({ masters: 2 });
  node = await cluster.masterOf(0);
  sentinel = await startSentinel({ name: 'boards', master: plain, password: 'of-sentinel' });
  stops.push(
    ...[plain, secure, mutual, cluster, sentinel].map((server) => () => server.kill()),
    ...[certificates, other].map((made) => () => made.remove()),
  );
});
afterEach(stopTinyApps);
afterAll(async () => {
  for (const stop of stops) await stop();
});

interface Case {
  readonly redis: RedisOptions;
  readonly env: Readonly<Record<string, string>>;
  readonly says: string;
  readonly prefix?: string;
}

/** A prefix whose data lies on the other node. */
const elsewhere = ['a', 'b', 'c', 'd'].find((prefix) => clusterKeySlot(prefix) > 8_192) ?? '';

const at = ({ host, port }: { readonly host: string; readonly port: number }) => `${host}:${port}`;
const ca = ({ ca: file }: Certificates) => readFileSync(file, 'utf8').trim();
const cluster = (server: RedisServer, env: Readonly<Record<string, string>>) => ({
  REDIS_CLUSTER_NODES: at(server),
  ...env,
});
const nodes = ({ host, port }: RedisServer) => [{ host, port }];

const cases: readonly (readonly [string, () => Case])[] = [
  [
    'no password',
    () => ({
      redis: { url: plain.url },
      env: { REDIS_URL: plain.url },
      says: 'Redis asks for a password: set redis.username and redis.password (REDIS_USERNAME, REDIS_PASSWORD)',
    }),
  ],
  [
    'a wrong password',
    () => ({
      redis: { url: plain.url, password: 'wrong' },
      env: { REDIS_URL: plain.url, REDIS_PASSWORD: 'wrong' },
      says: 'Redis refuses this user or password: correct redis.username and redis.password',
    }),
  ],
  [
    'a wrong user of a Cluster',
    () => ({
      redis: { nodes: nodes(plain), username: 'nobody', password: 'secret' },
      env: cluster(plain, { REDIS_USERNAME: 'nobody', REDIS_PASSWORD: 'secret' }),
      says: 'Redis refuses this user or password',
    }),
  ],
  [
    'TLS to a plain port',
    () => ({
      redis: { url: plain.url, password: 'secret', tls: true },
      env: { REDIS_URL: plain.url, REDIS_PASSWORD: 'secret', REDIS_TLS: 'on' },
      says: 'Redis speaks no TLS at this port: use redis:// and leave redis.tls (REDIS_TLS) out',
    }),
  ],
  [
    'TLS to plain ports of a Cluster',
    () => ({
      redis: { nodes: nodes(plain), password: 'secret', tls: true },
      env: cluster(plain, { REDIS_PASSWORD: 'secret', REDIS_TLS: 'on' }),
      says: 'Redis speaks no TLS at this port',
    }),
  ],
  [
    'no TLS where Redis speaks nothing else',
    () => ({
      redis: { url: `redis://${at(secure)}`, password: 'secret' },
      env: { REDIS_URL: `redis://${at(secure)}`, REDIS_PASSWORD: 'secret' },
      says: 'Redis speaks TLS alone at this port: use rediss://, or set redis.tls (REDIS_TLS=on)',
    }),
  ],
  [
    'no TLS where a Cluster speaks nothing else',
    () => ({
      redis: { nodes: nodes(secure), password: 'secret' },
      env: cluster(secure, { REDIS_PASSWORD: 'secret' }),
      says: 'Redis speaks TLS alone at this port',
    }),
  ],
  [
    'an unknown authority',
    () => ({
      redis: { url: secure.url, password: 'secret', tls: { ca: ca(other) } },
      env: { REDIS_URL: secure.url, REDIS_PASSWORD: 'secret', REDIS_TLS_CA_FILE: other.ca },
      says: "give the authority's certificate in redis.tls.ca (REDIS_TLS_CA_FILE)",
    }),
  ],
  [
    'an unknown authority of a Cluster',
    () => ({
      redis: { nodes: nodes(secure), password: 'secret', tls: true },
      env: cluster(secure, { REDIS_PASSWORD: 'secret', REDIS_TLS: 'on' }),
      says: "give the authority's certificate in redis.tls.ca (REDIS_TLS_CA_FILE)",
    }),
  ],
  [
    'another name than that in the certificate',
    () => ({
      redis: { url: secure.url, password: 'secret', tls: { ca: ca(certificates), servername: 'elsewhere' } },
      env: {
        ...{ REDIS_URL: secure.url, REDIS_PASSWORD: 'secret', REDIS_TLS_CA_FILE: certificates.ca },
        REDIS_TLS_SERVERNAME: 'elsewhere',
      },
      says: 'give it in redis.tls.servername (REDIS_TLS_SERVERNAME)',
    }),
  ],
  [
    'no certificate of its own',
    () => ({
      redis: { url: mutual.url, password: 'secret', tls: { ca: ca(certificates) } },
      env: { REDIS_URL: mutual.url, REDIS_PASSWORD: 'secret', REDIS_TLS_CA_FILE: certificates.ca },
      says: 'set redis.tls.cert and redis.tls.key (REDIS_TLS_CERT_FILE, REDIS_TLS_KEY_FILE)',
    }),
  ],
  [
    'a Unix socket that is not there',
    () => ({
      redis: { url: 'unix:///nowhere/redis.sock' },
      env: { REDIS_URL: 'unix:///nowhere/redis.sock' },
      says: 'there is no such Unix socket: correct redis.url',
    }),
  ],
  [
    'a node of a Cluster as one server',
    () => ({
      redis: { url: node.url },
      env: { REDIS_URL: node.url, LAUREL_PREFIX: elsewhere },
      prefix: elsewhere,
      says: 'name it in redis.nodes (REDIS_CLUSTER_NODES) in place of redis.url',
    }),
  ],
  [
    'one server as a Cluster',
    () => ({
      redis: { nodes: nodes(plain), password: 'secret' },
      env: cluster(plain, { REDIS_PASSWORD: 'secret' }),
      says: 'this is no Redis Cluster: name it in redis.url (REDIS_URL) in place of redis.nodes',
    }),
  ],
  [
    'a master that the Sentinel does not watch',
    () => ({
      redis: {
        sentinels: [{ host: sentinel.host, port: sentinel.port }],
        name: 'pages',
        sentinelPassword: 'of-sentinel',
      },
      env: {
        ...{ REDIS_SENTINELS: at(sentinel), REDIS_SENTINEL_NAME: 'pages' },
        REDIS_SENTINEL_PASSWORD: 'of-sentinel',
      },
      says: 'watches no master named "pages": correct redis.name (REDIS_SENTINEL_NAME)',
    }),
  ],
  [
    'a wrong password of a Sentinel',
    () => ({
      redis: { sentinels: [{ host: sentinel.host, port: sentinel.port }], name: 'boards' },
      env: { REDIS_SENTINELS: at(sentinel), REDIS_SENTINEL_NAME: 'boards' },
      says: 'set redis.sentinelUsername and redis.sentinelPassword (REDIS_SENTINEL_USERNAME, REDIS_SENTINEL_PASSWORD)',
    }),
  ],
  [
    'a server as a Sentinel',
    () => ({
      redis: { sentinels: nodes(node), name: 'boards' },
      env: { REDIS_SENTINELS: at(node), REDIS_SENTINEL_NAME: 'boards' },
      says: 'is no Sentinel: name Sentinels in redis.sentinels, or this server in redis.url',
    }),
  ],
];

describe('a Redis that cannot be used for', () => {
  it.each(cases)('%s is told of to operators of the app and of commands, with what to set', async (_, make) => {
    const { redis, env, says, prefix = freshPrefix() } = make();
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    try {
      const app = await TinyApp.start({ options: { redis, prefix } });
      const health = () => app.nest.get(ActivityHealth).check('redis');
      await waitUntil(async () => JSON.stringify(await health()).includes(JSON.stringify(says).slice(1, -1)));
      const lines = logged.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(says));
      expect(lines).toEqual([expect.stringMatching(/^Redis cannot be used: /)]);
    } finally {
      logged.mockRestore();
    }
    const { exitCode, err } = await runCli(['verify'], { env });
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining(` cannot be used: `) });
    expect(err).toContain(says);
    expect(err.split('\n')).toHaveLength(2);
    expect(err).not.toMatch(/secret|wrong|of-sentinel/);
  });

  it('is used as soon as it lets the app in', async () => {
    const server = await startRedis({ password: 'of-yesterday' });
    stops.push(() => server.kill());
    const app = await TinyApp.start({ options: { redis: { url: server.url, password: 'of-today' } } });
    const health = () => app.nest.get(ActivityHealth).check('redis');
    await waitUntil(async () => JSON.stringify(await health()).includes('refuses this user or password'));
    const { Redis } = await import('ioredis');
    const operator = new Redis(server.connection);
    await operator.config('SET', 'requirepass', 'of-today');
    operator.disconnect();
    await waitUntil(async () => (await health()).redis.status === 'up');
  });
});
