import { PostgresArchive } from '@laurel/archive';
import { Client, type Pool } from 'pg';
import { dayFacts, describeArchive, standingsOf } from '../support/archive-contract';
import { createPool, migrate, ownPostgres } from '../support/postgres';
import { dayMs } from '../support/clock';

/** The community's own database, which the contracts share. */
const migrated = ownPostgres();
/** Of a database that is new in each test of months. */
let pool: Pool;
let archive: PostgresArchive;

describeArchive('PostgreSQL', () => new PostgresArchive(migrated.client));

describe('the archive in PostgreSQL', () => {
  const archive = () => new PostgresArchive(migrated.client);
  const rows = async (table: string) => (await migrated.client.query(`SELECT 1 FROM ${table} WHERE true`)).rowCount;

  it('drops the draft of a writer that died, and refuses it when it comes back', async () => {
    const facts = dayFacts('dead', 0, 12_000);
    const before = [await rows('settled_periods'), await rows('settled_entries')];
    const dead = await archive().begin('dead', facts.period);
    await dead.append(standingsOf(12_000));
    await dead.append([]); // what was written meanwhile is there
    expect(await rows('settled_entries')).toBe((before[1] ?? 0) + 10_000);
    await migrated.client.query(
      "UPDATE settled_periods SET touched_at = now() - interval '61 minutes' WHERE leaderboard = 'dead'",
    );
    await (await archive().begin('dead', facts.period)).abandon();
    expect([await rows('settled_periods'), await rows('settled_entries')]).toEqual(before);
    await dead.append(standingsOf(10_000));
    await expect(dead.append([])).rejects.toThrow('had no write for an hour');
    await expect(dead.commit(facts)).rejects.toThrow('had no write for an hour');
    expect(await archive().find('dead', facts.period)).toBeNull();
    expect([await rows('settled_periods'), await rows('settled_entries')]).toEqual(before);
  });

  it('abandons nothing that was committed', async () => {
    const facts = dayFacts('kept', 0, 10);
    const draft = await archive().begin('kept', facts.period);
    await draft.append(standingsOf(10));
    await draft.commit(facts);
    await draft.abandon();
    expect(await archive().page('kept', facts.period, 0, 100)).toEqual(standingsOf(10));
  });
});

let databases = 0;
async function emptyDatabase(): Promise<Pool> {
  const client = new Client({ connectionString: migrated.servers.url });
  await client.connect();
  const name = `months_${(databases += 1)}`;
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const address = new URL(migrated.servers.url);
  address.pathname = `/${name}`;
  await migrate(address.href);
  return createPool(address.href);
}

async function write(leaderboard: string, day: number, count = 10): Promise<void> {
  const facts = dayFacts(leaderboard, day, count);
  const draft = await archive.begin(leaderboard, facts.period, facts.endMs);
  await draft.append(standingsOf(count));
  await draft.commit(facts);
}

