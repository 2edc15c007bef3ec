import type { PostgresServer } from '@laurel/servers';
import { is, SQL } from 'drizzle-orm';
import { getTableConfig, PgDialect, PgTable } from 'drizzle-orm/pg-core';
import { Client } from 'pg';
import * as schema from '../../apps/community/src/database/schema';
import { startTestPostgres } from '../support/postgres';

/** Tables of the libraries, which write their SQL themselves, and what was applied. */
const ofLibraries = /^(?:outbox|settled_\w+|hidden_users|cold_ledgers|applied_migrations)$/;

const tables = Object.values<unknown>(schema).flatMap((one) => (is(one, PgTable) ? [getTableConfig(one)] : []));

/** A column as both sides are compared by it. */
interface Column {
  readonly type: string;
  readonly required: boolean;
  /** What a row has that names no value; `given`: an id of the database's. */
  readonly otherwise: string | null;
}

/** A table as both sides are compared by it. */
interface Table {
  readonly columns: Readonly<Record<string, Column>>;
  readonly key: readonly string[];
  readonly unique: readonly string[];
}

/** `date_trunc('milliseconds'::text, now())` and `date_trunc('milliseconds', now())` are one. */
const plain = (expression: string) => expression.replaceAll(/::[a-z ]+/g, '');

function otherwiseOf(column: (typeof tables)[number]['columns'][number]): string | null {
  if (!column.hasDefault) return null;
  if (!is(column.default, SQL)) return `'${String(column.default)}'`;
  const { sql } = new PgDialect().sqlToQuery(column.default);
  return sql === 'DEFAULT' ? 'given' : plain(sql);
}

/** The tables as queries see them. */
function declared(): Record<string, Table> {
  return Object.fromEntries(
    tables.map(({ name, columns, primaryKeys, indexes }) => [
      name,
      {
        columns: Object.fromEntries(
          columns.map((column) => [
            column.name,
            {
              type: column.getSQLType().replace(' (', '('),
              required: column.notNull,
              otherwise: otherwiseOf(column),
            },
          ]),
        ),
        key: [...columns.filter(({ primary }) => primary), ...primaryKeys.flatMap((key) => key.columns)].map(
          (column) => column.name,
        ),
        unique: indexes.filter(({ config }) => config.unique).map(({ config }) => config.name ?? ''),
      },
    ]),
  );
}

describe('the schema of the community', () => {
  let postgres: PostgresServer;
  let database: Client;

  beforeAll(async () => {
    postgres = await startTestPostgres();
    database = new Client({ connectionString: postgres.url });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await postgres.stop();
  });

  /** The tables as the migrations make them. */
  const migrated = async (): Promise<Record<string, Table>> => {
    const { rows: columns } = await database.query<
      Column & { readonly table: string; readonly name: string; readonly place: number | null }
    >(`
      SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
        a.attnotnull AS required, array_position(k.conkey, a.attnum) AS place,
        CASE WHEN a.attidentity <> '' THEN 'given' ELSE pg_get_expr(d.adbin, d.adrelid) END AS otherwise
      FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      ORDER BY c.relname, a.attnum`);
    const { rows: indexes } = await database.query<{ readonly table: string; readonly name: string }>(`
      SELECT i.indrelid::regclass::text AS table, i.indexrelid::regclass::text AS name
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND i.indisunique AND NOT i.indisprimary AND i.indpred IS NULL
      ORDER BY name`);
    const names = [...new Set(columns.map(({ table }) => table))].filter((name) => !ofLibraries.test(name));
    return Object.fromEntries(
      names.map((table) => {
        const own = columns.filter((column) => column.table === table);
        return [
          table,
          {
            columns: Object.fromEntries(
              own.map(({ name, type, required, otherwise }) => [
                name,
                { type, required, otherwise: otherwise && plain(otherwise) },
              ]),
            ),
            key: own
              .filter(({ place }) => place !== null)
              .sort((a, b) => Number(a.place) - Number(b.place))
              .map(({ name }) => name),
            unique: indexes.filter((index) => index.table === table).map(({ name }) => name),
          },
        ];
      }),
    );
  };

  const expected = Object.fromEntries(
    Object.entries(declared()).map(([name, table]) => [name, { ...table, unique: [...table.unique].sort() }]),
  );

  it('is what the migrations make, in each table, column, key and unique index', async () => {
    expect(Object.keys(expected).length).toBeGreaterThan(5);
    expect(await migrated()).toEqual(expected);
  });

  it.each([
    'ALTER TABLE users ADD COLUMN shoe_size integer',
    'ALTER TABLE users ALTER COLUMN text SET NOT NULL',
    'ALTER TABLE articles ALTER COLUMN category DROP DEFAULT',
    'ALTER TABLE comments ALTER COLUMN created_at TYPE timestamptz',
    'ALTER TABLE follows DROP CONSTRAINT follows_pkey',
    'DROP INDEX users_look_key',
    'CREATE TABLE likes (id bigint)',
  ])('is another than after: %s', async (change) => {
    await database.query('BEGIN');
    await database.query(change);
    expect(await migrated()).not.toEqual(expected);
    await database.query('ROLLBACK');
  });
});
