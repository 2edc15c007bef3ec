import { ApiProperty } from '@laurel/activity/internals';

/** Users of whom each gives to the next, and the last to the first. */
export class Ring {
  @ApiProperty({ type: [String], example: ['42', '43', '44'] })
  readonly users: readonly string[];

  @ApiProperty({ type: [Number], description: 'How often each gives to the next.', example: [9, 7, 8] })
  readonly counts: readonly number[];

  @ApiProperty({ description: 'The smallest of the counts: how tight the ring is.', example: 7 })
  readonly least: number;
}
