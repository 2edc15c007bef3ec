import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { ServersError } from '../errors';
import { poll } from '../process/poll';
import { freePort, isFree, loopback } from '../process/ports';
import { ServerProcess } from '../process/server-process';
import { awaitFreeFolder, holdFolder } from './data-lock';
import { findOrInstallRedis } from './find-redis';

/** Options of {@link startRedis}; all may be left out. */
export interface RedisServerOptions {
  /** Where its data outlives it (append-only file, synced every second). Left out: nothing is kept. */
  readonly dataDir?: string;
  /** The port to listen on. Left out: a free one. */
  readonly port?: number;
  /** A node of a Redis Cluster, still alone: cluster mode on, its second port free too. Needs a `dataDir`. */
  readonly cluster?: boolean;
  /** The password of clients and other nodes. */
  readonly password?: string;
  /** It speaks TLS alone, also with other nodes. A client may show a certificate of the same authority. */
  readonly tls?: CertificateFiles;
  /** Further arguments of redis-server, e.g. `['--maxmemory', '100mb']`; they win over our own. */
  readonly args?: readonly string[];
  /** A program that runs the server, with its own arguments, e.g. `['valgrind', '--tool=callgrind']`. */
  readonly under?: readonly string[];
  /** Where its program is unpacked, where it is missing and we may not install it. Left out: nowhere. */
  readonly programsDir?: string;
  /** Whether a Redis that is missing is installed from Debian's packages where we are root. Default true. */
  readonly installs?: boolean;
  /** Given each line the server prints, and what is installed. */
  readonly log?: (line: string) => void;
}

/** Files in PEM: a certificate and its key, and the certificate of the authority that issued it. */
export interface CertificateFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** The options of an ioredis client that connects to a server. */
export interface ServerConnection {
  readonly host: string;
  readonly port: number;
  readonly password?: string;
  readonly tls?: CertificateFiles;
}

/** How long a server may take until it answers: loading a large append-only file takes a while. */
const readyWithinMs = 60_000;

/** A taken port shows only when the server tries to listen: so many other ports are tried. */
const portAttempts = 5;

// Clients and other nodes are told the loopback address: a node that met no other yet knows none of its own.
const clusterArgs = [
  '--cluster-enabled',
  'yes',
  '--cluster-config-file',
  'nodes.conf',
  '--cluster-announce-ip',
  loopback,
];

/** A Redis server of our own on the loopback address. It never outlives the process that started it. */
export class RedisServer {
  private constructor(
    private readonly file: string,
    private readonly options: RedisServerOptions,
    readonly port: number,
    private process: ServerProcess,
  ) {}

  /** Starts one and waits until it answers. */
  static async start(options: RedisServerOptions): Promise<RedisServer> {
    const file = await findOrInstallRedis(options);
    if (options.dataDir !== undefined) await mkdir(options.dataDir, { recursive: true });
    for (let attempt = 1; ; attempt++) {
      const port = options.port ?? (await freePort(options.cluster));
      try {
        return new RedisServer(file, options, port, await launch(file, port, options));
      } catch (error) {
        if (options.port !== undefined || attempt === portAttempts || (await isFree(port))) throw error;
      }
    }
  }

  readonly host = loopback;

  /** Without its password. */
  get url(): string {
    return `${this.options.tls ? 'rediss' : 'redis'}://${loopback}:${this.port}`;
  }

  /** All that a client needs, with the contents of the certificates' files. */
  get connection(): ServerConnection {
    return connectionOf(this.port, this.options);
  }

  /** The server's process id; another one after {@link restart}. */
  get pid(): number {
    return this.process.pid;
  }

  /** Whether it has not ended, by whatever cause. */
  get isRunning(): boolean {
    return !this.process.hasEnded;
  }

  /** Stops it in order; with a `dataDir` everything is on disk then. Resolves when it is gone. */
  stop(): Promise<void> {
    return this.process.stop();
  }

  /** Kills it, as a crash would. Resolves when it is gone. */
  kill(): Promise<void> {
    return this.process.kill();
  }

