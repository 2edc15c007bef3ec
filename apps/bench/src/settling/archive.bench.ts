import type { ArchivedEntry } from '@laurel/activity';
import { PostgresArchive } from '@laurel/archive';
import { startRedis } from '@laurel/servers';
import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { startArchiveDatabase } from '../harness/archive-database';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer } from '../harness/random';
import { compare } from '../harness/sample';
import { openClosedDay } from './closed-day';

const dayMs = 86_400_000;
const firstMs = Date.parse('2030-01-01T00:00:00Z');
/** Days archived: so many entries each, and as many of them as make the rows that are asked for. */
const entriesADay = 250_000;
/** As many as the settler gives at a time. */
const entriesAPage = 256;
/** The board that is settled while users are excluded. */
const entriesSettled = 500_000;

/** Writes days of standings into PostgreSQL, reads them, and settles a day while users are excluded. */
export const archiveBench: Benchmark = {
  name: 'archive',
  title: 'the archive in PostgreSQL',
  members: [5_000_000],
  rounds: 3,
  async run(context: BenchContext): Promise<void> {
    for (const rows of context.memberCounts) {
      const database = await startArchiveDatabase();
      const pool = new Pool({ connectionString: database.url });
      pool.on('error', () => undefined); // the server ends before it
      try {
        const days = await write(pool, rows, context);
        await read(pool, days, context);
        await settle(pool, Math.min(entriesSettled, rows), context);
      } finally {
        await pool.end();
        await database.stop();
      }
    }
  },
};

/** The days that the archive has, from the first one on: each has `user-0` to the last of `entries`. */
interface Days {
  readonly count: number;
  readonly entries: number;
}

