import { ApiProperty } from '../core/peers/decorators';
import { RankPeriod } from '../core/ranks/rank.responses';

/** A period that has ended and is not settled yet. */
export class WaitingPeriod extends RankPeriod {
  @ApiProperty({ format: 'date-time', description: 'When it closes: later activities do not count on it.' })
  readonly closesAt: string;

  @ApiProperty({ description: 'Whether it has closed: it is settled at the next check.' })
  readonly isDue: boolean;
}

/** A period that was settled. */
export class LastSettled extends RankPeriod {
  @ApiProperty({ format: 'date-time' })
  readonly settledAt: string;

  @ApiProperty({ description: 'How many users were archived.', example: 1234 })
  readonly total: number;

  @ApiProperty({ description: 'SHA-256 of all lines, as settled.' })
  readonly checksum: string;
}

/** How the settling of one leaderboard stands. */
export class LeaderboardSettlement {
  @ApiProperty({ example: 'day' })
  readonly leaderboard: string;

  @ApiProperty({ type: RankPeriod })
  readonly current: RankPeriod;

  @ApiProperty({ type: [WaitingPeriod], description: 'The earliest first.' })
  readonly waiting: readonly WaitingPeriod[];

  @ApiProperty({ type: LastSettled, nullable: true, description: 'Null: none yet, or the leaderboard is partitioned.' })
  readonly lastSettled: LastSettled | null;
}

/** How settling stands. */
export class SettlementAnswer {
  @ApiProperty({ description: 'Whether the instance that answers settles.' })
  readonly isOn: boolean;

  @ApiProperty({ type: [LeaderboardSettlement], description: 'All but rolling windows, which are never settled.' })
  readonly leaderboards: readonly LeaderboardSettlement[];
}
