import { ApiProperty } from '../core/peers/decorators';
import { LeaderboardAnswer, RankUser } from '../core/ranks/rank.responses';

/** One's own place, as the event `standing` has it. */
export class StreamedEntry {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ type: Number, minimum: 1, nullable: true, description: 'Null: not on it.', example: 4 })
  readonly rank: number | null;

  @ApiProperty({ example: 17 })
  readonly score: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When the score was reached.' })
  readonly reachedAt: string | null;
}

/** The event `standing`: one's own place has changed. */
export class StandingEvent extends LeaderboardAnswer {
  @ApiProperty({ description: 'The key of the period.', example: '2026-11-20' })
  readonly period: string;

  @ApiProperty({ description: 'How many users are on it.', example: 1234 })
  readonly total: number;

  @ApiProperty({ type: StreamedEntry })
  readonly entry: StreamedEntry;
}

/** Who passed. */
export class Overtaker {
  @ApiProperty({ example: '7' })
  readonly userId: string;

  @ApiProperty({ example: 19 })
  readonly score: number;

  @ApiProperty({ type: RankUser, nullable: true, description: 'Null where no profile is known.' })
  readonly user: RankUser | null;
}

/** The event `overtaken`: others passed, and one's own points did not fall. */
export class OvertakenEvent extends LeaderboardAnswer {
  @ApiProperty({ description: 'The key of the period.', example: '2026-11-20' })
  readonly period: string;

  @ApiProperty({ minimum: 1, description: "One's own rank now.", example: 5 })
  readonly rank: number;

  @ApiProperty({ minimum: 1, description: 'How many places were lost.', example: 1 })
  readonly places: number;

  @ApiProperty({
    type: Overtaker,
    nullable: true,
    description:
      'Of those who passed the nearest. Null where one stood beyond the first hundred before: it is not known.',
  })
  readonly by: Overtaker | null;
}

/** The event `away`: Redis does not answer. */
export class AwayEvent {
  @ApiProperty({ format: 'date-time', description: 'Since when.' })
  readonly since: string;
}