async function partitions(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'settled_entries'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** A query of entries that the archive sends for a read. */
interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

async function sentFor(read: (from: PostgresArchive) => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const query = (text: string, values: unknown[]) => {
    if (text.includes('settled_entries')) sent.push({ text, values });
    return pool.query(text, values);
  };
  await read(new PostgresArchive({ query } as unknown as Pool));
  return sent;
}

/** What PostgreSQL does for it. */
async function planOf({ text, values }: Sent): Promise<string> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${text}`, [
    ...values,
  ]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

function buffersOf(plan: string): number {
  const [, hit = '0', read = '0'] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? [];
  return Number(hit) + Number(read);
}

const keep = (days: Readonly<Record<string, number>>) => [Object.keys(days), Object.values(days).map((n) => n * dayMs)];

describe('settled months in PostgreSQL', () => {
  beforeEach(async () => {
    pool = await emptyDatabase();
    archive = new PostgresArchive(pool);
  });
  afterEach(() => pool.end());

  it('are a partition for each leaderboard and month of a period’s end', async () => {
    for (const day of [0, 29, 30]) await write('day', day);
    await write('day/technology', 3);
    await write('other', 0);
    const found = await partitions();
    expect(found.map((name) => name.slice(0, 'settled_entries_2026_11'.length))).toEqual([
      'settled_entries_2026_11',
      'settled_entries_2026_11',
      'settled_entries_2026_12',
    ]);
  });

  it('are made once, also where drafts begin together', async () => {
    const { period, endMs } = dayFacts('day', 0, 1);
    const drafts = await Promise.all(Array.from({ length: 8 }, () => archive.begin('day', period, endMs)));
    expect(await partitions()).toHaveLength(1);
    await Promise.all(drafts.map((draft) => draft.abandon()));
  });

  it('are read one at a time, by an index, whatever there are', async () => {
    for (let month = 0; month < 24; month++) await write('day', 30 * month, 2_000);
    const period = '2026-12-01';
    const beforeMs = dayFacts('day', 31, 1).startMs;
    const reads: Record<string, (from: PostgresArchive) => Promise<unknown>> = {
      'a first page': (from) => from.page('day', period, 0, 10),
      'a user’s place': (from) => from.entries('day', period, ['user-1500']),
      'a user’s last place': (from) =>
        from.history('day', 'user-1500', { limit: 1, beforeMs, fromMs: beforeMs - dayMs }),
      'who does not show': (from) => from.hidden('day', period),
      'a period': (from) => from.find('day', period),
    };
    for (const [name, read] of Object.entries(reads)) {
      const sent = await sentFor(read);
      expect([name, sent.length > 0]).toEqual([name, true]);
      for (const plan of await Promise.all(sent.map(planOf))) {
        const opened = new Set(plan.match(/settled_entries_\d{4}_\d\d_\w{4}(?= settled| $|\n)/g));
        expect([name, ...opened]).toEqual([name, expect.stringContaining('settled_entries_2026_12')]);
        expect(plan).toMatch(/Index/);
        expect(buffersOf(plan)).toBeLessThanOrEqual(8);
      }
    }
  });

  it('are looked through for a user’s last places no further than they are likely to be', async () => {
    for (let day = 0; day < 120; day++) await write('day', day, 20);
    const lookedInto = async (userId: string) => {
      const sent = await sentFor((from) => from.history('day', userId, { limit: 10 }));
      return sent.map(({ values: [ids] }) => (ids as readonly string[]).length);
    };
    // The last query asks of the ten that were found how many places of them do not show.
    expect(await lookedInto('user-7')).toEqual([10, 10]);
    expect(await lookedInto('nobody')).toEqual([10, 40, 70]);
    const daysOf = async (limit: number) => (await archive.history('day', 'user-7', { limit })).length;
    expect([await daysOf(10), await daysOf(50), await daysOf(1_000)]).toEqual([10, 50, 120]);
    expect(await archive.history('day', 'nobody', { limit: 10 })).toEqual([]);
  });

  it('are dropped as a whole, once none of their periods is kept', async () => {
    for (const day of [0, 28, 30]) await write('day', day);
    await write('month', 0);
    await archive.erase('user-3', { leaderboard: 'day', period: '2026-11-01' });
    const [boards, keptMs] = keep({ day: 10 });
    const expired = async (day: number) => {
      const nowMs = dayFacts('day', day, 1).endMs;
      const query = 'SELECT part, id, leaderboard, period, total FROM settled_expired($1, $2, $3)';
      return (await pool.query<{ part: string; id: string; period: string }>(query, [boards, keptMs, nowMs])).rows;
    };
    expect(await expired(37)).toEqual([]);
    const due = await expired(38);
    expect(due).toMatchObject([
      { leaderboard: 'day', period: '2026-11-01', total: '10' },
      { leaderboard: 'day', period: '2026-11-29', total: '10' },
    ]);
    const before = await partitions();
    const drop = async (ids: readonly string[]) =>
      (await pool.query<{ dropped: boolean }>('SELECT settled_drop($1, $2) AS dropped', [due[0]?.part, ids])).rows;
    expect(await drop([due[0]?.id ?? ''])).toEqual([{ dropped: false }]);
    expect(await drop(due.map(({ id }) => id))).toEqual([{ dropped: true }]);
    expect(await partitions()).toHaveLength(before.length - 1);
    expect(await archive.periods('day', { limit: 10 })).toMatchObject([{ period: '2026-12-01' }]);
    expect(await archive.periods('month', { limit: 10 })).toHaveLength(1);
    expect((await pool.query('SELECT FROM settled_gaps')).rowCount).toBe(0);
  });

  it('are kept while a draft of them is written', async () => {
    await write('day', 0);
    const { period, endMs } = dayFacts('day', 1, 1);
    const draft = await archive.begin('day', period, endMs);
    const [boards, keptMs] = keep({ day: 1 });
    const due = () => pool.query('SELECT FROM settled_expired($1, $2, $3)', [boards, keptMs, endMs + 90 * dayMs]);
    expect((await due()).rowCount).toBe(0);
    await draft.abandon();
    expect((await due()).rowCount).toBe(1);
  });
});
