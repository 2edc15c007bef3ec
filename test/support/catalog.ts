import type { ClientBase, Pool } from 'pg';

/** What a database has: each column, constraint, index, sequence and function, in the database's own words. */
export type Catalog = Readonly<Record<'columns' | 'constraints' | 'indexes' | 'sequences' | 'functions', string[]>>;

const ownSchema = 'current_schema()::regnamespace';

/** Of functions the comments are left out, as are those functions that belong to an extension. */
const queries: Readonly<Record<keyof Catalog, string>> = {
  columns: `
    SELECT concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END,
      'identity ' || nullif(a.attidentity::text, ''), 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), a.attstorage) AS line
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = ${ownSchema} AND c.relkind IN ('r', 'p')`,
  constraints: `
    SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line FROM pg_constraint
    WHERE connamespace = ${ownSchema}`,
  indexes: `SELECT indexdef AS line FROM pg_indexes WHERE schemaname = current_schema()`,
  sequences: `
    SELECT concat_ws(' ', sequencename, data_type, start_value, min_value, max_value, increment_by, cycle, cache_size) AS line
    FROM pg_sequences WHERE schemaname = current_schema()`,
  functions: `
    SELECT regexp_replace(pg_get_functiondef(oid), '\\s*--[^\\n]*', '', 'g') AS line FROM pg_proc
    WHERE pronamespace = ${ownSchema} AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`,
};

/** Of the schema in which the connection finds its tables. Five round trips. */
export async function catalogOf(database: ClientBase | Pool): Promise<Catalog> {
  const catalog: Record<string, string[]> = {};
  for (const [kind, query] of Object.entries(queries)) {
    const { rows } = await database.query<{ line: string }>(query);
    catalog[kind] = rows.map(({ line }) => line).sort();
  }
  return catalog as Catalog;
}
