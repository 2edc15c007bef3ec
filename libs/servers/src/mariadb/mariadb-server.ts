import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServersError } from '../errors';
import { poll } from '../process/poll';
import { freePort, isFree, loopback } from '../process/ports';
import { ServerProcess } from '../process/server-process';
import { findOrInstallMariaDb, type MariaDbFiles } from './find-mariadb';

/** Options of {@link startMariaDb}; all may be left out. */
export interface MariaDbServerOptions {
  /** Further arguments of mariadbd, e.g. `['--sql-mode=ANSI']`; they win over our own. */
  readonly args?: readonly string[];
  /** Given each line the server prints, and what is installed. */
  readonly log?: (line: string) => void;
}

const readyWithinMs = 60_000;
const portAttempts = 5;

/** The name of the server, of its one user and of its database. */
const name = 'laurel';

/** Nothing of it needs to survive a crash. */
const unsafeButFast = ['--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0', '--sync-frm=0'];

/** A MariaDB server of our own on the loopback address. It never outlives the process that started it. */
export class MariaDbServer {
  private constructor(
    /** `mysql://` with user, password and database. */
    readonly url: string,
    readonly port: number,
    private readonly process: ServerProcess,
    private readonly folder: string,
  ) {}

  static async start({ args = [], log }: MariaDbServerOptions): Promise<MariaDbServer> {
    const files = await findOrInstallMariaDb(log ? { log } : {});
    const folder = await mkdtemp(join(tmpdir(), 'laurel-mariadb-'));
    try {
      const password = randomBytes(24).toString('base64url');
      await fill(files, folder, password);
      for (let attempt = 1; ; attempt++) {
        const port = await freePort();
        try {
          const server = await launch(files.program, folder, port, { args, ...(log && { log }) });
          return new MariaDbServer(`mysql://${name}:${password}@${loopback}:${port}/${name}`, port, server, folder);
        } catch (error) {
          if (attempt === portAttempts || (await isFree(port))) throw error;
        }
      }
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get pid(): number {
    return this.process.pid;
  }

  /** Kills it, as a crash would, and removes its files. Resolves when it is gone. */
  async kill(): Promise<void> {
    await this.process.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * Starts a MariaDB server on the loopback address, with a data folder of its own that is removed when it is killed, and
 * waits until it answers.
 * @throws ServersError `notInstalled`, or `startFailed` with the server's last lines.
 */
export function startMariaDb(options: MariaDbServerOptions = {}): Promise<MariaDbServer> {
  return MariaDbServer.start(options);
}

/** As root it runs as root, which it does if told so alone: it is this machine's, and for as long as we run. */
function ownArgs(folder: string): readonly string[] {
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  return ['--no-defaults', ...user, `--datadir=${folder}/data`, '--innodb-log-file-size=16M', ...unsafeButFast];
}

/**
 * Makes its own tables, and writes what it does first when it starts: makes the user, with a password, and a database.
 */
async function fill({ program, systemTables }: MariaDbFiles, folder: string, password: string): Promise<void> {
  await mkdir(join(folder, 'data'));
  const child = spawn(program, [...ownArgs(folder), '--bootstrap'], { stdio: ['pipe', 'ignore', 'pipe'] });
  const printed: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => printed.push(chunk));
  child.stdin.on('error', () => undefined); // it ended before it had read all: its code says so
  child.stdin.end(`CREATE DATABASE mysql;\nUSE mysql;\n${await readFile(systemTables, 'utf8')}`);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    throw new ServersError(
      'startFailed',
      `MariaDB could not fill ${folder}. It said:\n${String(Buffer.concat(printed))}`,
    );
  }
  const user = `${name}@'${loopback}'`;
  const statements = [
    `CREATE USER ${user} IDENTIFIED BY '${password}';`,
    `GRANT ALL ON *.* TO ${user} WITH GRANT OPTION;`,
    `CREATE DATABASE ${name} CHARACTER SET utf8mb4;`,
  ];
  await writeFile(join(folder, 'first.sql'), `${statements.join('\n')}\n`, { mode: 0o600 });
}

async function launch(
  file: string,
  folder: string,
  port: number,
  { args, log }: MariaDbServerOptions & { readonly args: readonly string[] },
): Promise<ServerProcess> {
  const network = [`--bind-address=${loopback}`, `--port=${port}`, `--socket=${folder}/socket`, '--skip-name-resolve'];
  const start = [`--init-file=${folder}/first.sql`, `--pid-file=${folder}/pid`];
  let isReady = false;
  const server = await ServerProcess.start({
    file,
    args: [...ownArgs(folder), ...network, ...start, ...args],
    cwd: folder,
    stopSignal: 'TERM',
    log: (line) => {
      isReady ||= line.includes('ready for connections');
      log?.(line);
    },
  });
  await poll(() => Promise.resolve(isReady || undefined), { withinMs: readyWithinMs, until: () => server.hasEnded });
  if (isReady && !server.hasEnded) return server;
  await server.kill();
  throw new ServersError('startFailed', `MariaDB did not start in ${folder}. It said:\n${server.output}`);
}