  /** Freezes it: connections stay open and nothing is answered, as on a machine that hangs. */
  pause(): void {
    this.process.send('SIGSTOP');
  }

  /** Lets a paused server go on. */
  resume(): void {
    this.process.send('SIGCONT');
  }

  /** Stops it, if it still runs, and starts it again on the same port with the same options. */
  async restart(): Promise<void> {
    await this.stop();
    this.process = await launch(this.file, this.port, this.options);
  }
}

/**
 * Starts a Redis server on the loopback address and waits until it answers.
 * @throws ServersError `notInstalled`, `dataDirInUse`, or `startFailed` with the server's last lines.
 */
export function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  return RedisServer.start(options);
}

function connectionOf(port: number, { password, tls }: RedisServerOptions): ServerConnection {
  const read = (file: string) => readFileSync(file, 'utf8');
  return {
    ...{ host: loopback, port },
    ...(password !== undefined && { password }),
    ...(tls && { tls: { ca: read(tls.ca), cert: read(tls.cert), key: read(tls.key) } }),
  };
}

/** Arguments for what clients and other nodes have to do to be let in. */
function accessArgs(port: number, { password, tls }: RedisServerOptions): string[] {
  return [
    ...(tls
      ? [
          ...['--port', '0', '--tls-port', String(port), '--tls-cluster', 'yes', '--tls-replication', 'yes'],
          ...['--tls-ca-cert-file', resolve(tls.ca), '--tls-cert-file', resolve(tls.cert)],
          ...['--tls-key-file', resolve(tls.key), '--tls-auth-clients', 'optional'],
        ]
      : ['--port', String(port)]),
    ...(password === undefined ? [] : ['--requirepass', password, '--masterauth', password]),
  ];
}

async function launch(file: string, port: number, options: RedisServerOptions): Promise<ServerProcess> {
  const { cluster = false, args = [], under = [], log } = options;
  const dataDir = options.dataDir === undefined ? undefined : resolve(options.dataDir);
  const keep = dataDir === undefined ? ['--appendonly', 'no'] : ['--appendonly', 'yes', '--appendfsync', 'everysec'];
  if (dataDir !== undefined) await awaitFreeFolder(dataDir);
  const [runner, ...before] = under;
  const server = await ServerProcess.start({
    file: runner ?? file,
    args: [
      ...(runner === undefined ? [] : [...before, file]),
      ...[...accessArgs(port, options), '--bind', loopback, '--protected-mode', 'yes', '--daemonize', 'no'],
      // A name of its own: it loads no snapshot that another server left. Replicas get theirs by such a file, too.
      ...['--dir', dataDir ?? tmpdir(), '--dbfilename', `laurel-${randomUUID()}.rdb`, '--rdb-del-sync-files', 'yes'],
      ...['--save', '', ...keep],
      ...(cluster ? clusterArgs : []),
      ...args,
    ],
    stopSignal: 'TERM',
    ...(log && { log }),
  });
  if (dataDir !== undefined) await holdFolder(dataDir, { pid: server.pid, port });
  if (await answers(server, connectionOf(port, options))) return server;
  await server.kill();
  throw new ServersError('startFailed', `${file} did not start on port ${port}. It said:\n${server.output}`);
}

/** Waits until our own process, and no other server of that port, answers and has loaded its data. */
async function answers(server: ServerProcess, connection: ServerConnection): Promise<boolean> {
  const client = new Redis({ ...connection, lazyConnect: true, retryStrategy: null, enableReadyCheck: false });
  client.on('error', () => undefined); // expected until the server listens
  try {
    const ready = await poll(
      async () => {
        if (client.status !== 'ready') await client.connect();
        const isOurs = (await client.info('server')).includes(`process_id:${server.pid}\r\n`);
        return isOurs && (await client.ping()) === 'PONG' ? true : undefined;
      },
      { withinMs: readyWithinMs, until: () => server.hasEnded },
    );
    return ready === true;
  } finally {
    client.disconnect();
  }
}
