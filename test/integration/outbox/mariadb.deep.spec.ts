import { OutboxLog, outboxState, Relay } from '@laurel/outbox';
import { outboxMigrations, writeEvent } from '@laurel/outbox/mysql';
import { type MariaDbServer, startMariaDb } from '@laurel/servers/mariadb';
import { createPool, type Pool } from 'mysql2/promise';
import { hasMariaDb, unlessMariaDb } from '../../support/mariadb';
import { waitUntil } from '../../support/wait-until';
import { MariaDbOutbox } from './support/mariadb-outbox';
import { Observed } from './support/outbox-database';
import { describeOutbox } from './support/relay-contract';

const it = hasMariaDb ? global.it : global.it.skip;

describeOutbox(`MariaDB${unlessMariaDb}`, () => MariaDbOutbox.start(), it);

describe(`an outbox in MariaDB${unlessMariaDb}`, () => {
  let server: MariaDbServer;
  const pools: Pool[] = [];

  beforeAll(async () => {
    if (hasMariaDb) server = await startMariaDb();
  });
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.end())));
  afterAll(() => server?.kill());

  /** In a database of its own. */
  async function freshOutbox(name: string): Promise<Pool> {
    const first = createPool(server.url);
    const pool = createPool(server.url.replace(/\w+$/, name));
    pools.push(first, pool);
    await first.query(`CREATE DATABASE ${name}`);
    for (const { up } of outboxMigrations) await pool.query(up);
    return pool;
  }

  const column = async (pool: Pool, text: string): Promise<unknown[]> =>
    ((await pool.query(text))[0] as { value: unknown }[]).map(({ value }) => value);

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

  it('refuses an event that is JSON to the database alone, and hands over the others', async () => {
    const pool = await freshOutbox('odd');
    await pool.query('CALL outbox_write(?, ?)', ['eve', '{"note":"\\q"}']);
    await writeEvent(pool, 'ann', { n: 1 });
    const [taken, observer] = [[] as unknown[], new Observed()];
    const read = (body: unknown) => {
      if (typeof body !== 'object') throw new Error('no event');
      return body;
    };
    const deliver = (items: readonly unknown[]) => Promise.resolve(void taken.push(...items)).then(() => null);
    const receiver = { read, deliver, isAway: () => false, mayPass: () => false };
    const relay = new Relay({ pool, receiver, observer });
    relay.start();
    const isDone = () => taken.length === 1 && observer.refusals.length === 1;
    await waitUntil(isDone).finally(() => void relay.stop(1_000));
  });

  it('writes nothing that would lie there in no order, or be no JSON', async () => {
    const pool = await freshOutbox('broken');
    await expect(pool.query(`CALL outbox_write('a', '{')`)).rejects.toThrow('is not valid JSON');
    await pool.query('TRUNCATE TABLE outbox_locks');
    await expect(writeEvent(pool, 'a', {})).rejects.toThrow('outbox_locks is empty');
    expect((await outboxState(pool)).waiting).toBe(0);
  });
});
