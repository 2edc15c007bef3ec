import { Fits, LeftOut, OneOf, WholeNumber } from '../../core/http/validation';
import { moment } from '../../core/schema/moment';
import { anything, flag } from '../../core/schema/schema';
import { note, operator, user } from '../checks';
import { reviewStates, type ReviewState } from './review';

/** How an operator ends a review. */
export class DecisionOptions {
  /** Which operator; up to 128 bytes. @example ada */
  @LeftOut(operator)
  readonly by?: string;

  /** Up to 512 bytes. */
  @LeftOut(note)
  readonly note?: string;
}

/** How an operator voids points. */
export class VoidOptions extends DecisionOptions {
  /** Whether owners keep what the user's activities gave them; else it is taken from them too. @defaultValue false */
  @LeftOut(flag)
  readonly keepsGifts?: boolean;
}

/** The user whose points an operator holds back, and the reason. */
export class HoldOptions {
  /** @example 42 */
  @Fits(user)
  readonly userId: string;

  /** 1 to 512 bytes. @example praised by nine new accounts in a minute */
  @Fits(note)
  readonly reason: string;

  /** The points in question are those from here on. Default: now. @format date-time */
  @LeftOut(moment)
  readonly from?: string;

  /** Only the points of this action, one of the rules', are in question. Default: all. @example praise */
  @LeftOut(anything)
  readonly action?: string;

  /** Which operator; up to 128 bytes. @example ada */
  @LeftOut(operator)
  readonly by?: string;
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
