import { ActivityModule, ActivityService } from '@laurel/activity';
import { Ledgers } from '@laurel/activity/internals';
import { type RedisCluster, startRedisCluster } from '@laurel/servers';
import { activityEnvironment } from '@laurel/settings';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Certificates, makeCertificates } from '../support/certificates';
import { patient } from '../support/patient';
import { freshPrefix } from '../support/redis';
import { runCli } from '../support/run-cli';

/** What the nodes tell clients that they are called: a name of another network. */
const announced = 'node.invalid';

describe('a Redis Cluster that asks for a password and TLS, and announces addresses of another network', () => {
  let certificates: Certificates;
  let cluster: RedisCluster;
  let env: Record<string, string>;
  let app: INestApplicationContext | undefined;

  beforeAll(async () => {
    certificates = await makeCertificates();
    const asNames = ['--cluster-announce-hostname', announced, '--cluster-preferred-endpoint-type', 'hostname'];
    cluster = await startRedisCluster({ replicas: 1, password: 'secret', tls: certificates, args: asNames });
    const secret = join(certificates.ca, '..', 'secret');
    await writeFile(secret, 'secret\n');
    env = {
      REDIS_CLUSTER_NODES: cluster.nodes.map(({ host, port }) => `${host}:${port}`).join(),
      REDIS_PASSWORD_FILE: secret,
      REDIS_TLS_CA_FILE: certificates.ca,
      LAUREL_WAIT_REPLICAS: '1',
      LAUREL_PREFIX: freshPrefix(),
    };
  });
  afterEach(() => app?.close());
  afterAll(async () => {
    await cluster.kill();
    await certificates.remove();
  });

  async function start(variables: Record<string, string>): Promise<INestApplicationContext> {
    const { redis, ...options } = activityEnvironment(variables);
    if (!redis) throw new Error('The environment names a Cluster.');
    const module = ActivityModule.forRoot({
      ...{ ...patient, ...options, redis, controllers: false as const },
      imports: [EventEmitterModule.forRoot()],
    });
    app = await NestFactory.createApplicationContext(module, { logger: false });
    return app;
  }

  it('is told of where nobody says how the addresses are reached', async () => {
    const says = 'start it, or set where it is reached in redis.natMap (REDIS_NAT_MAP)';
    const { exitCode, err } = await runCli(['doctor'], { env });
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining(says) });
    expect(err).toContain(`${announced}:`);
  });

  it('is recorded on and verified through a map of addresses, acknowledged by replicas', async () => {
    const natMap = cluster.nodes.map(({ host, port }) => `${announced}:${port}=${host}:${port}`).join();
    const variables = { ...env, REDIS_NAT_MAP: natMap };
    const service = (await start(variables)).get(ActivityService);
    expect(app?.get(Ledgers).main.shards).toBe(16);
    const praises = Array.from({ length: 60 }, (_, n) => ({ userId: `user ${n}`, action: 'praise', subject: 'a' }));
    const outcomes = await service.record(praises);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['granted']));
    expect(await runCli(['verify'], { env: variables })).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/: 0 differences\.\n$/),
    });
  });
});
