import { ActivityHealth } from '@laurel/activity';
import { type RedisServer, startRedis, startRedisCluster, startSentinel, type Sentinel } from '@laurel/servers';
import clusterKeySlot from 'cluster-key-slot';
import { Redis } from 'ioredis';
import { type Certificates, makeCertificates } from '../../support/certificates';
import { runCli } from '../../support/run-cli';
import { TinyApp, waitUntil } from '../activity/support';

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
afterAll(async () => {
  for (const stop of stops) await stop();
});

type Variables = Readonly<Record<string, string>>;

/** Production's deadline: an app waits so long for a Redis that it cannot use, and for each look at its health. */
const hasty = { commandTimeoutMs: 900 };

/** A prefix whose data lies on the other node. */
const elsewhere = ['a', 'b', 'c', 'd'].find((prefix) => clusterKeySlot(prefix) > 8_192) ?? '';

const at = ({ host, port }: { readonly host: string; readonly port: number }) => `${host}:${port}`;
const secret = { REDIS_PASSWORD: 'secret' };
const trusting = ({ ca }: Certificates) => ({ ...secret, REDIS_TLS_CA_FILE: ca });
const watched = (name: string): Variables => ({ REDIS_SENTINELS: at(sentinel), REDIS_SENTINEL_NAME: name });

/** What is wrong, the variables that say it, and what the operators are told to set. */
const cases: readonly (readonly [string, () => Variables, string])[] = [
  [
    'no password',
    () => ({ REDIS_URL: plain.url }),
    'Redis asks for a password: set redis.username and redis.password (REDIS_USERNAME, REDIS_PASSWORD)',
  ],
  [
    'a wrong password',
    () => ({ REDIS_URL: plain.url, REDIS_PASSWORD: 'wrong' }),
    'Redis refuses this user or password: correct redis.username and redis.password',
  ],
  [
    'a wrong user of a Cluster',
    () => ({ REDIS_CLUSTER_NODES: at(plain), REDIS_USERNAME: 'nobody', ...secret }),
    'Redis refuses this user or password',
  ],
  [
    'TLS to a plain port',
    () => ({ REDIS_URL: plain.url, ...secret, REDIS_TLS: 'on' }),
    'Redis speaks no TLS at this port: use redis:// and leave redis.tls (REDIS_TLS) out',
  ],
  [
    'TLS to plain ports of a Cluster',
    () => ({ REDIS_CLUSTER_NODES: at(plain), ...secret, REDIS_TLS: 'on' }),
    'Redis speaks no TLS at this port',
  ],
  [
    'no TLS where Redis speaks nothing else',
    () => ({ REDIS_URL: `redis://${at(secure)}`, ...secret }),
    'Redis speaks TLS alone at this port: use rediss://, or set redis.tls (REDIS_TLS=on)',
  ],
  [
    'no TLS where a Cluster speaks nothing else',
    () => ({ REDIS_CLUSTER_NODES: at(secure), ...secret }),
    'Redis speaks TLS alone at this port',
  ],
  [
    'an unknown authority',
    () => ({ REDIS_URL: secure.url, ...trusting(other) }),
    "give the authority's certificate in redis.tls.ca (REDIS_TLS_CA_FILE)",
  ],
  [
    'an unknown authority of a Cluster',
    () => ({ REDIS_CLUSTER_NODES: at(secure), ...secret, REDIS_TLS: 'on' }),
    "give the authority's certificate in redis.tls.ca (REDIS_TLS_CA_FILE)",
  ],
  [
    'another name than that in the certificate',
    () => ({ REDIS_URL: secure.url, ...trusting(certificates), REDIS_TLS_SERVERNAME: 'elsewhere' }),
    'give it in redis.tls.servername (REDIS_TLS_SERVERNAME)',
  ],
  [
    'no certificate of its own',
    () => ({ REDIS_URL: mutual.url, ...trusting(certificates) }),
    'set redis.tls.cert and redis.tls.key (REDIS_TLS_CERT_FILE, REDIS_TLS_KEY_FILE)',
  ],
  [
    'a Unix socket that is not there',
    () => ({ REDIS_URL: 'unix:///nowhere/redis.sock' }),
    'there is no such Unix socket: correct redis.url',
  ],
  [
    'a node of a Cluster as one server',
    () => ({ REDIS_URL: node.url, LAUREL_PREFIX: elsewhere }),
    'name it in redis.nodes (REDIS_CLUSTER_NODES) in place of redis.url',
  ],
  [
    'one server as a Cluster',
    () => ({ REDIS_CLUSTER_NODES: at(plain), ...secret }),
    'this is no Redis Cluster: name it in redis.url (REDIS_URL) in place of redis.nodes',
  ],
  [
    'a master that the Sentinel does not watch',
    () => ({ ...watched('pages'), REDIS_SENTINEL_PASSWORD: 'of-sentinel' }),
    'watches no master named "pages": correct redis.name (REDIS_SENTINEL_NAME)',
  ],
  [
    'a wrong password of a Sentinel',
    () => watched('boards'),
    'set redis.sentinelUsername and redis.sentinelPassword (REDIS_SENTINEL_USERNAME, REDIS_SENTINEL_PASSWORD)',
  ],
  [
    'a server as a Sentinel',
    () => ({ REDIS_SENTINELS: at(node), REDIS_SENTINEL_NAME: 'boards' }),
    'is no Sentinel: name Sentinels in redis.sentinels, or this server in redis.url',
  ],
];

describe('a Redis that cannot be used for', () => {
  it.each(cases)('%s is told of to operators, with what to set', async (_, make, says) => {
    const env = make();
    const { exitCode, err } = await runCli(['doctor'], { env });
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining(` cannot be used: `) });
    expect(err).toContain(says);
    expect(err.split('\n')).toHaveLength(2);
    expect(err).not.toMatch(/secret|wrong|of-sentinel/);
  });

  it('is used as soon as it lets the app in', async () => {
    const server = await startRedis({ password: 'of-yesterday' });
    stops.push(() => server.kill());
    const app = await TinyApp.start({ options: { redis: { url: server.url, password: 'of-today' }, ...hasty } });
    const env = { REDIS_URL: server.url, REDIS_PASSWORD: 'of-today' };
    expect((await runCli(['doctor'], { env })).err).toContain('refuses this user or password');
    const operator = new Redis(server.connection);
    await operator.config('SET', 'requirepass', 'of-today');
    operator.disconnect();
    await waitUntil(async () => (await app.nest.get(ActivityHealth).check('redis')).redis.status === 'up');
    expect(await runCli(['doctor'], { env })).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('can be used'),
    });
  });
});
