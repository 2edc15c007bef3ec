import { dataDirFrom, textOf } from '@laurel/settings';
import { findRunningPostgres, ServersError, startPostgres } from '@laurel/servers';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Pool } from 'pg';
import { CommandError } from '../errors/command-error';
import type { Terminal } from '../output/terminal';
import type { CommandContext } from './command-context';

/** The app's database, opened for one command. */
export interface OpenDatabase {
  readonly pool: Pool;
  /** Disconnects, and stops the private server where the command started it. */
  close(): Promise<void>;
}

/**
 * The database that the configuration or DATABASE_URL names; without one the private server in LAUREL_DATA_DIR: that of
 * an app that runs now, else one on the same files for as long as the command takes.
 * @throws CommandError if the database does not answer.
 */
export async function openDatabase({ env, terminal, config }: CommandContext): Promise<OpenDatabase> {
  const { databaseUrl, file } = await config();
  const inVariable = textOf(env, 'DATABASE_URL');
  if (databaseUrl !== undefined && inVariable !== undefined && databaseUrl !== inVariable) {
    // Neither is shown: they may hold passwords.
    throw new CommandError(`databaseUrl in ${file} is another than DATABASE_URL: leave one of them out.`);
  }
  const named = databaseUrl ?? inVariable;
  const server = named === undefined ? await openPrivatePostgres(env, terminal) : undefined;
  const pool = new Pool({ connectionString: named ?? server?.url, max: 1, connectionTimeoutMillis: 10_000 });
  pool.on('error', () => undefined); // the query under way fails by itself
  const close = async (): Promise<void> => {
    await pool.end();
    await server?.stop();
  };
  try {
    await pool.query('SELECT 1');
    return { pool, close };
  } catch (cause) {
    await close();
    throw new CommandError('The database does not answer: start it, or correct DATABASE_URL.', { cause });
  }
}

interface PrivatePostgres {
  readonly url: string;
  stop(): Promise<void>;
}

async function openPrivatePostgres(env: NodeJS.ProcessEnv, { err }: Terminal): Promise<PrivatePostgres> {
  const dataDir = resolve(dataDirFrom(env), 'postgres');
  const running = await findRunningPostgres(dataDir);
  if (running !== undefined) return { url: running, stop: () => Promise.resolve() };
  if (!existsSync(dataDir)) {
    throw new CommandError(
      `DATABASE_URL is not set, and there is no private PostgreSQL in ${dataDir}: set it, as for the app.`,
    );
  }
  try {
    return await startPostgres({ dataDir });
  } catch (error) {
    if (!(error instanceof ServersError)) throw error;
    err.write('DATABASE_URL is not set, and no private PostgreSQL could be started.\n');
    throw new CommandError(error.message, { cause: error });
  }
}
