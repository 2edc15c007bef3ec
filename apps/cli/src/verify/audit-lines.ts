import type { BoardAuditReport } from '@laurel/activity/tools';
import type { AuditDifference } from '@laurel/leaderboard';
import type { AuditGap } from '@laurel/leaderboard/internals';
import { shownId } from '../output/shown-id';

/** One difference, as a line. */
export function differenceLine(difference: AuditDifference): string {
  const { board, period, member, isHealed } = difference;
  const where = [board, period, shownId(member)].filter((part) => part !== '').join(' ');
  return `${where}: ${whatIsWrong(difference)}${isHealed ? '; put right' : ''}`;
}

function whatIsWrong({ fault, expected, found, of = '' }: AuditDifference): string {
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
    case 'time':
      return `the entry was reached at ${moment(found)}, by its ledgers not ${(found ?? 0) < expected ? 'before' : 'after'} ${moment(expected)}`;
    case 'count':
      return `for the limit ${of} the ledger counts ${found ?? 'what is no number'}, its fields add up to ${expected}`;
    case 'place':
      return found === null
        ? `what is kept for the limit ${of} is no window`
        : `the window of the limit ${of} has ${found} places, grants took ${expected} of them`;
    case 'firstDay':
      return `the first ledger is of ${day(expected)}, the first day is ${found === null ? 'not known' : day(found)}`;
    case 'page':
      return `page "${of}" of the ledger holds ${expected} grants, its totals say ${found ?? 'nothing'}`;
    case 'unread':
      return 'the list of the user’s days changed whenever it was read: nothing of this day was compared; run it again';
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

/** What was looked at, as one line. */
export function summaryLine({ entries, ledgers, windows, periods, differences }: BoardAuditReport): string {
  const all = (count: number) => count.toLocaleString('en');
  const compared = `${all(entries)} entries in ${all(periods)} open periods${windows > 0 ? ` and ${all(windows)} windows` : ''}`;
  return `${compared} compared with ${all(ledgers)} ledgers: ${all(differences)} differences`;
}

/** What could not be proved, as lines. */
export function gapLines(gaps: readonly AuditGap[]): string[] {
  return gaps.map(({ board, period, reason, since }) =>
    [`${board} ${period}:`, ...(since === undefined ? [] : [`new since ${since}:`]), whyUnproved[reason]].join(' '),
  );
}

const whyUnproved: Readonly<Record<AuditGap['reason'], string>> = {
  ledgersGone: 'the first of its ledgers are gone; its entries were compared to be at least what is left of them',
  parts: 'ledgers do not know its parts; they were compared to be together at most what the ledgers add up to',
  new: '"rebuild" fills it from the ledgers',
  closed: 'it closed meanwhile; entries that were not compared by then were left out',
};
