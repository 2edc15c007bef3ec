import {
  type KnexTransaction,
  outboxMigrations as postgresMigrations,
  type QueryTransaction,
  writeEvent as writeToPostgres,
} from '@laurel/outbox';
import { writeEvent as writeWithDrizzle } from '@laurel/outbox/drizzle';
import { outboxMigrations as mysqlMigrations, writeEvent as writeToMysql } from '@laurel/outbox/mysql';
import { startPostgres } from '@laurel/servers';
import { startMariaDb } from '@laurel/servers/mariadb';
import { sql } from 'drizzle-orm';
import { drizzle as drizzleOfMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzleOfPostgres } from 'drizzle-orm/node-postgres';
import knex from 'knex';
import { createPool } from 'mysql2/promise';
import { Client, Pool } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { catalogOf } from '../../support/catalog';
import { hasMariaDb, unlessMariaDb } from '../../support/mariadb';
import { startTestPostgres } from '../../support/postgres';

/** What an app says when it thinks better of a change. */
const regret = new Error('undone');

/** A change and its event. */
interface Change {
  readonly title: string;
  readonly event: unknown;
  readonly fails?: boolean;
}

/** A library in which apps write their changes. */
interface Library {
  /** Makes the outbox as its users' migrations do. */
  migrate(): Promise<unknown>;
  /** Changes something and writes an event, in one transaction. */
  change(change: Change): Promise<void>;
  close(): Promise<unknown>;
}

/** A database, in the words of the libraries. */
interface Kind {
  readonly name: string;
  readonly isHere: boolean;
  start(): Promise<{ readonly url: string; stop(): Promise<void> }>;
  readonly typeorm: 'postgres' | 'mysql';
  readonly knex: 'pg' | 'mysql2';
  readonly insert: string;
  readonly lanes: string;
  /** A character that its JSON takes, and another database's may not. */
  readonly odd: string;
  readonly migrations: readonly { readonly up: string; readonly down: string }[];
  writeEvent(transaction: QueryTransaction | KnexTransaction, lane: string, event: unknown): Promise<void>;
  /** Its driver's pool, and drizzle over it. */
  open(url: string): {
    query(text: string): Promise<readonly { readonly value: unknown }[]>;
    connect(): Promise<QueryTransaction & { query(text: string, values?: unknown[]): unknown; release(): void }>;
    withDrizzle(change: Change): Promise<void>;
    end(): Promise<void>;
  };
}

const kinds: readonly Kind[] = [
  {
    name: 'PostgreSQL',
    isHere: true,
    start: () => startPostgres(),
    typeorm: 'postgres',
    knex: 'pg',
    insert: 'INSERT INTO articles (title) VALUES ($1)',
    lanes: 'SELECT DISTINCT lane AS value FROM outbox',
    odd: '\u2028',
    migrations: postgresMigrations,
    writeEvent: writeToPostgres,
    open(url) {
      // The server may end before its idle connections have.
      const pool = new Pool({ connectionString: url }).on('error', () => undefined);
      return {
        query: async (text) => (await pool.query<{ value: unknown }>(text)).rows,
        connect: () => pool.connect(),
        withDrizzle: ({ title, event, fails }) =>
          drizzleOfPostgres(pool).transaction(async (transaction) => {
            await transaction.execute(sql`INSERT INTO articles (title) VALUES (${title})`);
            await writeWithDrizzle(transaction, '42', event);
            if (fails) throw regret;
          }),
        end: () => pool.end(),
      };
    },
  },
  {
    name: `MariaDB${unlessMariaDb}`,
    isHere: hasMariaDb,
    async start() {
      const server = await startMariaDb();
      return { url: server.url, stop: () => server.kill() };
    },
    typeorm: 'mysql',
    knex: 'mysql2',
    insert: 'INSERT INTO articles (title) VALUES (?)',
    lanes: 'SELECT DISTINCT CONVERT(lane USING utf8mb4) AS value FROM outbox',
    odd: '\0',
    migrations: mysqlMigrations,
    writeEvent: writeToMysql,
    open(url) {
      const pool = createPool(url);
      return {
        query: async (text) => (await pool.query(text))[0] as { value: unknown }[],
        connect: () => pool.getConnection(),
        withDrizzle: ({ title, event, fails }) =>
          drizzleOfMysql(pool).transaction(async (transaction) => {
            await transaction.execute(sql`INSERT INTO articles (title) VALUES (${title})`);
            await transaction.execute(sql`CALL outbox_write(${'42'}, ${JSON.stringify(event)})`);
            if (fails) throw regret;
          }),
        end: () => pool.end(),
      };
    },
  },
];

