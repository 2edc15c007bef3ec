import type { SimulatedStanding, Simulation } from '@laurel/reports';
import { shownId } from '../output/shown-id';

type Column = readonly [title: string, cell: (place: SimulatedStanding, index: number) => string];

const columns: readonly Column[] = [
  ['then', (_, index) => number(index + 1)],
  ['now', ({ rankNow }) => (rankNow === null ? '–' : number(rankNow))],
  ['change', ({ rankNow }, index) => (rankNow === null ? 'new' : signed(rankNow - index - 1))],
  ['points then', ({ points }) => number(points)],
  ['points now', ({ pointsNow }) => number(pointsNow)],
];

/** A simulation as an operator reads it: the places as they would be, beside those that are. */
export function simulationTable({ leaderboard, period, users, pointsNow, pointsThen, top }: Simulation): string {
  const title = `${leaderboard} ${period}: ${number(users)} users, ${number(pointsNow)} points now, ${number(pointsThen)} then`;
  const cells = top.map((place, index) => columns.map(([, cell]) => cell(place, index)));
  const widths = columns.map(([name], i) => Math.max(name.length, ...cells.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[], user: string) =>
    `  ${row.map((cell, i) => cell.padStart(widths[i] ?? 0)).join('  ')}  ${user}`;
  const header = line(
    columns.map(([name]) => name),
    'user',
  );
  return [title, '', header, ...cells.map((row, i) => line(row, shownId(top[i]?.userId ?? '')))].join('\n');
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function signed(value: number): string {
  return value > 0 ? `+${number(value)}` : value < 0 ? `−${number(-value)}` : '=';
}
