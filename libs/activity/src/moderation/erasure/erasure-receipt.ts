import { ApiProperty } from '../../core/peers/decorators';

/** How far an erasure is. */
export type ErasureState = 'waiting' | 'running' | 'done';

/** The state of an erasure. */
export class ErasureReceipt {
  @ApiProperty({ example: '0mb1x3f2k0001-5c1f09aa' })
  readonly id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null once the erasure is done: nothing names the user then.',
    example: '42',
  })
  readonly userId: string | null;

  @ApiProperty({
    enum: ['waiting', 'running', 'done'],
    description: '`waiting`: for its turn, or for a retry after a fault.',
    example: 'done',
  })
  readonly state: ErasureState;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:12:01.123Z' })
  readonly askedAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it was last begun.' })
  readonly startedAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly doneAt: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How much there was, by kind, when the last try began.',
    example: {
      ...{ boards: 4, rolling: 0, ledgers: 12, lists: 1, named: 4 },
      ...{ archived: 30, exclusions: 0, reviews: 0 },
    },
  })
  readonly erased: Readonly<Record<string, number>>;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The error code of the last try (`timeout:directory`), or what another instance has to erase (`waiting:archived`).',
    example: null,
  })
  readonly fault: string | null;
}
