import { type PostgresServer, startPostgres } from '@laurel/servers';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as migrateByDate } from 'drizzle-orm/node-postgres/migrator';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../apps/community/src/database/migrate';
import {
  type MigrationOwner,
  type MigrationSet,
  migrationSets,
} from '../../apps/community/src/database/migration-sets';
import { type Catalog, catalogOf } from '../support/catalog';
import { migrateByNumber, numberedFolder } from './support/migrate-by-number';

const next = 'CREATE TABLE next_table (id bigint);';
/** What commit 0596870 had in its journal. */
const oldDates = [
  1795219200000, 1795305600000, 1795392000000, 1795651200000, 1795737600000, 1795824000000, 1795910400000,
  1795996800000,
];

interface Journal {
  readonly entries: { readonly when: number; readonly tag: string }[];
}

/** The sets, and in that of `owner` one more migration. */
const withNext = (owner: MigrationOwner, up = next): readonly MigrationSet[] =>
  migrationSets().map((set) =>
    set.owner === owner ? { owner, migrations: [...set.migrations, { name: 'next', up }] } : set,
  );

const namesOf = (sets: readonly MigrationSet[]) =>
  sets.flatMap(({ owner, migrations }) => migrations.map(({ name }) => `${owner} ${name}`)).sort();

describe('the migrations of the community', () => {
  let postgres: PostgresServer;
  let database: Client;
  let url: string;
  let databases = 0;

  /** As a version did that compared dates: these lie ahead, and Drizzle's own migrator applies what is later. */
  const migrateAsByDate = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-migrations-'));
    try {
      await cp(numberedFolder, folder, { recursive: true });
      const path = join(folder, 'meta/_journal.json');
      const journal = JSON.parse(await readFile(path, 'utf8')) as Journal;
      const entries = oldDates.map((when, i) => ({ ...journal.entries[i], when }));
      await writeFile(path, JSON.stringify({ ...journal, entries }));
      await migrateByDate(drizzle(database), { migrationsFolder: folder });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  const hasNext = async () => {
    const { rows } = await database.query<{ name: string | null }>("SELECT to_regclass('next_table')::text AS name");
    return rows[0]?.name === 'next_table';
  };
  const noted = async () => {
    const { rows } = await database.query<{ note: string }>(
      `SELECT owner || ' ' || name AS note FROM applied_migrations`,
    );
    return rows.map(({ note }) => note).sort();
  };

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    const server = new Client({ connectionString: postgres.url });
    await server.connect();
    const name = `migrated_${(databases += 1)}`;
    await server.query(`CREATE DATABASE ${name}`);
    await server.end();
    const address = new URL(postgres.url);
    address.pathname = `/${name}`;
    url = address.href;
    database = new Client({ connectionString: url });
    await database.connect();
  });
  afterEach(() => database.end());
  afterAll(() => postgres.stop());

  it('are each noted under its owner and its name', async () => {
    await migrate(url);
    expect(await noted()).toEqual(namesOf(migrationSets()));
  });

  it('apply each once, also where instances start together', async () => {
    await Promise.all([1, 2, 3].map(() => migrate(url)));
    await Promise.all([1, 2, 3].map(() => migrate(url, withNext('community'))));
    expect(await noted()).toEqual(namesOf(withNext('community')));
    expect(await hasNext()).toBe(true);
  });

  it('leave the database as it was where one of them fails', async () => {
    await migrate(url);
    await expect(migrate(url, withNext('community', `${next}\nNO SQL;`))).rejects.toThrow('syntax error');
    expect(await hasNext()).toBe(false);
    expect(await noted()).toEqual(namesOf(migrationSets()));
  });

  it.each(['outbox', 'archive'] as const)('apply what the library of the %s adds', async (library) => {
    await migrate(url);
    await migrate(url, withNext(library));
    expect(await hasNext()).toBe(true);
  });

  it('may refer to the tables of the libraries', async () => {
    await migrate(
      url,
      withNext(
        'community',
        'CREATE TABLE next_table (event bigint REFERENCES outbox, hidden bytea REFERENCES hidden_users)',
      ),
    );
    expect(await hasNext()).toBe(true);
  });

  it('let users stay who have names that look the same, and keep what is written without a look beside them', async () => {
    await migrateAsByDate();
    const register = (name: string) =>
      database.query('INSERT INTO users (name, password_hash) VALUES ($1, $2)', [name, '']);
    for (const name of ['Ada', 'Ada\u200b', 'Grace']) await register(name);
    await migrate(url);
    await register('А\u0501\u0430'); // by an instance of the version before
    const { rows } = await database.query('SELECT look FROM users ORDER BY id');
    expect(rows).toEqual([{ look: 'ada' }, { look: null }, { look: 'grace' }, { look: null }]);
  });

  describe('of versions that had one list of them', () => {
    const count = 17;
    let made: Catalog;

    beforeAll(async () => {
      await migrate(postgres.url);
      const fresh = new Client({ connectionString: postgres.url });
      await fresh.connect();
      made = await catalogOf(fresh);
      await fresh.end();
    });

    it('have made what is made now', async () => {
      expect(await migrateByNumber(url)).toBe(count);
      const { columns, constraints, ...others } = await catalogOf(database);
      const isNew = (line: string) => line.startsWith('applied_migrations ');
      expect(columns).toEqual(made.columns.filter((line) => !isNew(line)));
      expect(constraints).toEqual(made.constraints.filter((line) => !isNew(line)));
      const indexes = made.indexes.filter((line) => !line.includes('applied_migrations'));
      expect(others).toEqual({ sequences: made.sequences, functions: made.functions, indexes });
    });

    it('are taken over, none of them runs again, and what comes next is applied', async () => {
      await migrateByNumber(url);
      const nothing = migrationSets().map(({ owner, migrations }) => ({
        owner,
        migrations: migrations.map(({ name }) => ({ name, up: 'NO SQL' })),
      }));
      await migrate(url, nothing);
      expect(await noted()).toEqual(namesOf(migrationSets()));
      await migrate(url, withNext('outbox'));
      expect(await hasNext()).toBe(true);
      // An instance of that version starts again.
      expect(await migrateByNumber(url)).toBe(0);
    });

    // No version ended with the outbox as it was in 0003.
    it.each([3, 5, 7, 8, 10, 12, 16])('are completed after the first %i', async (first) => {
      await migrateByNumber(url, first);
      await migrate(url);
      expect(await catalogOf(database)).toEqual(made);
      expect(await noted()).toEqual(namesOf(migrationSets()));
      expect(await migrateByNumber(url)).toBe(0);
    });

    it('leave nothing to do for a version that compares dates', async () => {
      await migrateAsByDate();
      await migrate(url);
      await migrateAsByDate();
      expect(await catalogOf(database)).toEqual(made);
    });

    it('find nothing to do in a database that a later version made', async () => {
      await migrate(url);
      expect(await migrateByNumber(url)).toBe(0);
      await migrateAsByDate();
      expect(await catalogOf(database)).toEqual(made);
    });

    it('are not taken for applied where those of a library are there alone', async () => {
      await migrate(
        url,
        migrationSets().filter(({ owner }) => owner === 'outbox'),
      );
      await migrate(url);
      expect(await catalogOf(database)).toEqual(made);
    });

    it('go on where one of theirs was applied after this version had begun', async () => {
      await expect(migrate(url, withNext('outbox', 'NO SQL'))).rejects.toThrow('syntax error');
      await migrateByNumber(url, 3);
      await migrate(url);
      expect(await catalogOf(database)).toEqual(made);
    });
  });
});
