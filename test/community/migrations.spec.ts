import { systemClock } from '@laurel/leaderboard';
import { type PostgresServer, startPostgres } from '@laurel/servers';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as migrateByDate } from 'drizzle-orm/node-postgres/migrator';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../apps/community/src/database/migrate';

const migrations = join(__dirname, '../../apps/community/src/database/migrations');
/** What commit 0596870 had in its journal. */
const oldDates = [
  1795219200000, 1795305600000, 1795392000000, 1795651200000, 1795737600000, 1795824000000, 1795910400000,
  1795996800000,
];

interface Journal {
  readonly entries: { readonly idx: number; readonly when: number; readonly tag: string }[];
}

describe('the migrations of the community', () => {
  let postgres: PostgresServer;
  let database: Client;
  let folder: string;
  let url: string;
  let databases = 0;

  const readJournal = async (): Promise<Journal> =>
    JSON.parse(await readFile(join(folder, 'meta/_journal.json'), 'utf8')) as Journal;
  const writeJournal = (journal: Journal) => writeFile(join(folder, 'meta/_journal.json'), JSON.stringify(journal));
  /** The migrations as the version before has them: with dates that lie ahead, and Drizzle's own migrator. */
  const migrateAsBefore = async () => {
    const journal = await readJournal();
    const entries = journal.entries.slice(0, oldDates.length);
    await writeJournal({ ...journal, entries: entries.map((entry, i) => ({ ...entry, when: oldDates[i] as number })) });
    await migrateByDate(drizzle(database), { migrationsFolder: folder });
    await writeJournal(journal);
  };
  /** The migration after the last, dated now, as drizzle-kit dates it. */
  const addNext = async () => {
    const journal = await readJournal();
    const next = { ...journal.entries.at(-1), idx: journal.entries.length, when: systemClock.now(), tag: '9999_next' };
    await writeFile(join(folder, '9999_next.sql'), 'CREATE TABLE next_table (id bigint);');
    await writeJournal({ ...journal, entries: [...journal.entries, next] });
  };
  const hasNext = async () => {
    const { rows } = await database.query<{ name: string | null }>("SELECT to_regclass('next_table')::text AS name");
    return rows[0]?.name === 'next_table';
  };

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-migrations-'));
    await cp(migrations, folder, { recursive: true });
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
  afterEach(async () => {
    await database.end();
    await rm(folder, { recursive: true, force: true });
  });
  afterAll(() => postgres.stop());

  it('have dates that rise and that are not in the future', async () => {
    const { entries } = await readJournal();
    const dates = entries.map(({ when }) => when);
    expect(dates).toEqual([...new Set(dates)].sort((a, b) => a - b));
    expect(dates.at(-1)).toBeLessThanOrEqual(systemClock.now());
  });

  it('apply the next one to a database whose last has a date that lies ahead', async () => {
    await migrateAsBefore();
    await addNext();
    await migrate(url, folder);
    expect(await hasNext()).toBe(true);
  });

  it('apply each once, also where instances start together', async () => {
    await Promise.all([1, 2, 3].map(() => migrate(url, folder)));
    await addNext();
    await Promise.all([1, 2, 3].map(() => migrate(url, folder)));
    const { rows } = await database.query('SELECT FROM drizzle.__drizzle_migrations');
    expect(rows).toHaveLength((await readJournal()).entries.length);
  });

  it('leave the database as it was where one of them fails', async () => {
    await migrate(url, folder);
    await addNext();
    await writeFile(
      join(folder, '9999_next.sql'),
      'CREATE TABLE next_table (id bigint);\n--> statement-breakpoint\nNO SQL;',
    );
    await expect(migrate(url, folder)).rejects.toThrow('syntax error');
    expect(await hasNext()).toBe(false);
  });

  it('leave nothing to do for an instance of the version before that starts again', async () => {
    await addNext();
    await migrate(url, folder);
    await migrateAsBefore();
    expect(await hasNext()).toBe(true);
  });

  it('let users stay who have names that look the same, and keep what is written without a look beside them', async () => {
    await migrateAsBefore();
    const register = (name: string) =>
      database.query('INSERT INTO users (name, password_hash) VALUES ($1, $2)', [name, '']);
    for (const name of ['Ada', 'Ada\u200b', 'Grace']) await register(name);
    await migrate(url, folder);
    await register('А\u0501\u0430'); // by an instance of the version before
    const { rows } = await database.query('SELECT look FROM users ORDER BY id');
    expect(rows).toEqual([{ look: 'ada' }, { look: null }, { look: 'grace' }, { look: null }]);
  });
});
