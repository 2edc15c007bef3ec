import { ApiProperty } from '../../core/peers/decorators';

/** The points that were taken, of all users. */
export class TakenBack {
  @ApiProperty({ description: 'How many grants.', example: 12 })
  readonly grants: number;

  @ApiProperty({ description: "Their points, as the module's own ledger counts them.", example: 24 })
  readonly points: number;
}

/** The state of a deletion. */
export class DeletionReceipt {
  @ApiProperty({ example: '0mb1x3f2k0001-5c1f09aa' })
  readonly id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null once the deletion is done, where the subject is a user.',
    example: 'article:7',
  })
  readonly subject: string | null;

  @ApiProperty({
    enum: ['waiting', 'running', 'done'],
    description: '`waiting`: for its turn, or for a retry after a fault.',
    example: 'done',
  })
  readonly state: 'waiting' | 'running' | 'done';

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:12:01.123Z' })
  readonly askedAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it was last begun.' })
  readonly startedAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly doneAt: string | null;

  @ApiProperty({ type: TakenBack, description: 'So far. What a crashed instance took last may be missing.' })
  readonly taken: TakenBack;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The error code of the last try; the next one continues.',
    example: null,
  })
  readonly fault: string | null;
}
