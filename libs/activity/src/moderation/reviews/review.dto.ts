import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsISO8601, IsOptional, IsString, Max, Min } from 'class-validator';
import { IsUserId } from '../../ranks/is-user-id';
import { reviewStates, type Review, type ReviewState, type Voided } from './review';

const whole = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;

/** Whose points are held back, and why. */
export class HoldBody {
  @ApiProperty({ example: '42' })
  @IsUserId()
  readonly userId: string;

  @ApiProperty({ description: 'Up to 512 bytes.', example: 'praised by nine new accounts in a minute' })
  @IsString()
  readonly reason: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'The points in question are those from here on. Default: now.',
  })
  @IsOptional()
  @IsISO8601({ strict: true }, { message: 'must be a moment such as 2026-11-20T08:12:01.123Z' })
  readonly from?: string;

  @ApiPropertyOptional({ description: 'Which operator; up to 128 bytes.', example: 'ada' })
  @IsOptional()
  @IsString()
  readonly by?: string;
}

/** Who decides, and why. */
export class DecisionBody {
  @ApiPropertyOptional({ description: 'Which operator; up to 128 bytes.', example: 'ada' })
  @IsOptional()
  @IsString()
  readonly by?: string;

  @ApiPropertyOptional({ description: 'Up to 512 bytes.' })
  @IsOptional()
  @IsString()
  readonly note?: string;
}

/** Which reviews. */
export class ReviewsQuery {
  @ApiPropertyOptional({ enum: reviewStates, default: 'held' })
  @IsOptional()
  @IsIn(reviewStates, { message: `must be one of ${reviewStates.join(', ')}` })
  readonly state?: ReviewState;

  @ApiPropertyOptional({ minimum: 0, default: 0 })
  @IsOptional()
  @Transform(whole)
  @IsInt({ message: 'must be a whole number from 0' })
  @Min(0, { message: 'must be a whole number from 0' })
  readonly offset?: number;

  @ApiPropertyOptional({ minimum: 1, maximum: 1_000, default: 100 })
  @IsOptional()
  @Transform(whole)
  @IsInt({ message: 'must be a whole number from 1 to 1000' })
  @Min(1, { message: 'must be a whole number from 1 to 1000' })
  @Max(1_000, { message: 'must be a whole number from 1 to 1000' })
  readonly limit?: number;
}

/** What was taken for good. */
export class VoidedAnswer implements Voided {
  @ApiProperty({ example: 12 })
  readonly grants: number;

  @ApiProperty({ example: 24 })
  readonly points: number;

  @ApiProperty({
    type: [String],
    description: 'Final standings that the user was removed from.',
    example: ['day 2026-11-20'],
  })
  readonly removedFrom: readonly string[];
}

/** A user's points under review. */
export class ReviewAnswer implements Review {
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

  @ApiProperty({ type: String, nullable: true })
  readonly decidedBy: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly decidedAt: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly note: string | null;

  @ApiProperty({ type: VoidedAnswer, nullable: true })
  readonly voided: VoidedAnswer | null;
}

/** Reviews in one state. */
export class ReviewList {
  @ApiProperty({ type: [ReviewAnswer] })
  readonly reviews: readonly ReviewAnswer[];
}
