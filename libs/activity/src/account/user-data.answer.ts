import { type OwnStanding, type RankUser } from '../core/ranks/rank.responses';
import { type LedgerDayAnswer } from './ledger-page';
import { type TracedRefusal } from './refusal';

/** All that is kept about a user; each optional module adds a list of its own. */
export class UserDataAnswer {
  /** @example 42 */
  readonly userId: string;
  /** As everyone sees them; null: no profile is known. */
  readonly user: RankUser | null;
  /** Where `firstDays` is on. @format date */
  readonly firstDay: string | null;
  /** Of the current period of each leaderboard without partitions. */
  readonly standings: readonly OwnStanding[];
  /** Of the latest 1,000 of all users. */
  readonly refusals: readonly TracedRefusal[];
  /** Every day that is kept: grants, revokes and adjustments. */
  readonly days: readonly LedgerDayAnswer[];
}
