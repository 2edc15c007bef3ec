import type { ReportedRings } from '@laurel/reports';
import { shownId } from '../output/shown-id';

/** A report of rings as an operator reads it: each ring with how often each gives to the next. */
export function ringsTable(report: ReportedRings): string {
  const { period, action, min, from, to, users, rings, total } = report;
  const days = `${from} to ${to}`;
  const title = `${period}, ${days}: ${number(users)} users, ${number(total)} rings of ${action} from ${number(min)} times on`;
  if (rings.length === 0) return title;
  const width = Math.max('least'.length, ...rings.map(({ least }) => number(least).length));
  const line = (least: string, size: string, ring: string) =>
    `  ${least.padStart(width)}  ${size.padStart(5)}  ${ring}`;
  const excluded = new Set(report.excluded);
  const shown = (member: string) => `${shownId(member)}${excluded.has(member) ? '*' : ''}`;
  const rows = rings.map(({ users: members, counts, least }) => {
    const steps = members.map((member, i) => `${shown(member)} —${number(counts[i] ?? 0)}→ `);
    return line(number(least), number(members.length), steps.join('') + shown(members[0] ?? ''));
  });
  const note = excluded.size > 0 ? ['', '* is kept off the leaderboards'] : [];
  return [title, '', line('least', 'users', 'who to whom'), ...rows, ...note].join('\n');
}

function number(value: number): string {
  return value.toLocaleString('en');
}
