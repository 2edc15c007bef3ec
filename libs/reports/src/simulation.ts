import { ApiProperty } from '@laurel/activity/internals';

/** A user's simulated points, and their real rank and points. */
export class SimulatedStanding {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ description: 'Under the simulated rules.', example: 60 })
  readonly points: number;

  @ApiProperty({
    description:
      'When the real score was reached, or now where there is none, in milliseconds: of equal points, the earlier is first.',
  })
  readonly reachedAtMs: number;

  @ApiProperty({ type: Number, nullable: true, minimum: 1, description: 'Null: not on it.', example: 3 })
  readonly rankNow: number | null;

  @ApiProperty({ example: 37 })
  readonly pointsNow: number;
}

/** How a period would have stood under other rules. */
export class Simulation {
  @ApiProperty({ example: 'month' })
  readonly leaderboard: string;

  @ApiProperty({ example: '2026-11' })
  readonly period: string;

  @ApiProperty({ description: 'Who is on it, or would be.', example: 1234 })
  readonly users: number;

  @ApiProperty({ example: 9_876 })
  readonly pointsNow: number;

  @ApiProperty({ example: 12_345 })
  readonly pointsThen: number;

  @ApiProperty({
    type: [SimulatedStanding],
    description: 'The best, in order, without users that would have no points.',
  })
  readonly top: readonly SimulatedStanding[];

  @ApiProperty({ type: [String], description: 'Recorded actions for which the rules give nothing.' })
  readonly worthless: readonly string[];

  @ApiProperty({
    description:
      'Users whose ledgers do not add up to their points, because of activities or revokes that came too late.',
  })
  readonly uneven: number;
}
