import { ApiProperty, OmitType, PickType } from '../core/peers/decorators';
import { RankStanding, RankUser } from '../core/ranks/rank.responses';
import { LedgerPage } from './ledger-page';
import { TracedRefusal } from './refusal';

/** A whole day of a user's ledger; what a limit refused has 0 points, and was not revoked. */
export class LedgerDayAnswer extends PickType(LedgerPage, ['date', 'points', 'lines']) {}

/** A user's own standing, without others. */
export class OwnStanding extends OmitType(RankStanding, ['ahead', 'top10']) {}

/** All that is kept about a user; each module beside adds a list of what it has. */
export class UserDataAnswer {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ type: RankUser, nullable: true, description: 'As everyone sees them; null: no profile is known.' })
  readonly user: RankUser | null;

  @ApiProperty({ type: String, format: 'date', nullable: true, description: 'Where `firstDays` is on.' })
  readonly firstDay: string | null;

  @ApiProperty({ type: [OwnStanding], description: 'Of the current period of each leaderboard without partitions.' })
  readonly standings: readonly OwnStanding[];

  @ApiProperty({ type: [TracedRefusal], description: 'Of the latest 1,000 of all users.' })
  readonly refusals: readonly TracedRefusal[];

  @ApiProperty({ type: [LedgerDayAnswer], description: 'Every day that is kept: grants, revokes and adjustments.' })
  readonly days: readonly LedgerDayAnswer[];
}
