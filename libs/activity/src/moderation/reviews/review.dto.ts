import { IsBoolean, IsISO8601, IsOptional, IsString } from '../../core/peers/decorators';
import { OneOf, WholeNumber } from '../../core/http/validation';
import { IsUserId } from '../../core/ranks/rank.dto';
import { maxUserIdBytes } from '../../core/activity/activity';
import { type EntriesOf, flag, object, optional, value, whole, word } from '../../core/schema/schema';
import { identifier, maxNoteBytes, maxOperatorBytes } from '../checks';
import { reviewStates, type ReviewState } from './review';

/** How an operator ends a review. */
export class DecisionOptions {
  /** Which operator; up to 128 bytes. @example ada */
  @IsOptional()
  @IsString()
  readonly by?: string;

  /** Up to 512 bytes. */
  @IsOptional()
  @IsString()
  readonly note?: string;
}

/** What {@link DecisionOptions} may be, from a request and from the app alike. */
export const decisionOptions = object({
  by: optional(identifier(maxOperatorBytes)),
  note: optional(identifier(maxNoteBytes)),
} satisfies EntriesOf<DecisionOptions>);

/** How an operator voids points. */
export class VoidOptions extends DecisionOptions {
  /** Whether owners keep what the user's activities gave them; else it is taken from them too. @defaultValue false */
  @IsOptional()
  @IsBoolean()
  readonly keepsGifts?: boolean;
}

/** What {@link VoidOptions} may be, from a request and from the app alike. */
export const voidOptions = object({
  by: optional(identifier(maxOperatorBytes)),
  note: optional(identifier(maxNoteBytes)),
  keepsGifts: optional(flag, false),
} satisfies EntriesOf<VoidOptions>);

/** Whose points an operator holds back, and why. */
export class HoldOptions {
  /** @example 42 */
  @IsUserId()
  readonly userId: string;

  /** 1 to 512 bytes. @example praised by nine new accounts in a minute */
  @IsString()
  readonly reason: string;

  /** The points in question are those from here on. Default: now. @format date-time */
  @IsOptional()
  @IsISO8601({ strict: true }, { message: 'must be a moment such as 2026-11-20T08:12:01.123Z' })
  readonly from?: string;

  /** Only the points of this action are in question. Default: all. @example praise */
  @IsOptional()
  @IsString()
  readonly action?: string;

  /** Which operator; up to 128 bytes. @example ada */
  @IsOptional()
  @IsString()
  readonly by?: string;
}

/** What {@link HoldOptions} may be, from a request and from the app alike. */
export const holdOptions = (actions: readonly string[]) =>
  object({
    userId: identifier(maxUserIdBytes),
    reason: identifier(maxNoteBytes),
    from: optional(value(isMoment, 'a moment such as 2026-11-20T08:12:01.123Z')),
    action: optional(word(actions)),
    by: optional(identifier(maxOperatorBytes)),
  } satisfies EntriesOf<HoldOptions>);

function isMoment(given: unknown): given is string {
  return typeof given === 'string' && Number.isFinite(Date.parse(given));
}

/** Which reviews. */
export class ReviewsQuery {
  @OneOf(reviewStates, { default: 'held', description: 'The state of the reviews.' })
  readonly state?: ReviewState;

  @WholeNumber({ min: 0, max: 1_000_000_000, default: 0, description: 'Reviews to pass over.' })
  readonly offset?: number;

  @WholeNumber({ min: 1, max: 1_000, default: 100, description: 'How many at most.' })
  readonly limit?: number;
}

/** What a {@link ReviewsQuery} may be, from a request and from the app alike. */
export const reviewsQuery = object({
  state: optional(word(reviewStates), 'held'),
  offset: optional(whole(0), 0),
  limit: optional(whole(1, 1_000), 100),
} satisfies EntriesOf<ReviewsQuery>);
