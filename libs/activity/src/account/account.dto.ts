import { Day } from '../shared/day-field';
import { Flag, LeftOut, Text, WholeNumber } from '../core/http/validation';
import { value } from '../core/schema/schema';
import { maxTraced } from './account.responses';

/** The most lines of one page of a ledger. */
export const maxLines = 200;

/** The days of a history, both included. */
export class HistoryQuery {
  @Day('At most 31 days up to `to`. Default: all 31.')
  readonly from?: string;

  @Day('Default: today.')
  readonly to?: string;

  @Flag('Whether days have the points by the version of the rules that granted them.')
  readonly versions?: boolean;

  @Flag('Whether the answer has the counts of the current week, of the current month and of all time.')
  readonly counts?: boolean;
}

const anyText = value((given): given is string => typeof given === 'string', 'text');

/** Which limits a quota has. Limits that need more than is given are left out. */
export class QuotaQuery {
  /** Only the limits that this action is under. Default: all. @example praise */
  @LeftOut(anyText)
  readonly action?: string;

  /** For limits per subject, and of the app's own types. @example article:7 */
  @LeftOut(anyText)
  readonly subject?: string;

  /** For limits per pair of users: the other one. Default: of a subject `user:42`, that user. @example 9 */
  @LeftOut(anyText)
  readonly ownerId?: string;
}

/** Which page of a user's ledger. */
export class LedgerQuery {
  @Day('Default: today.')
  readonly date?: string;

  @WholeNumber({ min: 1, max: maxLines, default: 50, description: 'How many lines at most.' })
  readonly limit?: number;

  @Text({ max: 1_000, description: '`next` of the page before.' })
  readonly cursor?: string;
}

/** How many of the latest. */
export class LatestQuery {
  @WholeNumber({ min: 1, max: maxTraced, default: 100, description: 'How many at most.' })
  readonly limit?: number;
}
