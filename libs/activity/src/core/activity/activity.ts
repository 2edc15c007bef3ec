import type { TransitionOutcome } from '@laurel/leaderboard';
import type { BoardOutcome } from '@laurel/leaderboard/internals';

/** A user did an action to a subject. */
export interface Activity {
  /** The user who did it: 1 to 128 bytes in UTF-8. Always the user named here, not the one who sent a request. */
  readonly userId: string;
  /** What was done: the action of a rule. */
  readonly action: string;
  /** What it was done to: 1 to 512 bytes in UTF-8, the app's own naming. */
  readonly subject: string;
  /**
   * Identifies this activity among those of the same user and action: 1 to 128 bytes in UTF-8. Each id counts once; a
   * repeat is a `duplicate`, whatever its date. A revoke with the same id takes its points back, and may arrive first.
   * Rules with `once: 'each'` require an id. Default: none.
   */
  readonly id?: string | null;
  /** When. Default: now, by the module's clock. */
  readonly occurredAt?: Date | null;
  /**
   * Orders activities of one millisecond, from 0. Default: a counter of this process if `occurredAt` is left out; else
   * 0, so that a redelivery does not look newer.
   */
  readonly sequence?: number | null;
  /**
   * The subject's owner. Default: if the subject is a user, `user:42`, that user. Rules may ignore a user's own subject
   * (`ownSubject`), and give points to the owner too (`grants`). A revoke names the same owner as its grant.
   */
  readonly ownerId?: string | null;
  /** Of a revoke: it takes back only the grant of this moment's day. */
  readonly grantedAt?: Date | null;
  /**
   * The partitions on which the activity counts, by key: `{ category: 'java' }`. Up to 16, of 1 to 64 bytes each; keys
   * that no leaderboard uses are ignored. A revoke names the same partitions as its grant.
   */
  readonly partitions?: Readonly<Record<string, string>> | null;
}

/** An activity, or its revoke. */
export interface ActivityChange extends Activity {
  /** Whether it takes the points back. Default false. */
  readonly revoke?: boolean | null;
}

/**
 * `granted`, `revoked`: the points changed. `duplicate`: known already. `limited`: a limit refused it. `notGranted`: a
 * revoke that found nothing, or a grant whose revoke came first. `closed`: too old. `ignored`: worth nothing by its
 * rule. `rejected`: dated too far in the future, more points than a board holds, or of a user who was erased.
 */
export type OutcomeName = TransitionOutcome | 'ignored';

/** Every {@link OutcomeName}. */
export const outcomeNames = [
  'granted',
  'revoked',
  'duplicate',
  'limited',
  'notGranted',
  'closed',
  'ignored',
  'rejected',
] as const satisfies readonly OutcomeName[];

/** The result of recording an activity. */
export interface Outcome {
  readonly outcome: OutcomeName;
  /** The change of the user's points: positive, negative or 0. */
  readonly points: number;
  /**
   * The user's score after it on each leaderboard it counts on; empty if it was ignored. A part of a partitioned
   * leaderboard is named `name/part`, here and in `boards`.
   */
  readonly scores: Readonly<Record<string, number>>;
  /** Its effect on each leaderboard of its action; `full`: beyond its `maxPoints`. Empty if ignored. */
  readonly boards: Readonly<Record<string, BoardOutcome>>;
  /** The leaderboards on which it counted although their period had ended; left out if there are none. */
  readonly late?: readonly string[];
  /**
   * The reason, if the outcome alone does not tell: a limit's name, `future`, `scoreOutOfRange`, `ownSubject`, `where`,
   * `notRevocable`. Also given if only a leaderboard with a time zone or points of its own refused it.
   */
  readonly reason?: string;
  /**
   * True if the user is excluded: their points are counted, but not shown until the exclusion ends. Left out if not,
   * and if the outcome is `ignored` or follows from the activity's time alone.
   */
  readonly excluded?: true;
  /** Which limit refused it, on all leaderboards or on some (`boards`), and when the same would be allowed again. */
  readonly refusal?: Refusal;
  /** The outcome of the points that the rule gives the subject's owner; left out if it gives none. */
  readonly owner?: OwnerOutcome;
}

/** A limit's refusal. */
export interface Refusal {
  /** The limit's name. */
  readonly limit: string;
  /** ISO 8601; null: at no moment that is known. */
  readonly allowedAgainAt: string | null;
}

