import type { Pool } from 'pg';
import { testZone } from '../../support/midday-zone';
import { runCli } from '../../support/run-cli';
import { waitUntil } from '../../support/wait-until';
import { earned, pointsOnBoard, readWhole, waitingIn } from './truth';

/** How the community's leaderboards call the period of a moment, as PostgreSQL says it. */
const whole = { day: 'YYYY-MM-DD', week: 'IYYY-"W"IW', month: 'YYYY-MM', all: '"all"' } as const;
const byCategory = { 'category-week': whole.week, 'category-month': whole.month } as const;

interface Row {
  readonly board: string;
  readonly period: string;
  readonly category: string | null;
  readonly id: string;
  readonly points: number;
}

/**
 * Compares each board of the community (day, week, month and all; week and month of each category) with the database,
 * in every period with entries, once nothing waits any more. Services' points are left out.
 * @returns how many boards these were.
 */
export async function expectEveryBoard(database: Pool, url: string): Promise<number> {
  await waitUntil(async () => (await waitingIn(database)) === 0, { withinMs: 60_000, what: 'an empty outbox' });
  const boards = new Map<string, Map<string, number>>();
  const { rows } = await database.query<Row>(truthOf());
  for (const { board, period, category, id, points } of rows) {
    const name = nameOf(board, period, category);
    boards.set(name, (boards.get(name) ?? new Map<string, number>()).set(id, points));
  }
  const shown = new Map<string, ReadonlyMap<string, number>>();
  for (const [board, period] of new Map(
    rows.map((row) => [`${row.board} ${row.period}`, [row.board, row.period]]),
  ).values()) {
    if (board === undefined || period === undefined) continue;
    const parts = board in byCategory ? await partsOf(url, board, period) : [null];
    for (const part of parts) {
      const asked = `${board === 'all' ? '' : `&period=${period}`}${part === null ? '' : `&partition=${part}`}`;
      const points = [...(await pointsOnBoard(url, board, asked))].filter(([userId]) => !userId.startsWith('service:'));
      shown.set(nameOf(board, period, part), new Map(points.sort()));
    }
  }
  expect(sorted(shown)).toEqual(sorted(boards));
  return boards.size;
}

/** The audit of the operators: every board against its ledgers. */
export async function expectCleanAudit(env: Readonly<Record<string, string>>): Promise<void> {
  const { exitCode, out } = await runCli(['verify', '--json'], { env: { ...env } });
  const lines = out.trimEnd().split('\n');
  const summary = expect.stringMatching(/"entries":[1-9]/) as string;
  expect([exitCode, ...lines]).toEqual([0, summary]);
}

function truthOf(): string {
  const select = (board: string, label: string, category: string, where = '') =>
    `SELECT '${board}' AS board, to_char(at AT TIME ZONE '${testZone}', '${label}') AS period, ${category} AS category, id,
       sum(points)::int AS points FROM (${earned}) earned ${where} GROUP BY 1, 2, 3, 4`;
  const ofAll = Object.entries(whole).map(([board, label]) => select(board, label, 'NULL'));
  const ofParts = Object.entries(byCategory).map(([board, label]) =>
    select(board, label, 'category', 'WHERE category IS NOT NULL'),
  );
  return [...ofAll, ...ofParts].join(' UNION ALL ');
}

async function partsOf(url: string, board: string, period: string): Promise<readonly string[]> {
  const { partitions } = await readWhole<{ partitions: { name: string }[] }>(
    `${url}/ranks/${board}/partitions?period=${period}`,
  );
  return partitions.map(({ name }) => name);
}

function nameOf(board: string, period: string, category: string | null): string {
  return `${board} ${period}${category === null ? '' : ` ${category}`}`;
}

function sorted(boards: ReadonlyMap<string, ReadonlyMap<string, number>>) {
  return Object.fromEntries([...boards].sort().map(([name, points]) => [name, Object.fromEntries([...points].sort())]));
}
