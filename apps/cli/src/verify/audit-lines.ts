import type { BoardAuditReport } from '@laurel/activity';
import type { AuditDifference, AuditGap } from '@laurel/leaderboard';
import { shownId } from '../output/shown-id';

/** One difference, as a line. */
export function differenceLine({ fault, board, period, member, expected, found, isHealed }: AuditDifference): string {
  const where = `${board} ${period} ${shownId(member)}`;
  return `${where}: ${whatIsWrong(fault, expected, found)}${isHealed ? '; put right' : ''}`;
}

function whatIsWrong(fault: AuditDifference['fault'], expected: number, found: number | null): string {
  switch (fault) {
    case 'points':
      return `the ledgers add up to ${points(expected)}, ${found === null ? 'there is no entry' : `the entry has ${points(found)}`}`;
    case 'unfounded':
      return `the entry has ${points(found ?? 0)}, there is no ledger`;
    case 'twice':
      return 'there is an entry on the board and another beside it';
    case 'misplaced':
      return 'the entry lies on the board of one who is kept off it, or beside it of one who is not';
    case 'unlisted':
      return 'the ledger of this day is not in the list of the user’s days';
  }
}

function points(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'point' : 'points'}`;
}

/** What was looked at, as one line. */
export function summaryLine({ entries, ledgers, periods, differences }: BoardAuditReport): string {
  const all = (count: number) => count.toLocaleString('en');
  return `${all(entries)} entries in ${all(periods)} open periods compared with ${all(ledgers)} ledgers: ${all(differences)} differences`;
}

/** What could not be proved, as lines. */
export function gapLines(gaps: readonly AuditGap[]): string[] {
  return gaps.map(({ board, period, reason }) =>
    reason === 'ledgersGone'
      ? `${board} ${period}: the first of its ledgers are gone; its entries were compared to be at least what is left of them`
      : `${board} ${period}: ledgers do not know its parts; they were compared to be together at most what the ledgers add up to`,
  );
}
