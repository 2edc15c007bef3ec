import { ApiProperty } from '@nestjs/swagger';
import type { SimulatedStanding, Simulation } from './rule-simulation';

/** One user's standing as it is, and as it would be. */
export class SimulatedStandingAnswer implements SimulatedStanding {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ description: 'The points that the user would have.', example: 60 })
  readonly points: number;

  @ApiProperty({ description: 'When the real score was reached, in milliseconds: it orders equal scores.' })
  readonly reachedAtMs: number;

  @ApiProperty({ minimum: 1, example: 3 })
  readonly rankNow: number;

  @ApiProperty({ example: 37 })
  readonly pointsNow: number;
}

/** How a period would have stood. */
export class SimulationAnswer implements Simulation {
  @ApiProperty({ example: 'month' })
  readonly leaderboard: string;

  @ApiProperty({ example: '2026-11' })
  readonly period: string;

  @ApiProperty({ example: 1234 })
  readonly users: number;

  @ApiProperty({ example: 9_876 })
  readonly pointsNow: number;

  @ApiProperty({ example: 12_345 })
  readonly pointsThen: number;

  @ApiProperty({
    type: [SimulatedStandingAnswer],
    description: 'The best, in order; who would have nothing is left out.',
  })
  readonly top: readonly SimulatedStandingAnswer[];

  @ApiProperty({ type: [String], description: 'Actions that were recorded, and that the rules give nothing for.' })
  readonly worthless: readonly string[];

  @ApiProperty({ description: 'Users whose ledgers do not add up to their points: something came, or went, too late.' })
  readonly uneven: number;
}
