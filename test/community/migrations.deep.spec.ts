import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Catalog, catalogOf } from '../support/catalog';
import { migrate, type MigrationSet, migrationSets, ownPostgres } from '../support/postgres';
import { copyOfRepository } from '../support/temporary-folder';

const root = join(__dirname, '../..');
const database = join(root, 'apps/community/src/database');

/** What drizzle has no words for: migrations written by hand make it. */
const byHand = /\bname_look\(|\busers_name_parts\b/;

/** Runs drizzle-kit over a folder's copy of the schema. Returns what it says. */
function drizzleKit(command: 'export' | 'generate', folder: string, ...options: readonly string[]): string {
  const program = join(root, 'node_modules/drizzle-kit/bin.cjs');
  const args = [program, command, '--dialect', 'postgresql', '--schema', 'database/schema.ts', ...options];
  return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
}

/** The sets, and in that of `owner` one more migration. */
const withNext = (owner: MigrationSet['owner'], up = 'CREATE TABLE next_table (id bigint)'): readonly MigrationSet[] =>
  migrationSets().map((set) =>
    set.owner === owner ? { owner, migrations: [...set.migrations, { name: 'next', up }] } : set,
  );

const namesOf = (sets: readonly MigrationSet[]) =>
  sets.flatMap(({ owner, migrations }) => migrations.map(({ name }) => `${owner} ${name}`)).sort();

const without = (catalog: Catalog, isLeftOut: (line: string) => boolean) =>
  Object.fromEntries(Object.entries(catalog).map(([kind, lines]) => [kind, lines.filter((line) => !isLeftOut(line))]));

describe('the tables of the community', () => {
  const { folder } = copyOfRepository([]);
  const postgres = ownPostgres();
  /** What drizzle-kit makes of the schema alone. */
  let drawn: Catalog;
  /** What the libraries' migrations make, a line each. */
  let ofLibraries: ReadonlySet<string>;

  const createDatabase = async (name: string) => {
    await postgres.client.query(`CREATE DATABASE ${name}`);
    const url = new URL(postgres.servers.url);
    url.pathname = `/${name}`;
    return url.href;
  };
  const at = async <T>(url: string, read: (other: Client) => Promise<T>): Promise<T> => {
    const other = new Client({ connectionString: url });
    await other.connect();
    const found = await read(other);
    await other.end();
    return found;
  };
  const catalogAt = (url: string, before = '') =>
    at(url, async (other) => {
      await other.query(before);
      return catalogOf(other);
    });
  const hasNext = (url: string) =>
    at(
      url,
      async (other) => (await other.query(`SELECT FROM pg_tables WHERE tablename = 'next_table'`)).rowCount === 1,
    );
  const noted = (url: string) =>
    at(url, async (other) => {
      const { rows } = await other.query<{ note: string }>(
        `SELECT owner || ' ' || name AS note FROM applied_migrations`,
      );
      return rows.map(({ note }) => note).sort();
    });
  /** What the community's own migrations make. */
  const migrated = async () =>
    without(await catalogOf(postgres.client), (line) => ofLibraries.has(line) || byHand.test(line));

  beforeAll(async () => {
    await cp(database, join(folder, 'database'), { recursive: true });
    await cp(join(database, '../categories'), join(folder, 'categories'), { recursive: true });
    drawn = await catalogAt(await createDatabase('drawn'), drizzleKit('export', folder));
    const libraries = await createDatabase('of_libraries');
    await migrate(
      libraries,
      migrationSets().filter(({ owner }) => owner !== 'community'),
    );
    ofLibraries = new Set(Object.values(await catalogAt(libraries)).flat());
  });

  it('are migrated once each, noted by owner and name, also where instances start together', async () => {
    const url = await createDatabase('together');
    await Promise.all([1, 2, 3].map(() => migrate(url)));
    expect(await noted(url)).toEqual(namesOf(migrationSets()));
    await Promise.all([1, 2, 3].map(() => migrate(url, withNext('community'))));
    expect([await noted(url), await hasNext(url)]).toEqual([namesOf(withNext('community')), true]);
  });

  it('stay as they were where a migration fails', async () => {
    const url = await createDatabase('failed');
    await migrate(url);
    const failing = withNext('community', 'CREATE TABLE next_table (id bigint); NO SQL;');
    await expect(migrate(url, failing)).rejects.toThrow('syntax error');
    expect([await noted(url), await hasNext(url)]).toEqual([namesOf(migrationSets()), false]);
  });

  it('get what a library adds, to which the community may refer', async () => {
    for (const [owner, up] of [
      ['outbox', undefined],
      ['archive', undefined],
      ['community', 'CREATE TABLE next_table (event bigint REFERENCES outbox, hidden bytea REFERENCES hidden_users)'],
    ] as const) {
      const url = await createDatabase(`next_of_${owner}`);
      await migrate(url);
      await migrate(url, withNext(owner, up));
      expect([owner, await hasNext(url)]).toEqual([owner, true]);
    }
  });

  it('are in the schema what the migrations make, in each column, constraint, index and sequence', async () => {
    expect(drawn.columns.length).toBeGreaterThan(20);
    expect(await migrated()).toEqual(drawn);
  });

  it('leave drizzle-kit nothing to make; if it does, run: npm run migration -- <name>', () => {
    expect(drizzleKit('generate', folder, '--out', 'database/migrations')).toContain('No schema changes');
  });

  it('get a migration of what changes in the schema, which is applied', async () => {
    const path = join(folder, 'database/schema.ts');
    const before = await readFile(path, 'utf8');
    await writeFile(
      path,
      before.replace(`look: text('look').notNull(),`, `look: text('look').notNull(), shoeSize: id('shoe_size'),`),
    );
    const url = await createDatabase('next');
    await migrate(url);
    drizzleKit('generate', folder, '--out', 'database/migrations', '--name', 'shoes');
    expect(await readdir(join(folder, 'database/migrations'))).toContain('0001_shoes.sql');
    await migrate(url, migrationSets(join(folder, 'database/migrations')));
    expect((await catalogAt(url)).columns).toContain('users shoe_size bigint p');
  });

  it.each([
    'ALTER TABLE users ADD COLUMN shoe_size integer',
    'ALTER TABLE users ALTER COLUMN text SET NOT NULL',
    'ALTER TABLE articles ALTER COLUMN category DROP DEFAULT',
    'ALTER TABLE articles DROP CONSTRAINT articles_author_id_fkey',
    'ALTER TABLE comments ALTER COLUMN created_at TYPE timestamptz',
    'ALTER TABLE follows DROP CONSTRAINT follows_pkey',
    'ALTER TABLE submissions DROP CONSTRAINT submissions_check',
    'DROP INDEX users_look_key',
    'DROP INDEX articles_of_category',
    'CREATE TABLE likes (id bigint)',
  ])('are others in the schema than after: %s', async (change) => {
    await postgres.client.query('BEGIN');
    await postgres.client.query(change);
    expect(await migrated()).not.toEqual(drawn);
    await postgres.client.query('ROLLBACK');
  });
});
