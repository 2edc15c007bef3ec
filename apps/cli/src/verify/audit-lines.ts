import type { BoardAuditReport } from '@laurel/reports';
import type { AuditDifference } from '@laurel/leaderboard';
import type { AuditGap } from '@laurel/leaderboard/internals';
import { shownId } from '../output/shown-id';

/** One difference, as a line. */
export function differenceLine(difference: AuditDifference): string {
  const { board, period, member, isHealed } = difference;
  const where = [board, period, shownId(member)].filter((part) => part !== '').join(' ');
  return `${where}: ${whatIsWrong(difference)}${isHealed ? '; put right' : ''}`;
}

function whatIsWrong({ fault, expected, found }: AuditDifference): string {
  switch (fault) {
    case 'points':
      return `the ledgers add up to ${points(expected)}, ${found === null ? 'there is no entry' : `the entry has ${points(found)}`}`;
    case 'unfounded':
      return `the entry has ${points(found ?? 0)}, there is no ledger`;
    case 'twice':
      return 'there is an entry on the board and another beside it';
    case 'misplaced':
      return 'the entry lies on the board of one who is kept off it, or beside it of one who is not';
    case 'time':
      return `the entry was reached at ${moment(found)}, by its ledgers at ${moment(expected)}`;
    case 'firstDay':
      return `the first ledger is of ${day(expected)}, the first day is ${found === null ? 'not known' : day(found)}`;
    case 'unread':
      return 'the ledgers cannot be read, or changed whenever they were: nothing of this user was compared; run it again';
  }
}

function moment(ms: number | null): string {
  return ms === null ? 'no time' : new Date(ms).toISOString();
}

function day(ms: number): string {
  return moment(ms).slice(0, 10);
}

function points(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'point' : 'points'}`;
}

/** The extent of the audit, as one line. */
export function summaryLine({ entries, ledgers, periods, differences }: BoardAuditReport): string {
  const all = (count: number) => count.toLocaleString('en');
  const compared = `${all(entries)} entries in ${all(periods)} open periods`;
  return `${compared} compared with ${all(ledgers)} ledgers: ${all(differences)} differences`;
}

/** The periods that could not be proved, as lines. */
export function gapLines(gaps: readonly AuditGap[]): string[] {
  return gaps.map(({ board, period, reason, since }) =>
    [`${board} ${period}:`, ...(since === undefined ? [] : [`new since ${since}:`]), whyUnproved[reason]].join(' '),
  );
}

const whyUnproved: Readonly<Record<AuditGap['reason'], string>> = {
  ledgersGone: 'the first of its ledgers are gone; its entries were compared to be at least what is left of them',
  new: '"rebuild" fills it from the ledgers',
  closed: 'it closed meanwhile; entries that were not compared by then were left out',
};