const libraries: Record<string, (kind: Kind, url: string) => Promise<Library>> = {
  async TypeORM({ typeorm: type, migrations, insert, writeEvent }, url) {
    /** As a migration of TypeORM's is written by hand. */
    class Outbox1700000000000 {
      async up(runner: QueryRunner): Promise<void> {
        for (const { up } of migrations) await runner.query(up);
      }

      async down(runner: QueryRunner): Promise<void> {
        for (const { down } of migrations.toReversed()) await runner.query(down);
      }
    }
    const source = new DataSource({ type, url, migrations: [Outbox1700000000000] });
    await source.initialize();
    return {
      migrate: () => source.runMigrations(),
      change: ({ title, event, fails }) =>
        source.transaction(async (manager) => {
          await manager.query(insert, [title]);
          await writeEvent(manager, '42', event);
          if (fails) throw regret;
        }),
      close: () => source.destroy(),
    };
  },

  Knex({ knex: client, migrations, writeEvent }, url) {
    const database = knex({ client, connection: url });
    return Promise.resolve({
      async migrate() {
        for (const { up } of migrations) await database.schema.raw(up);
      },
      change: ({ title, event, fails }) =>
        database.transaction(async (transaction) => {
          await transaction('articles').insert({ title });
          await writeEvent(transaction, '42', event);
          if (fails) throw regret;
        }),
      close: () => database.destroy(),
    });
  },

  drizzle(kind, url) {
    const pool = kind.open(url);
    return Promise.resolve({
      async migrate() {
        for (const { up } of kind.migrations) await pool.query(up);
      },
      change: (change) => pool.withDrizzle(change),
      close: () => pool.end(),
    });
  },

  'its own driver'(kind, url) {
    const pool = kind.open(url);
    return Promise.resolve({
      async migrate() {
        for (const { up } of kind.migrations) await pool.query(up);
      },
      async change({ title, event, fails }) {
        const client = await pool.connect();
        try {
          await client.query('BEGIN');
          await client.query(kind.insert, [title]);
          await kind.writeEvent(client, '42', event);
          if (fails) throw regret;
          await client.query('COMMIT');
        } catch (error) {
          await client.query('ROLLBACK');
          throw error;
        } finally {
          client.release();
        }
      },
      close: () => pool.end(),
    });
  },
};

describe.each(kinds)('a transaction in $name', (kind) => {
  const it = kind.isHere ? global.it : global.it.skip;
  it.each(Object.entries(libraries))(
    'of %s commits events with their changes, in order, and neither without the other',
    async (_, open) => {
      const server = await kind.start();
      const pool = kind.open(server.url);
      await pool.query('CREATE TABLE articles (title text)');
      const library = await open(kind, server.url);
      await library.migrate();
      const event = (n: number) => ({
        userId: '42',
        action: 'praise',
        subject: `it's ? and $1 :a \\ "${n}" 😀${kind.odd}`,
      });
      await library.change({ title: 'one', event: event(1) });
      await expect(library.change({ title: 'two', event: event(2), fails: true })).rejects.toThrow(regret);
      await library.change({ title: 'three', event: event(3) });
      await library.close();
      const column = async (text: string) => (await pool.query(text)).map(({ value }) => value);
      expect(await column('SELECT title AS value FROM articles')).toEqual(['one', 'three']);
      const written = await column('SELECT event AS value FROM outbox ORDER BY id');
      expect(written.map((one) => (typeof one === 'string' ? JSON.parse(one) : one) as unknown)).toEqual([
        event(1),
        event(3),
      ]);
      expect(await column(kind.lanes)).toEqual(['42']);
      await pool.end();
      await server.stop();
    },
  );
});

/** What a database has of the outbox. */
async function outboxOf(database: Client): Promise<readonly string[]> {
  return Object.values(await catalogOf(database))
    .flat()
    .filter((line) => /outbox/.test(line) && !line.includes('outbox_database'));
}

it('the migrations of an outbox of one’s own make what the community has, and take all of it back', async () => {
  const servers = [await startTestPostgres(), await startPostgres()];
  const [community, own] = servers.map(({ url }) => new Client({ connectionString: url })) as [Client, Client];
  await Promise.all([community.connect(), own.connect()]);
  for (const { up } of postgresMigrations) await own.query(up);
  const made = await outboxOf(own);
  expect(made.length).toBeGreaterThan(9);
  expect(made).toEqual(await outboxOf(community));
  for (const { down } of postgresMigrations.toReversed()) await own.query(down);
  expect(await outboxOf(own)).toEqual([]);
  await Promise.all([community.end(), own.end()]);
  await Promise.all(servers.map((server) => server.stop()));
});
