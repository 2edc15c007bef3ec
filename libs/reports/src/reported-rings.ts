import { ApiProperty } from '@laurel/activity/internals';
import { Ring } from './rings/ring';

/** Users that give one another points, and how often. */
export class ReportedRings {
  @ApiProperty({ example: '2026-11' })
  readonly period: string;

  @ApiProperty({ example: 'praise' })
  readonly action: string;

  @ApiProperty({ example: 5 })
  readonly min: number;

  @ApiProperty({
    description: "The first day whose ledgers were read: those of the period's first days may be gone.",
    example: '2026-11-01',
  })
  readonly from: string;

  @ApiProperty({ description: 'The last day whose ledgers were read.', example: '2026-11-20' })
  readonly to: string;

  @ApiProperty({ format: 'date-time', description: 'When the first day began.' })
  readonly since: string;

  @ApiProperty({ description: 'Users on the standings of the period, excluded ones too.', example: 1234 })
  readonly users: number;

  @ApiProperty({
    description: 'Pairs of users of whom one gives the other at least as often as `min` says.',
    example: 321,
  })
  readonly edges: number;

  @ApiProperty({ type: [Ring], description: 'The tightest first.' })
  readonly rings: readonly Ring[];

  @ApiProperty({ description: 'How many rings there are, in the answer or not.', example: 3 })
  readonly total: number;

  @ApiProperty({
    description:
      'True if there were more paths than were tried, or more pairs than are remembered: the loosest were left out.',
  })
  readonly isPartial: boolean;

  @ApiProperty({
    type: [String],
    description: 'Users of the rings who are already excluded, by an operator or for a review.',
  })
  readonly excluded: readonly string[];
}