/** The result of granting points to a subject's owner. */
export interface OwnerOutcome {
  readonly userId: string;
  readonly outcome: OutcomeName;
  /** The change of the user's points. */
  readonly points: number;
  readonly scores: Readonly<Record<string, number>>;
}

/** What a user was granted, day by day. */
export interface ActivityHistory {
  readonly userId: string;
  /** In order; days without activities are left out. */
  readonly days: readonly ActivityDay[];
}

/** One day of a user's history. */
export interface ActivityDay {
  /** `2026-11-20` */
  readonly date: string;
  /**
   * What stands of the day: as on the leaderboard of days that takes all actions, where there is one, with the
   * adjustments of other leaderboards alone.
   */
  readonly points: number;
  /** How many standing activities of each action. */
  readonly actions: Readonly<Record<string, number>>;
  /** Where asked for: the points by the version of the rules that they were granted by. */
  readonly versions?: Readonly<Record<string, number>>;
  /** How many standing activities of each action others did to the user's subjects; left out if there are none. */
  readonly received?: Readonly<Record<string, number>>;
  /** Adjustments by operators; left out if there are none. */
  readonly adjustments?: readonly AdjustmentLine[];
}

/** An adjustment in a history. */
export interface AdjustmentLine {
  readonly id: string;
  readonly points: number;
  readonly reason: string;
  readonly at: Date;
}

/** The days of a history, both included, as `2026-11-20`. Default: the 31 days up to `to`; `to`: today. */
export interface HistoryRange {
  readonly from?: string;
  readonly to?: string;
  /** Whether to return which version of the rules granted the points. Default false. */
  readonly versions?: boolean;
}

/** The longest user id, in bytes of UTF-8. */
export const maxUserIdBytes = 128;

/** The longest id of an activity, in bytes of UTF-8. */
export const maxActivityIdBytes = 128;

/** The longest subject, in bytes of UTF-8. */
export const maxSubjectBytes = 512;

/** The fault of a user id or a subject, or null. Any text is valid that is well-formed in UTF-8. */
export function identifierFault(value: unknown, maxBytes: number): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length === 0) return `must not be empty: use 1 to ${maxBytes} bytes`;
  if (value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes) {
    return `must be at most ${maxBytes} bytes in UTF-8`;
  }
  return value.isWellFormed() ? null : 'must be well-formed Unicode: it holds half of a surrogate pair';
}

/** What the subjects that are users begin with: `user:42`, of a follow. */
const userSubjectPrefix = 'user:';

/** The owner of an activity's subject: the owner that it names; if the subject is a user, that user. */
export function ownerOf({ ownerId, subject }: Pick<ActivityChange, 'ownerId' | 'subject'>): string | null {
  return ownerId ?? userIn(subject);
}

/** The subject that names a user. */
export function subjectOfUser(userId: string): string {
  return userSubjectPrefix + userId;
}

/** The user that a subject is; null: it is none. */
export function userIn(subject: string): string | null {
  if (!subject.startsWith(userSubjectPrefix)) return null;
  const userId = subject.slice(userSubjectPrefix.length);
  return identifierFault(userId, maxUserIdBytes) === null ? userId : null;
}

let last = 0;
let stampedAtMs = -Infinity;
let stamped = 0;

/** The next number of this process: of two activities made here in one millisecond the later has the higher. */
export function nextSequence(): number {
  last = Math.max(last, stamped) + 1;
  return last;
}

/**
 * The number of an activity that is stamped with this moment. Without one of {@link nextSequence}, it is counted from 0
 * in each millisecond, as ledgers store that in the fewest bytes; it is later than all stamped here before.
 */
export function sequenceAt(nowMs: number, given: number | null | undefined): number {
  // A clock that went back goes on with the numbers of the moment that it had reached.
  const isLater = nowMs > stampedAtMs;
  const number = given ?? (isLater ? 0 : stamped + 1);
  // A caller's own number orders no other activity.
  if (given == null || given <= last) {
    stamped = isLater ? number : Math.max(stamped, number);
    if (isLater) stampedAtMs = nowMs;
  }
  return number;
}

/** The name under which an app announces an action of a rule: `activity.praise`. */
export function eventNameOf(action: string): string {
  return `activity.${action}`;
}

/** The name under which an app announces that an action was taken back: `activity.praise.cancelled`. */
export function cancelledEventNameOf(action: string): string {
  return `activity.${action}.cancelled`;
}

/** The action that no rule may have: the module announces under its event's name what it recorded. */
export const announcedAction = 'recorded';
