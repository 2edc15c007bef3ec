import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type * as schema from './schema';

/** Injects the {@link Database}. */
export const DATABASE = Symbol('DATABASE');

/** The community's database. */
export type Database = NodePgDatabase<typeof schema>;

/** A transaction of it. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
