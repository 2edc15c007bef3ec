import { ApiProperty, ApiPropertyOptional, PickType } from '../core/peers/decorators';
import { RankTitle } from '../core/ranks/rank.responses';

const count = { type: Number, nullable: true } as const;

/** A badge that a user has won, with the number that earned it. */
export class WonBadge extends PickType(RankTitle, ['id', 'name']) {
  @ApiProperty({ description: '`points`, `streak` or a tally.', example: 'given:comment' })
  readonly of: string;

  @ApiProperty({ example: 'all' })
  readonly leaderboard: string;

  @ApiProperty({ description: 'What was needed then.', example: 100 })
  readonly atLeast: number;

  @ApiProperty({ description: 'The number when it was judged.', example: 103 })
  readonly value: number;

  @ApiProperty({ format: 'date-time', description: 'When it was judged.' })
  readonly wonAt: string;
}

/** A title that a user won in a settled period. */
export class WonTitle {
  @ApiProperty({ example: 'month' })
  readonly leaderboard: string;

  @ApiProperty({ example: '2026-10' })
  readonly period: string;

  @ApiProperty({ type: RankTitle })
  readonly title: RankTitle;
}

/** What a user has earned beside points. */
export class UserRewards {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ ...count, example: 3, description: 'Follows the points; 0: none is reached. Null: there are none.' })
  readonly level: number | null;

  @ApiProperty({ ...count, example: 640, description: 'What levels are reached by.' })
  readonly points: number | null;

  @ApiProperty({ ...count, example: 1000, description: 'From how many points on the next level is reached.' })
  readonly nextLevel: number | null;

  @ApiProperty({ type: [WonBadge], description: 'The earliest first.' })
  readonly badges: readonly WonBadge[];

  @ApiProperty({
    ...{ ...count, example: 5 },
    description: 'Days in a row with points, up to today or yesterday. Null: no leaderboard of days has all actions.',
  })
  readonly streak: number | null;

  @ApiProperty({ ...count, example: 7, description: 'The days that the next badge for a streak needs.' })
  readonly nextStreak: number | null;

  @ApiPropertyOptional({ type: [WonTitle], description: 'With `titles=true`, by leaderboard, the latest first.' })
  readonly titles?: readonly WonTitle[];
}
