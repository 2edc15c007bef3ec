import clusterKeySlot from 'cluster-key-slot';
import type { Cluster, Redis } from 'ioredis';
import { unavailable } from '../errors/errors';
import { cached } from '../lists/lists';
import type { RedisClient } from './redis-client';
import { type Argument, type Given, orderedCall } from './run';
import type { Names, Script } from '../scripts/script';
import { served } from './served';

/** Acknowledge data only when enough replicas have it: a failover to one of them does not lose it. */
export interface WaitForReplicas {
  /** How many replicas must have it before it is acknowledged, 1 to 10. */
  readonly replicas: number;
  /** How long a try waits for them before it fails as `unavailable`, 10 to 60,000. @defaultValue `500` */
  readonly timeoutMs?: number;
}

/** How much longer than for its replicas a command waits for Redis. */
const commandMs = 900;

/**
 * Runs scripts whose effects are on replicas when the call resolves. WAIT counts only the writes of its own connection.
 * So the script, a SET of a small key and WAIT travel together over a separate connection to the slot's master, and
 * ioredis never sends them again. The extra SET gives WAIT something to wait for when a retry finds everything written
 * already.
 */
export class ReplicatedScripts {
  private readonly connections = new Map<string, Redis>();

  constructor(
    private readonly redis: RedisClient,
    private readonly options: Required<WaitForReplicas>,
  ) {
    redis.on('end', () => this.close());
  }

  /** Closes the connections; a later call opens new ones. */
  close(): void {
    for (const connection of this.connections.values()) connection.disconnect();
  }

  /**
   * One round trip, and the master's to its replicas.
   * @param mark a key in the slot of the others.
   * @throws LeaderboardError `unavailable` if too few replicas acknowledge in time: the script ran, and repeating is
   * safe.
   */
  async run<K extends Names, A extends Names>(
    script: Script<K, A>,
    keys: Given<K, string>,
    args: Given<A, Argument>,
    mark: string,
  ): Promise<unknown> {
    const { count, rest } = orderedCall(script, keys, args);
    return served(this.redis, mark, async () => {
      const connection = this.connectionFor(mark);
      try {
        return await this.send(connection, ['EVALSHA', script.sha1, count, ...rest], mark);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (error.message.startsWith('NOSCRIPT')) {
          return this.send(connection, ['EVAL', script.lua, count, ...rest], mark);
        }
        // A retry asks the master that serves the slot by then.
        if (this.redis.isCluster) (this.redis as Cluster).refreshSlotsCache();
        throw error;
      }
    });
  }

  private async send(
    connection: Redis,
    [name, ...args]: readonly [string, ...Argument[]],
    mark: string,
  ): Promise<unknown> {
    const { replicas, timeoutMs } = this.options;
    const pipeline = connection.pipeline().call(name, ...args);
    const replies = (await pipeline.set(mark, '1').call('WAIT', String(replicas), String(timeoutMs)).exec()) ?? [];
    const [reply, ...others] = replies.map(([error, value]) => {
      if (error) throw error;
      return value;
    });
    const reached = Number(others[1]);
    if (reached >= replicas) return reply;
    throw unavailable(
      `It is done, but on ${reached} of ${replicas} replicas after ${timeoutMs} ms; repeating it is safe.`,
    );
  }

  private connectionFor(key: string): Redis {
    const { address, node } = this.masterOf(key);
    return cached(this.connections, address, () => {
      const withinMs = this.options.timeoutMs + commandMs;
      const own = node.duplicate({
        lazyConnect: false,
        enableOfflineQueue: true,
        // ioredis must not send commands again over a new connection: WAIT would not count their writes.
        autoResendUnfulfilledCommands: false,
        maxRetriesPerRequest: 0,
        retryStrategy: () => null,
        commandTimeout: withinMs,
        socketTimeout: withinMs,
      });
      own.on('error', () => undefined);
      own.once('close', () => {
        if (this.connections.get(address) === own) this.connections.delete(address);
      });
      return own;
    });
  }

  private masterOf(key: string): { readonly address: string; readonly node: Redis } {
    if (!this.redis.isCluster) return { address: '', node: this.redis as Redis };
    const cluster = this.redis as Cluster;
    const address = cluster.slots[clusterKeySlot(key)]?.[0] ?? '';
    const node = cluster.nodes('master').find(({ options: { host, port } }) => `${host}:${port}` === address);
    if (node) return { address, node };
    cluster.refreshSlotsCache();
    throw unavailable('No master of the Redis Cluster is known to serve the slot now.');
  }
}
