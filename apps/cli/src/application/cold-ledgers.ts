import type { ColdLedgersModuleOptions } from '@laurel/activity/cold';
import { PostgresColdStores } from '@laurel/archive';
import { readStoredSettings } from '@laurel/leaderboard';
import { textOf } from '@laurel/settings';
import { CommandError } from '../errors/command-error';
import type { Access } from './access';
import type { CommandContext } from './command-context';
import { openDatabase } from './database';
import type { OpenRedis } from './open-redis';

/** The store of an app's old ledgers, opened for one command. */
export interface OpenColdLedgers {
  /** Null: no command reaches it, or the environment does not say where it is. */
  readonly options: ColdLedgersModuleOptions | null;
  close(): Promise<void>;
}

/**
 * The store that the app has named in Redis; null: it has none.
 * @throws CommandError where the command would record what such a store may have.
 */
export async function coldLedgers(
  { client, prefix }: OpenRedis,
  context: CommandContext,
  access: Access,
): Promise<OpenColdLedgers | null> {
  const { coldStore = null } = (await readStoredSettings(client, prefix)) ?? {};
  if (coldStore === null) return null;
  const close = () => Promise.resolve();
  if (coldStore === 'redis') return { options: {}, close };
  const { databaseUrl } = await context.config();
  if (coldStore === 'postgres' && (databaseUrl ?? textOf(context.env, 'DATABASE_URL')) !== undefined) {
    const database = await openDatabase(context);
    return { options: { stores: new PostgresColdStores(database.pool) }, close: () => database.close() };
  }
  if (access !== 'begins') return { options: null, close };
  const remedy = coldStore === 'postgres' ? ': set DATABASE_URL, as for the app' : ', which no command reaches';
  throw new CommandError(`The app keeps ledgers that are too old for Redis elsewhere${remedy}.`);
}