/** Measures how fast a day is written, and writes days until there are so many rows. */
async function write(pool: Pool, rows: number, { rounds, report, say }: BenchContext): Promise<Days> {
  const archive = new PostgresArchive(pool);
  const entries = entriesOf(Math.min(entriesADay, rows));
  let count = 0;
  const writeDay = async () => {
    const startMs = firstMs + count * dayMs;
    const period = periodOf(count);
    const draft = await archive.begin('day', period, startMs + dayMs);
    for (let i = 0; i < entries.length; i += entriesAPage) await draft.append(entries.slice(i, i + entriesAPage));
    await draft.commit({
      ...{ leaderboard: 'day', period, startMs, endMs: startMs + dayMs, settledAtMs: startMs + dayMs },
      ...{ total: entries.length, checksum: '0'.repeat(64), tieRule: 'bench', rulesVersion: 1 },
    });
    count += 1;
  };
  const rateOf = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return [(entries.length * 1_000) / (performance.now() - startedAt)];
  };
  const written = () => rateOf(writeDay);
  const { rows: settings } = await pool.query<{ folder: string }>("SELECT current_setting('data_directory') AS folder");
  const file = `${settings[0]?.folder}/day.copy`;
  const copied = async () => {
    const last = `SELECT id FROM settled_periods WHERE period = '${periodOf(count - 1)}'`;
    await pool.query(`COPY (SELECT * FROM settled_entries WHERE settled_id = (${last})) TO '${file}' (FORMAT binary)`);
    await pool.query('DROP TABLE IF EXISTS plain');
    await pool.query(
      `CREATE TABLE plain (LIKE settled_entries INCLUDING DEFAULTS, PRIMARY KEY (settled_id, place), UNIQUE (settled_id, user_id))`,
    );
    await pool.query('CREATE INDEX ON plain (settled_id, place) WHERE is_hidden');
    return rateOf(() => pool.query(`COPY plain FROM '${file}' (FORMAT binary)`));
  };
  report(
    await compare(written, copied, {
      setting: `${entries.length.toLocaleString('en')} entries`,
      baselineName: 'COPY of the same rows from a file, in one statement, into a table of the same indexes',
      metrics: [{ name: 'archive: written', unit: 'entries/s', target: { of: 'subject', atLeast: 150_000 } }],
      rounds,
    }),
  );
  for (; count * entries.length < rows; await writeDay()) say(`${count} days written`);
  await pool.query('VACUUM ANALYZE settled_entries');
  const { rows: sizes } = await pool.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(inhrelid)) AS bytes FROM pg_inherits WHERE inhparent = 'settled_entries'::regclass`,
  );
  const bytes = Number(sizes[0]?.bytes) / (count * entries.length);
  report(
    await compare(
      () => Promise.resolve([bytes]),
      () => Promise.resolve([1]),
      {
        setting: `${(count * entries.length).toLocaleString('en')} rows`,
        baselineName: 'nothing',
        metrics: [{ name: 'archive: a row with its indexes', unit: 'bytes', target: null, isAlone: true }],
        rounds: 1,
      },
    ),
  );
  return { count, entries: entries.length };
}

/** Measures reads of any of these days. */
async function read(pool: Pool, { count, entries }: Days, { rounds, isQuick, report }: BenchContext): Promise<void> {
  const archive = new PostgresArchive(pool);
  const random = lehmer(1);
  const any = (most: number) => Math.floor(random() * most);
  const p99Of = async (once: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let left = isQuick ? 20 : 500; left > 0; left--) {
      const startedAt = performance.now();
      await once();
      times.push(performance.now() - startedAt);
    }
    return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] as number;
  };
  const subject = async () => [
    await p99Of(() => archive.page('day', periodOf(any(count)), 0, 10)),
    await p99Of(() => archive.entries('day', periodOf(any(count)), [`user-${any(entries)}`])),
    await p99Of(() => archive.history('day', `user-${any(entries)}`, { limit: 10 })),
  ];
  const baseline = async () => {
    const p99 = await p99Of(() => pool.query('SELECT 1'));
    return [p99, p99, p99];
  };
  const target = { of: 'subject', atMost: 5 } as const;
  report(
    await compare(subject, baseline, {
      setting: `${(count * entries).toLocaleString('en')} rows`,
      baselineName: 'SELECT 1',
      metrics: ['a first page', 'a user’s place', 'a user’s last ten places'].map((name) => {
        return { name: `archive: p99 of ${name}`, unit: 'ms', target };
      }),
      rounds,
    }),
  );
}

/** Measures how fast a board is settled, with and without an exclusion of a user on it every second. */
async function settle(pool: Pool, entries: number, { rounds, report }: BenchContext): Promise<void> {
  const server = await startRedis();
  const redis = new Redis(server.url);
  try {
    const day = await openClosedDay(redis, entries);
    const random = lehmer(1);
    const settled = async (excludes: boolean) => {
      const archive = new CountedArchive(pool);
      const over = new AbortController();
      const startedAt = performance.now();
      const moved: string[] = [];
      const excluding = async () => {
        while (!over.signal.aborted) {
          const userId = `user-${Math.floor(random() * entries)}`;
          moved.push(userId);
          await day.ledger.excluded.move(userId, 'aside');
          await archive.hide(userId, true);
          await delay(1_000, undefined, { signal: over.signal }).catch(() => undefined);
        }
      };
      const excluded = excludes ? excluding() : Promise.resolve();
      await day.settleInto(archive);
      const seconds = (performance.now() - startedAt) / 1_000;
      over.abort();
      await excluded;
      for (const userId of moved) {
        await day.ledger.excluded.move(userId, 'onBoards');
        await archive.hide(userId, false);
      }
      await pool.query('SELECT settled_remove(id, $2), settled_remove(id, $2) FROM settled_periods WHERE period = $1', [
        day.period,
        entries,
      ]);
      return [entries / seconds, archive.drafts];
    };
    report(
      await compare(
        () => settled(true),
        () => settled(false),
        {
          setting: `${entries.toLocaleString('en')} entries`,
          baselineName: 'nobody is excluded',
          metrics: [
            {
              name: 'archive: settled while a user on it is excluded each second',
              unit: 'entries/s',
              target: { of: 'ratio', atLeast: 0.8 },
            },
            { name: 'archive: drafts of that', unit: 'drafts', target: { of: 'subject', atMost: 1 }, isAlone: true },
          ],
          rounds,
        },
      ),
    );
  } finally {
    redis.disconnect();
    await server.stop();
  }
}

/** Counts how often standings were begun. */
class CountedArchive extends PostgresArchive {
  drafts = 0;

  override begin(...args: Parameters<PostgresArchive['begin']>): ReturnType<PostgresArchive['begin']> {
    this.drafts += 1;
    return super.begin(...args);
  }
}

/** Standings of so many users, in another order than that of their ids. */
function entriesOf(count: number): readonly ArchivedEntry[] {
  return Array.from({ length: count }, (_, i) => ({
    ...{ place: i + 1, competition: i + 1, dense: i + 1, score: count - i, reachedAtMs: firstMs + i },
    // A prime, so that each user comes once.
    userId: `user-${(i * 2_147_483_647) % count}`,
  }));
}

function periodOf(day: number): string {
  return new Date(firstMs + day * dayMs).toISOString().slice(0, 10);
}
