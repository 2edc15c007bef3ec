import { maxActivityIdBytes, maxSubjectBytes } from '../../core/activity/activity';
import { Fits, LeftOut, OneOf, WholeNumber } from '../../core/http/validation';
import type { RuleBook } from '../../core/rules/rule-book';
import { moment } from '../../core/schema/moment';
import { anything, flag, list, object, optional, refused, word } from '../../core/schema/schema';
import { identifier, note, operator, user } from '../checks';

/** `held`: the user is off the leaderboards, or points wait. `released`: back again. `voided`: they were taken. */
export type ReviewState = 'held' | 'released' | 'voided';
/** Every {@link ReviewState}. */
export const reviewStates: readonly ReviewState[] = ['held', 'released', 'voided'];

/** An activity whose points wait: all that the user did of it that day. */
export class HeldActivity {
  /** @example praise */
  readonly action: string;
  /** @example article:7 */
  readonly subject: string;
  /** A moment of its day. @format date-time */
  readonly occurredAt: string;
  /** Of an action that counts each activity by its id. */
  readonly id?: string;
}

/** The points that were taken from one owner. */
export class OwnerLoss {
  /** @example 7 */
  readonly userId: string;
  /** How many grants. @example 3 */
  readonly grants: number;
  /** @example 3 */
  readonly points: number;
}

/** The points that were taken from owners to whom the user's activities had given. */
export class VoidedGifts {
  /** How many grants. @example 5 */
  readonly grants: number;
  /** Their points, as the module's own ledger counts them. @example 5 */
  readonly points: number;
  /** From how many owners. @example 2 */
  readonly owners: number;
  /** The 100 owners who lost most, the most first. */
  readonly losses: readonly OwnerLoss[];
}

/** The points that were taken, of all users. */
export class TakenBack {
  /** How many grants. @example 12 */
  readonly grants: number;
  /** Their points, as the module's own ledger counts them. @example 24 */
  readonly points: number;
}

/**
 * The points that were taken from a user. They are stored before they are taken: an interrupted void shows what will be
 * taken.
 */
export class Voided extends TakenBack {
  /** Final standings that the user was removed from. @example ["day 2026-11-20"] */
  readonly removedFrom: readonly string[];
  /** Left out where owners keep what the user gave. */
  readonly gifts?: VoidedGifts;
}

/** A user's points under review: who held them back, when and why, and what was decided. */
export class Review {
  /** @format uuid */
  readonly id: string;
  /** @example 42 */
  readonly userId: string;
  readonly state: ReviewState;
  readonly reason: string;
  /** @example ada */
  readonly heldBy: string | null;
  /** @format date-time */
  readonly heldAt: string;
  /** The points in question are those from here on; `activities` whenever they were. @format date-time */
  readonly from: string;
  /** Only the points of this action wait. @example praise */
  readonly action?: string;
  /** These alone wait, beside those of `action`. */
  readonly activities?: readonly HeldActivity[];
  readonly decidedBy: string | null;
  /** @format date-time */
  readonly decidedAt: string | null;
  readonly note: string | null;
  /** Of voided points: whether owners keep what the user gave them. */
  readonly keepsGifts?: boolean;
  readonly voided: Voided | null;
}

/** Reviews in one state. */
export class ReviewList {
  readonly reviews: readonly Review[];
}

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

/** Whose points an operator holds back, and why: all, or those alone that `action` or `activities` name. */
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

  /** The points of this action alone wait, one of the rules'; the user stays on the leaderboards. @example praise */
  @LeftOut(anything)
  readonly action?: string;

  /** The points of these alone wait, 1 to 100; the user stays on the leaderboards. */
  @LeftOut(anything)
  readonly activities?: readonly HeldActivity[];

  /** Which operator; up to 128 bytes. @example ada */
  @LeftOut(operator)
  readonly by?: string;
}

/** What may wait, by the rules. */
export function holdable(book: RuleBook) {
  const [action, id] = [word(book.actions), optional(identifier(maxActivityIdBytes))];
  const activity = object({ action, subject: identifier(maxSubjectBytes), id, occurredAt: moment });
  const held: typeof activity = (given, place) => {
    const read = activity(given, place);
    const isById = read !== refused && book.find(read.action)?.rule.once === 'each';
    if (!isById || read.id !== undefined) return read;
    return place.property('id').fault('is missing: its rule counts each activity by its id');
  };
  const activities = list(held, { min: 1, max: 100, advice: 'give 1 to 100' });
  return { action: optional(action), activities: optional(activities) };
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
