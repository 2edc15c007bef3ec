import { ApiProperty } from '../peers/decorators';

const text = { type: String, nullable: true } as const;

/** A request that was carried out with an API key which may `operate`. */
export class Operation {
  @ApiProperty({ format: 'date-time' })
  readonly at: string;

  @ApiProperty({ description: 'The name of the key; `api-key` where it has none.', example: 'moderators' })
  readonly key: string;

  @ApiProperty({ ...text, description: 'Which operator, where the body says so.', example: 'ada' })
  readonly by: string | null;

  @ApiProperty({ description: 'The route, without values.', example: 'PUT /activity/exclusions/:userId' })
  readonly did: string;

  @ApiProperty({ ...text, description: 'To whom; null: to nobody by name, as an erasure.', example: '42' })
  readonly userId: string | null;

  @ApiProperty({ ...text, description: 'The id of a review, an adjustment or a receipt, or a subject.', example: 'a1' })
  readonly about: string | null;

  @ApiProperty({ ...text, description: 'Why, as the body says.', example: 'three accounts' })
  readonly why: string | null;
}

/** Lists and announces what operators did. */
export interface OperationLog {
  /** @throws ActivityError `unavailable` */
  add(operation: Omit<Operation, 'at'>): Promise<void>;
}
