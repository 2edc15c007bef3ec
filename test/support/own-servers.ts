import {
  startRedis,
  startRedisCluster,
  type RedisCluster,
  type RedisClusterOptions,
  type RedisServer,
  type RedisServerOptions,
} from '@laurel/servers';
import { Cluster, Redis } from 'ioredis';
import { afterThisTest } from './endings';

/** Servers of one suite alone, and a client of them. Both are there from the suite's first test to its last. */
export interface OwnServers<Servers, Client> {
  readonly servers: Servers;
  readonly client: Client;
}

/** A Redis of one test. */
export async function redisOfTest(options?: RedisServerOptions): Promise<RedisServer> {
  const server = await startRedis(options);
  afterThisTest(() => server.stop());
  return server;
}

/** A Redis for a suite that scans all keys, or counts the server's calls. Called in a `describe` or a file. */
export function ownRedis(options?: RedisServerOptions): OwnServers<RedisServer, Redis> {
  return own(
    () => startRedis(options),
    (server) => new Redis(server.url),
    (client) => client.disconnect(),
  );
}

/** As {@link ownRedis}, a Cluster; without options of three masters. */
export function ownCluster(options: RedisClusterOptions = {}): OwnServers<RedisCluster, Cluster> {
  return own(
    () => startRedisCluster(options),
    (cluster) => new Cluster([...cluster.nodes]),
    (client) => client.disconnect(),
  );
}

/** Servers of one suite. What uses them to its end is ended by an `afterAll` that stands before the call. */
export function own<Servers extends { kill(): Promise<void> }, Client>(
  start: () => Promise<Servers>,
  connect: (servers: Servers) => Client,
  leave: (client: Client) => unknown,
): OwnServers<Servers, Client> {
  let started: OwnServers<Servers, Client> | undefined;
  beforeAll(async () => {
    const servers = await start();
    started = { servers, client: connect(servers) };
  });
  afterAll(async () => {
    if (started) await leave(started.client);
    await started?.servers.kill();
  });
  const running = (): OwnServers<Servers, Client> => {
    if (!started) throw new Error('A suite has servers of its own in its tests and hooks alone.');
    return started;
  };
  return {
    get servers() {
      return running().servers;
    },
    get client() {
      return running().client;
    },
  };
}
