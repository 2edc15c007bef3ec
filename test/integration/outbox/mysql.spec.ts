import { type KnexTransaction, OutboxLog, outboxState, type QueryTransaction } from '@laurel/outbox';
import { outboxMigrations, writeEvent } from '@laurel/outbox/mysql';
import { type MariaDbServer, startMariaDb } from '@laurel/servers/mariadb';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/mysql2';
import knex from 'knex';
import { createPool, type Pool } from 'mysql2/promise';
import { DataSource, type QueryRunner } from 'typeorm';
import { hasMariaDb, unlessMariaDb } from '../../support/mariadb';

/** What an app says when it thinks better of a change. */
const regret = new Error('undone');

/** A library in which apps write their changes. */
interface Library {
  /** Makes the outbox as its users' migrations do. */
  migrate(): Promise<void>;
  /** Changes something and writes an event, in one transaction. */
  change(title: string, event: unknown, fails?: boolean): Promise<void>;
  close(): Promise<unknown>;
}

/** As a migration of TypeORM's is written by hand. */
class Outbox1700000000000 {
  async up(runner: QueryRunner): Promise<void> {
    for (const { up } of outboxMigrations) await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { down } of outboxMigrations.toReversed()) await runner.query(down);
  }
}

const insert = 'INSERT INTO articles (title) VALUES (?)';

/** Writes the event last, and fails where it is to. */
async function tell(transaction: QueryTransaction | KnexTransaction, event: unknown, fails: boolean): Promise<void> {
  await writeEvent(transaction, '42', event);
  if (fails) throw regret;
}

const libraries: Record<string, (url: string) => Promise<Library>> = {
  async TypeORM(url) {
    const source = new DataSource({ type: 'mysql', url, migrations: [Outbox1700000000000] });
    await source.initialize();
    return {
      migrate: async () => void (await source.runMigrations()),
      change: (title, event, fails = false) =>
        source.transaction(async (manager) => {
          await manager.query(insert, [title]);
          await tell(manager, event, fails);
        }),
      close: () => source.destroy(),
    };
  },

  Knex(url) {
    const database = knex({ client: 'mysql2', connection: url });
    return Promise.resolve({
      async migrate() {
        for (const { up } of outboxMigrations) await database.schema.raw(up);
      },
      change: (title, event, fails = false) =>
        database.transaction(async (transaction) => {
          await transaction('articles').insert({ title });
          await tell(transaction, event, fails);
        }),
      close: () => database.destroy(),
    });
  },

  drizzle(url) {
    const pool = createPool(url);
    const database = drizzle(pool);
    return Promise.resolve({
      async migrate() {
        for (const { up } of outboxMigrations) await database.execute(sql.raw(up));
      },
      change: (title, event, fails = false) =>
        database.transaction(async (transaction) => {
          await transaction.execute(sql`INSERT INTO articles (title) VALUES (${title})`);
          await transaction.execute(sql`CALL outbox_write(${'42'}, ${JSON.stringify(event)})`);
          if (fails) throw regret;
        }),
      close: () => pool.end(),
    });
  },

  mysql2(url) {
    const pool = createPool(url);
    return Promise.resolve({
      async migrate() {
        for (const { up } of outboxMigrations) await pool.query(up);
      },
      async change(title, event, fails = false) {
        const connection = await pool.getConnection();
        try {
          await connection.beginTransaction();
          await connection.query(insert, [title]);
          await tell(connection, event, fails);
          await connection.commit();
        } catch (error) {
          await connection.rollback();
          throw error;
        } finally {
          connection.release();
        }
      },
      close: () => pool.end(),
    });
  },
};

