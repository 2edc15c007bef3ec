import type { LoggerService } from '@nestjs/common';
import { Client, Pool } from 'pg';
import { ownRedis } from '../support/own-servers';
import { createPool, startTestPostgres } from '../support/postgres';
import { ask, failToErase, metricOf, ownCommunity, Person, TestCommunity, untilPoints, waitUntil } from './support';

/** All that the app logs as a warning or an error. */
class Heard implements LoggerService {
  text = '';
  readonly log = (): void => undefined;
  readonly warn = (...parts: unknown[]) => void (this.text += `${parts.map(String).join(' ')}\n`);
  readonly error = this.warn;
}

describe('the community while Redis or the database is away', () => {
  const own = ownRedis();
  const heard = new Heard();
  const community = ownCommunity(() => [{ redis: { url: own.servers.url }, recordTimeoutMs: 10_000 }, {}, heard]);
  const untilAllCounts = () =>
    waitUntil(async () => {
      const { rows } = await community.database.query('SELECT 1 FROM outbox WHERE done_at IS NULL');
      return rows.length === 0;
    });
  let person: Person;
  let article: string;

  beforeAll(async () => {
    person = await Person.register(community.app);
    article = await person.writes();
    await untilPoints(community.app, person, 10);
  });

  it('waits for the database as long as for Redis, and not less than is usual', async () => {
    const usual = createPool(community.postgres.url, 900);
    const waits = async (pool: Pool) => (await pool.query<object>('SHOW statement_timeout')).rows;
    expect(await waits(usual)).toEqual([{ statement_timeout: '5s' }]);
    expect(await waits(community.app.get(Pool))).toEqual([{ statement_timeout: '1min' }]);
    await usual.end();
  });

  it('is refused where its database is another community’s than its Redis', async () => {
    const { prefix } = community;
    const other = await startTestPostgres();
    const pool = createPool(other.url);
    await pool.query('UPDATE outbox_database SET id = gen_random_uuid()');
    await pool.end();
    // Nest has one log a process: that of the app which began last.
    const mixed = TestCommunity.start({ prefix, redis: { url: own.servers.url } }, { databaseUrl: other.url }, heard);
    await expect(mixed).rejects.toThrow(/database [-0-9a-f]{36}, but the database .* of two apps/);
    await other.stop();
  });

  it('answers changes with 503 while the database takes none, logs no value, and goes on when it does', async () => {
    const { app, postgres } = community;
    const [reader, leaver] = [await Person.register(app), await Person.register(app)];
    const own = new Client({ connectionString: postgres.url });
    await own.connect();
    const alter = (what: string) =>
      own.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${what}', current_database()); END $$`);
    const changes = () =>
      Promise.all([
        ask(app, 'POST', '/auth/register', { body: { name: 'Grace H', password: 'hunter2 hunter2' } }),
        reader.tries('POST', '/articles', { title: 'hunter2', body: 'hunter2' }),
        reader.tries('PUT', `/articles/${article}/collect`),
        reader.tries('POST', `/articles/${article}/comments`, { body: 'hunter2' }),
      ]);
    heard.text = '';
    await alter('SET default_transaction_read_only = on');
    await own.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'laurel-%'`);
    // A connection that was ended may first be found to be.
    await waitUntil(async () => (await ask(app, 'GET', '/articles')).status === 200);
    for (const { status, headers } of await changes()) {
      expect([status, headers['retry-after']]).toEqual([503, '2']);
    }
    expect(await failToErase(app, leaver)).toMatchObject({ state: 'waiting', fault: '25006' });
    expect((await ask(app, 'GET', `/articles/${article}`)).status).toBe(200);
    // The relay's as well: an event waits for it that was written over another connection.
    const relayFailures = () => metricOf(app, 'laurel_outbox_failures_total{by="database"}');
    const failures = await relayFailures();
    await own.query(`SELECT outbox_write(lane, event) FROM outbox WHERE lane = $1 LIMIT 1`, [person.id]);
    await waitUntil(async () => (await relayFailures()) !== failures);
    expect(heard.text).toMatch(/The database does not answer \(.+\): what was done waits in the outbox\./);
    expect(heard.text).toContain('the database is away (25006)');
    expect(heard.text).toContain('Work was cut short by the database: 25006.');
    for (const value of ['hunter2', 'Grace H', '$argon2']) expect(heard.text).not.toContain(value);
    // Connections stay as they were opened: those that take no changes are not kept.
    await alter('RESET default_transaction_read_only');
    await waitUntil(async () => (await reader.tries('PUT', `/articles/${article}/collect`)).status === 204);
    await untilAllCounts();
    expect((await changes()).map(({ status }) => status)).not.toContain(503);
    await own.end();
  });

  it('answers 503 with Retry-After while the database is away, and ranks with the names last known', async () => {
    const { app } = community;
    const names = async () => {
      const { body } = await ask<{ entries: { user: unknown }[] }>(app, 'GET', '/ranks/day');
      return body.entries.map(({ user }) => user);
    };
    await untilAllCounts();
    const known = await names();
    await community.postgres.kill();
    for (const url of ['/articles', `/articles/${article}`, `/users/${person.id}`]) {
      const { status, headers, body } = await ask(app, 'GET', url);
      expect([url, status, body]).toMatchObject([url, 503, { status: 503, title: 'Service Unavailable' }]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await person.tries('PUT', `/articles/${article}/praise`)).status).toBe(503);
    const ready = await waitUntil(async () => {
      const answer = await ask(app, 'GET', '/health/ready');
      return answer.status === 503 ? answer : null;
    });
    expect(ready.body).toMatchObject({ errors: [{ path: 'database' }] });
    expect(known).not.toContain(null);
    expect(await names()).toEqual(known);
  });
});
