import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type KnexTransaction, outboxMigrations, type QueryTransaction, writeEvent } from '@laurel/outbox';
import { writeEvent as writeWithDrizzle } from '@laurel/outbox/drizzle';
import { type PostgresServer, startPostgres } from '@laurel/servers';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { sql } from 'drizzle-orm';
import { Pool } from 'pg';

/** What an app says when it thinks better of a change. */
const regret = new Error('undone');

/** The server may end before its idle connections have. */
function poolOf(url: string): Pool {
  return new Pool({ connectionString: url }).on('error', () => undefined);
}

/** A library in which apps write their changes. */
interface Library {
  /** Makes the outbox as its users' migrations do. */
  migrate(): Promise<void>;
  /** Changes something and writes an event, in one transaction. */
  change(title: string, event: unknown, fails?: boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * As much as is used of two libraries, which an installation of before they were needed here does not have yet. That
 * `writeEvent` takes their own types is seen to in packages/both-worlds.deep.spec.ts.
 */
interface TypeOrm {
  DataSource: new (options: object) => {
    initialize(): Promise<unknown>;
    runMigrations(): Promise<unknown>;
    transaction(work: (manager: QueryTransaction) => Promise<void>): Promise<void>;
    destroy(): Promise<void>;
  };
}
type Transacted = KnexTransaction & ((table: string) => { insert(row: object): PromiseLike<unknown> });
type KnexLibrary = (options: object) => {
  raw(text: string): PromiseLike<unknown>;
  readonly schema: { raw(text: string): PromiseLike<unknown> };
  transaction(work: (transaction: Transacted) => Promise<void>): Promise<void>;
  destroy(): Promise<void>;
};

/** A library that is loaded when it is needed. */
const load = async <Library>(name: string): Promise<Library> => (await import(name)) as Library;

/** As a migration of TypeORM's is written by hand. */
class Outbox1700000000000 {
  async up(runner: QueryRunner): Promise<void> {
    for (const { up } of outboxMigrations) await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { down } of outboxMigrations.toReversed()) await runner.query(down);
  }
}

interface QueryRunner {
  query(text: string): Promise<unknown>;
}

const libraries: Record<string, (url: string) => Promise<Library>> = {
  async TypeORM(url) {
    const { DataSource } = await load<TypeOrm>('typeorm');
    const source = new DataSource({ type: 'postgres', url, migrations: [Outbox1700000000000] });
    await source.initialize();
    return {
      migrate: async () => void (await source.runMigrations()),
      change: (title, event, fails = false) =>
        source.transaction(async (manager) => {
          await manager.query('INSERT INTO articles (title) VALUES ($1)', [title]);
          await writeEvent(manager, '42', event);
          if (fails) throw regret;
        }),
      close: () => source.destroy(),
    };
  },

  async Knex(url) {
    const { default: knex } = await load<{ default: KnexLibrary }>('knex');
    const database = knex({ client: 'pg', connection: url });
    await database.raw('SELECT 1');
    return {
      async migrate() {
        for (const { up } of outboxMigrations) await database.schema.raw(up);
      },
      change: (title, event, fails = false) =>
        database.transaction(async (transaction) => {
          await transaction('articles').insert({ title });
          await writeEvent(transaction, '42', event);
          if (fails) throw regret;
        }),
      close: () => database.destroy(),
    };
  },

  async drizzle(url) {
    const pool = poolOf(url);
    const database: NodePgDatabase = drizzle(pool);
    await database.execute(sql`SELECT 1`);
    return {
      async migrate() {
        for (const { up } of outboxMigrations) await database.execute(sql.raw(up));
      },
      change: (title, event, fails = false) =>
        database.transaction(async (transaction) => {
          await transaction.execute(sql`INSERT INTO articles (title) VALUES (${title})`);
          await writeWithDrizzle(transaction, '42', event);
          if (fails) throw regret;
        }),
      close: () => pool.end(),
    };
  },

  async pg(url) {
    const pool = poolOf(url);
    await pool.query('SELECT 1');
    return {
      async migrate() {
        for (const { up } of outboxMigrations) await pool.query(up);
      },
      async change(title, event, fails = false) {
        const client = await pool.connect();
        try {
          await client.query('BEGIN');
          await client.query('INSERT INTO articles (title) VALUES ($1)', [title]);
          await writeEvent(client, '42', event);
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
    };
  },
};

const folder = join(__dirname, '../../../node_modules');

describe.each(Object.keys(libraries))('a transaction of %s', (name) => {
  const isInstalled = !['TypeORM', 'Knex'].includes(name) || existsSync(join(folder, name.toLowerCase()));
  let server: PostgresServer;
  let library: Library;
  let pool: Pool;

  beforeAll(async () => {
    if (!isInstalled) return;
    server = await startPostgres();
    pool = poolOf(server.url);
    await pool.query('CREATE TABLE articles (title text)');
    library = await (libraries[name] as (url: string) => Promise<Library>)(server.url);
    await library.migrate();
  });
  afterAll(async () => {
    await library?.close();
    await pool?.end();
    await server?.stop();
  });

  const column = async (text: string): Promise<unknown[]> =>
    (await pool.query<{ value: unknown }>(text)).rows.map(({ value }) => value);

  const why = isInstalled ? '' : ' (skipped: it is not installed: npm ci)';
  (isInstalled ? it : it.skip)(
    `commits events with their changes, in order, and neither without the other${why}`,
    async () => {
      const event = (n: number) => ({ userId: '42', action: 'praise', subject: `it's ? and $1 ${n}` });
      await library.change('one', event(1));
      await expect(library.change('two', event(2), true)).rejects.toThrow(regret);
      await library.change('three', event(3));
      expect(await column('SELECT title AS value FROM articles')).toEqual(['one', 'three']);
      expect(await column('SELECT event AS value FROM outbox ORDER BY id')).toEqual([event(1), event(3)]);
      expect(await column('SELECT DISTINCT lane AS value FROM outbox')).toEqual(['42']);
    },
  );
});