describe(`an outbox in MariaDB${unlessMariaDb}`, () => {
  const it = hasMariaDb ? global.it : global.it.skip;
  let server: MariaDbServer;
  const pools: Pool[] = [];

  beforeAll(async () => {
    if (hasMariaDb) server = await startMariaDb();
  });
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.end())));
  afterAll(() => server?.kill());

  /** A database of its own. */
  async function freshDatabase(name: string): Promise<{ pool: Pool; url: string }> {
    const first = createPool(server.url);
    pools.push(first);
    await first.query(`CREATE DATABASE ${name}`);
    const url = server.url.replace(/\w+$/, name);
    const pool = createPool(url);
    pools.push(pool);
    return { pool, url };
  }

  async function freshOutbox(name: string): Promise<Pool> {
    const { pool } = await freshDatabase(name);
    for (const { up } of outboxMigrations) await pool.query(up);
    return pool;
  }

  const column = async (pool: Pool, text: string): Promise<unknown[]> =>
    ((await pool.query(text))[0] as { value: unknown }[]).map(({ value }) => value);

  it.each(Object.entries(libraries))(
    'commits events with their changes, in order, and neither without the other, in transactions of %s',
    async (name, open) => {
      const { pool, url } = await freshDatabase(`of_${name}`);
      await pool.query('CREATE TABLE articles (title text)');
      const library = await open(url);
      await library.migrate();
      const event = (n: number) => ({ userId: '42', action: 'praise', subject: `it's ? and $1 :a \\ "${n}" 😀\0` });
      await library.change('one', event(1));
      await expect(library.change('two', event(2), true)).rejects.toThrow(regret);
      await library.change('three', event(3));
      await library.close();
      expect(await column(pool, 'SELECT title AS value FROM articles')).toEqual(['one', 'three']);
      const written = await column(pool, 'SELECT event AS value FROM outbox ORDER BY id');
      expect(written).toEqual([event(1), event(3)].map((one) => JSON.stringify(one)));
      expect(await column(pool, 'SELECT DISTINCT CONVERT(lane USING utf8mb4) AS value FROM outbox')).toEqual(['42']);
    },
  );

  it('takes back all that its migrations made', async () => {
    const pool = await freshOutbox('taken_back');
    const things = `SELECT CONCAT(table_name) AS value FROM information_schema.tables WHERE table_schema = DATABASE()
      UNION SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE() ORDER BY 1`;
    expect(await column(pool, things)).toEqual(['outbox', 'outbox_forget', 'outbox_locks', 'outbox_write']);
    for (const { down } of outboxMigrations.toReversed()) await pool.query(down);
    expect(await column(pool, things)).toEqual([]);
  });

  it('takes names that look alike for different users, and forgets the one that is named', async () => {
    const pool = await freshOutbox('names');
    const names = ['a', 'A', 'a ', 'ä', 'å', '😀', '😃'];
    for (const name of names) await writeEvent(pool, name, { ownerId: name, subject: `user:${name}` });
    // Too long to be anybody's: neither is cut to a name.
    const long = 'a'.repeat(300);
    await writeEvent(pool, 'b', { ownerId: long, subject: `user:${long}` });
    await pool.query('CALL outbox_forget(?)', ['a']);
    await pool.query('CALL outbox_forget(?)', ['a'.repeat(255)]);
    await pool.query('CALL outbox_forget(?)', ['😀']);
    const lanes: string[] = [];
    const log = await OutboxLog.open(pool, new Date(0));
    await log.handOver(100, (page) => Promise.resolve(lanes.push(...page.map(({ lane }) => lane)) > 0));
    expect(lanes).toEqual(['A', 'a ', 'ä', 'å', '😃', 'b']);
  });

  it('makes no two writers wait for each other, whichever of a lane thinks better of it', async () => {
    const pool = await freshOutbox('writers');
    const connections = await Promise.all(Array.from({ length: 8 }, () => pool.getConnection()));
    await Promise.all(
      connections.map(async (connection, writer) => {
        for (let round = 0; round < 20; round += 1) {
          await connection.beginTransaction();
          await writeEvent(connection, `lane ${round % 3}`, { writer, round });
          await (round % 2 === writer % 2 ? connection.rollback() : connection.commit());
        }
        connection.release();
      }),
    );
    expect((await outboxState(pool)).waiting).toBe(80);
  });

  it('writes nothing that would lie there in no order, or be no JSON', async () => {
    const pool = await freshOutbox('broken');
    await expect(pool.query(`CALL outbox_write('a', '{')`)).rejects.toThrow('is no JSON');
    await pool.query('TRUNCATE TABLE outbox_locks');
    await expect(writeEvent(pool, 'a', {})).rejects.toThrow('outbox_locks has lost its rows');
    expect((await outboxState(pool)).waiting).toBe(0);
  });
});
