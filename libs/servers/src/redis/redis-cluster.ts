import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServersError } from '../errors';
import { formCluster } from './form-cluster';
import { agreed, isWell, ownerOf, withNodes } from './nodes';
import { type RedisServer, type RedisServerOptions, startRedis } from './redis-server';
import { SlotMove } from './slot-move';

/** Options of {@link startRedisCluster}; all may be left out. */
export interface RedisClusterOptions extends Pick<RedisServerOptions, 'password' | 'tls'> {
  /** How many masters share the slots (3, the fewest that can elect a successor). */
  readonly masters?: number;
  /** How many replicas each master has (0). */
  readonly replicas?: number;
  /** After how long without an answer a node counts as failed (2000 ms). */
  readonly nodeTimeoutMs?: number;
  /** Further arguments of every redis-server. */
  readonly args?: readonly string[];
  /** Given each line the servers print, and what is installed. */
  readonly log?: (line: string) => void;
}

/**
 * A Redis Cluster of our own on the loopback address. Each node keeps an append-only file for as long as the cluster
 * lives, so that a node that is killed and restarted comes back with its data.
 */
export class RedisCluster {
  private constructor(
    /**
     * The masters as they were created, then the replicas: replica i of master m is `servers[masters * (1 + i) + m]`.
     */
    readonly servers: readonly RedisServer[],
    private readonly folder: string,
  ) {}

  static async start(options: RedisClusterOptions): Promise<RedisCluster> {
    const { masters = 3, replicas = 0, nodeTimeoutMs = 2_000, args = [], log, password, tls } = options;
    checkCount('masters', masters, 1);
    checkCount('replicas', replicas, 0);
    const folder = await mkdtemp(join(tmpdir(), 'laurel-cluster-'));
    const servers: RedisServer[] = [];
    const cluster = new RedisCluster(servers, folder);
    try {
      for (let node = 0; node < masters * (1 + replicas); node++) {
        const own = [
          ...['--cluster-node-timeout', String(nodeTimeoutMs)],
          // Replicas are in sync, and known to clients, as soon as can be.
          ...['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'],
        ];
        const dataDir = join(folder, String(node));
        const access = { ...(password !== undefined && { password }), ...(tls && { tls }) };
        const server = { dataDir, cluster: true, args: [...own, ...args], ...access, ...(log && { log }) };
        servers.push(await startRedis(server));
      }
      await formCluster(servers, masters);
      return cluster;
    } catch (error) {
      await cluster.kill();
      throw error;
    }
  }

  /** The servers that were not killed or stopped. */
  get running(): readonly RedisServer[] {
    return this.servers.filter((server) => server.isRunning);
  }

  /** Where the nodes listen: what a client of the cluster is given to start from. */
  get nodes(): readonly { readonly host: string; readonly port: number }[] {
    return this.servers.map(({ host, port }) => ({ host, port }));
  }

  /**
   * The server that serves a slot now.
   * @throws ServersError `startFailed` where none does within 30 s.
   */
  async masterOf(slot: number): Promise<RedisServer> {
    let owner: RedisServer | undefined;
    await withNodes(this.running.slice(0, 1), (nodes) =>
      agreed(`to say who serves slot ${slot}`, nodes, async (node) => {
        const port = (await isWell(node)) ? await ownerOf(node, slot) : undefined;
        owner = this.running.find((server) => server.port === port);
        return owner !== undefined;
      }),
    );
    return owner as RedisServer;
  }

  /**
   * Begins to move a slot to another master; its keys go when the move is told to. {@link moveSlot} does all at once.
   */
  async beginMove(slot: number, to: RedisServer): Promise<SlotMove> {
    return SlotMove.begin(slot, await this.masterOf(slot), to);
  }

  /** Moves a slot with its keys to another master; resolves when every node knows. */
  async moveSlot(slot: number, to: RedisServer): Promise<void> {
    await (await this.beginMove(slot, to)).finish(this.running);
  }

  /**
   * Kills the master of a slot, as a crash would, and waits until a replica serves in its place and every node left
   * says that all is well. Writes that no replica had yet are lost: Redis replicates without waiting.
   * @returns the server killed, which {@link rejoin} brings back, and its successor.
   */
  async failover(slot: number): Promise<{ readonly killed: RedisServer; readonly successor: RedisServer }> {
    const killed = await this.masterOf(slot);
    await killed.kill();
    let successor: number | undefined;
    await withNodes(this.running, (nodes) =>
      agreed('to elect a successor', nodes, async (node) => {
        successor = await ownerOf(node, slot);
        return (await isWell(node)) && successor !== undefined && successor !== killed.port;
      }),
    );
    return { killed, successor: this.running.find(({ port }) => port === successor) as RedisServer };
  }

  /** Starts a killed server again and waits until it follows its successor with all of its data. */
  async rejoin(server: RedisServer): Promise<void> {
    await server.restart();
    await withNodes([server], (nodes) =>
      agreed('to take a node back', nodes, async (node) => {
        const info = await node.info('replication');
        return info.includes('master_link_status:up\r\n') && (await isWell(node));
      }),
    );
  }

  /** The servers that follow a master now. */
  async replicasOf(master: RedisServer): Promise<RedisServer[]> {
    const info = await withNodes([master], ([node]) => node.info('replication'));
    const ports = [...info.matchAll(/^slave\d+:ip=[^,]+,port=(\d+)/gm)].map((match) => Number(match[1]));
    return this.running.filter(({ port }) => ports.includes(port));
  }

  /** Stops all nodes and removes their files. */
  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Kills all nodes at once, and removes their files. */
  async kill(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.kill()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * Starts a real Redis Cluster on the loopback address and waits until every node says that all is well and every
 * replica has its master's data.
 * @throws ServersError `notInstalled`, `startFailed` or `invalidOption`.
 */
export function startRedisCluster(options: RedisClusterOptions = {}): Promise<RedisCluster> {
  return RedisCluster.start(options);
}

function checkCount(name: string, count: number, least: number): void {
  if (Number.isInteger(count) && count >= least && count <= 100) return;
  throw new ServersError('invalidOption', `${name} is ${count}: use a whole number from ${least} to 100.`);
}
