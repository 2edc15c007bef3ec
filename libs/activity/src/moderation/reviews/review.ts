import { ApiProperty, ApiPropertyOptional } from '../../core/peers/decorators';

/** `held`: the user is off the leaderboards. `released`: back on them. `voided`: the points in question were taken. */
export const reviewStates = ['held', 'released', 'voided'] as const;
/** The state of a review. */
export type ReviewState = (typeof reviewStates)[number];

/** The points that were taken from one owner. */
export class OwnerLoss {
  @ApiProperty({ example: '7' })
  readonly userId: string;

  @ApiProperty({ description: 'How many grants.', example: 3 })
  readonly grants: number;

  @ApiProperty({ example: 3 })
  readonly points: number;
}

/** The points that were taken from owners to whom the user's activities had given. */
export class VoidedGifts {
  @ApiProperty({ description: 'How many grants.', example: 5 })
  readonly grants: number;

  @ApiProperty({ description: "Their points, as the module's own ledger counts them.", example: 5 })
  readonly points: number;

  @ApiProperty({ description: 'From how many owners.', example: 2 })
  readonly owners: number;

  @ApiProperty({ type: [OwnerLoss], description: 'The 100 owners who lost most, the most first.' })
  readonly losses: readonly OwnerLoss[];
}

/**
 * The points that were taken from a user. They are stored before they are taken: an interrupted void shows what will be
 * taken.
 */
export class Voided {
  @ApiProperty({ description: 'How many grants.', example: 12 })
  readonly grants: number;

  @ApiProperty({ description: "Their points, as the module's own ledger counts them.", example: 24 })
  readonly points: number;

  @ApiProperty({
    type: [String],
    description: 'Final standings that the user was removed from.',
    example: ['day 2026-11-20'],
  })
  readonly removedFrom: readonly string[];

  @ApiPropertyOptional({ type: VoidedGifts, description: 'Left out where owners keep what the user gave.' })
  readonly gifts?: VoidedGifts;
}

/** A user's points under review: who held them back, when and why, and what was decided. */
export class Review {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ enum: reviewStates })
  readonly state: ReviewState;

  @ApiProperty()
  readonly reason: string;

  @ApiProperty({ type: String, nullable: true, example: 'ada' })
  readonly heldBy: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly heldAt: string;

  @ApiProperty({ format: 'date-time', description: 'The points in question are those from here on.' })
  readonly from: string;

  @ApiPropertyOptional({
    description: 'Only the points of this action are in question. Left out: all.',
    example: 'praise',
  })
  readonly action?: string;

  @ApiProperty({ type: String, nullable: true })
  readonly decidedBy: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly decidedAt: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly note: string | null;

  @ApiPropertyOptional({ description: 'Of voided points: whether owners keep what the user gave them.' })
  readonly keepsGifts?: boolean;

  @ApiProperty({ type: Voided, nullable: true })
  readonly voided: Voided | null;
}

/** Reviews in one state. */
export class ReviewList {
  @ApiProperty({ type: [Review] })
  readonly reviews: readonly Review[];
}
