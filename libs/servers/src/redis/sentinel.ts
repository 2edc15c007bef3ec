import { Redis } from 'ioredis';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServersError } from '../errors';
import { poll } from '../process/poll';
import { freePort, loopback } from '../process/ports';
import { ServerProcess } from '../process/server-process';
import { findOrInstallRedis } from './find-redis';
import type { RedisServer } from './redis-server';

/** Options of {@link startSentinel}. */
export interface SentinelOptions {
  /** The name under which it watches the master. */
  readonly name: string;
  readonly master: RedisServer;
  /** How many replicas it has found when it is started (0). */
  readonly replicas?: number;
  /** The password of its own clients. */
  readonly password?: string;
}

/** How long it may take to answer, and to know the master's replicas, of which it asks every ten seconds. */
const readyWithinMs = 30_000;

/** A Sentinel of our own on the loopback address, which decides alone. It never outlives who started it. */
export class Sentinel {
  readonly host = loopback;

  private constructor(
    readonly port: number,
    private readonly client: Redis,
    private readonly process: ServerProcess,
    private readonly folder: string,
    private readonly name: string,
  ) {}

  static async start({ name, master, replicas = 0, password }: SentinelOptions): Promise<Sentinel> {
    const [file, port] = [await findOrInstallRedis(), await freePort()];
    const folder = await mkdtemp(join(tmpdir(), 'laurel-sentinel-'));
    const { host, port: watched, password: asked } = master.connection;
    const lines = [
      ...[`port ${port}`, `bind ${loopback}`, `dir ${folder}`],
      ...[`sentinel monitor ${name} ${host} ${watched} 1`, `sentinel down-after-milliseconds ${name} 1000`],
      ...(asked === undefined ? [] : [`sentinel auth-pass ${name} ${asked}`]),
      ...(password === undefined ? [] : [`requirepass ${password}`]),
    ];
    const config = join(folder, 'sentinel.conf');
    await writeFile(config, `${lines.join('\n')}\n`);
    const process = await ServerProcess.start({ file, args: [config, '--sentinel'], stopSignal: 'TERM' });
    const client = new Redis({ host: loopback, port, ...(password !== undefined && { password }) });
    client.on('error', () => undefined); // expected until it listens
    const sentinel = new Sentinel(port, client, process, folder, name);
    const knows = async () => (((await sentinel.told('num-slaves')) ?? '-') === String(replicas) ? true : undefined);
    if (await poll(knows, { withinMs: readyWithinMs, until: () => process.hasEnded })) return sentinel;
    await sentinel.kill();
    throw new ServersError(
      'startFailed',
      `${file} did not start as a Sentinel on ${port}. It said:\n${process.output}`,
    );
  }

  /** Makes a replica the master; resolves when the Sentinel names it. */
  async failover(): Promise<void> {
    const before = await this.told('port');
    await this.client.call('SENTINEL', 'FAILOVER', this.name);
    const isOther = async () => ((await this.told('port')) === before ? undefined : true);
    if (await poll(isOther, { withinMs: readyWithinMs })) return;
    throw new ServersError('startFailed', 'The Sentinel took too long to name another master.');
  }

  /** The Sentinel's record of the master. */
  private async told(field: string): Promise<string | undefined> {
    const said = (await this.client.call('SENTINEL', 'MASTER', this.name)) as readonly string[];
    return said[said.indexOf(field) + 1];
  }

  /** Kills it, and removes its files. */
  async kill(): Promise<void> {
    this.client.disconnect();
    await this.process.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * Starts a Sentinel that watches a master, and waits until it knows the master's replicas.
 * @throws ServersError `notInstalled`, or `startFailed` with its last lines.
 */
export function startSentinel(options: SentinelOptions): Promise<Sentinel> {
  return Sentinel.start(options);
}
