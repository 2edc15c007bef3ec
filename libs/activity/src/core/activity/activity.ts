export type { ActivityHistory } from './history';
export type { ActivityResult as Outcome, OutcomeName } from './outcome';

/** A user did an action to a subject. */
export interface Activity {
  /** The user who did it: 1 to 128 bytes in UTF-8. Always the user named here, not the one who sent a request. */
  readonly userId: string;
  /** The action of a rule. */
  readonly action: string;
  /** The subject, named by the app: 1 to 512 bytes in UTF-8. */
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
   * (`ownSubject`), and give points to the owner too (`grants`). A revoke needs none.
   */
  readonly ownerId?: string | null;
  /** Of a revoke: it takes back only the grant of this moment's day. */
  readonly grantedAt?: Date | null;
  /**
   * The partitions on which the activity counts, by key: `{ category: 'java' }`. Up to 16, of 1 to 64 bytes each; keys
   * that no leaderboard uses are ignored. A revoke needs none.
   */
  readonly partitions?: Readonly<Record<string, string>> | null;
}

/** An activity, or its revoke. */
export interface ActivityChange extends Activity {
  /** Whether it takes the points back. Default false. */
  readonly revoke?: boolean | null;
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

/** The prefix of subjects that are users: `user:42`, of a follow. */
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

/** The action that no rule may have: the module announces under its event's name what it recorded. */
export const announcedAction = 'recorded';
