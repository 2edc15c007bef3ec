import { ApiProperty, ApiPropertyOptional, OmitType, PickType } from '../peers/decorators';
import { RankStanding, RankUser } from '../ranks/rank.responses';
import { LedgerPage } from './ledger-page';
import { TracedRefusal } from './refusal';

/** A whole day of a user's ledger; what a limit refused has 0 points, and was not revoked. */
export class LedgerDayAnswer extends PickType(LedgerPage, ['date', 'points', 'lines']) {}

/** A user's own standing, without others. */
export class OwnStanding extends OmitType(RankStanding, ['ahead', 'top10']) {}

const records = { type: 'array', items: { type: 'object', additionalProperties: true } } as const;

/** All that is kept about a user. */
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

  @ApiPropertyOptional({ ...records, description: 'With `ModerationModule`: source `user` is an opting out.' })
  readonly exclusions?: readonly object[];

  @ApiPropertyOptional({
    ...records,
    description: 'With `ModerationModule`: when points were held, and what became of it.',
  })
  readonly reviews?: readonly object[];

  @ApiPropertyOptional({
    ...records,
    description: 'With `SettlementModule`: places and titles in settled periods, as archived, with everyone on them.',
  })
  readonly settled?: readonly object[];

  @ApiProperty({ type: [LedgerDayAnswer], description: 'Every day that is kept: grants, revokes and adjustments.' })
  readonly days: readonly LedgerDayAnswer[];
}
