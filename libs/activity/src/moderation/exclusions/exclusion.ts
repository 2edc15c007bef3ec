import type { ExclusionReason } from '../../core/extensions/ports';
import { LeftOut, OneOf, WholeNumber } from '../../core/http/validation';
import { value } from '../../core/schema/schema';
import { note, operator } from '../checks';

/**
 * Where an exclusion comes from: an operator, the app's user directory, the review queue, or the user. Each removes
 * only its own.
 */
export type ExclusionSource = 'operator' | 'directory' | 'review' | 'user';
export const exclusionSources: readonly ExclusionSource[] = ['operator', 'directory', 'review', 'user'];

/** Why a user is excluded from the leaderboards; a user may have one exclusion of each source. */
export class Exclusion {
  /** @example 42 */
  readonly userId: string;
  readonly reason: ExclusionReason;
  /** Each source removes only its own exclusions. */
  readonly source: ExclusionSource;
  /** @format date-time */
  readonly since: string;
  /** Which operator. @example ada */
  readonly by: string | null;
  readonly note: string | null;
}

/** Why a source excludes a user. */
export type ExclusionWhy = Omit<Exclusion, 'userId' | 'source'>;

/** The keys of exclusions; users are in fields. */
export const exclusionKeys = (prefix: string) => ({
  /**
   * Why users are excluded, since when and by whom.
   * @redis hash: `source:user` -> reason
   * @expires never
   */
  exclusions: `{${prefix}}:exclusions`,
  /**
   * The exclusions that were begun and may be unfinished.
   * @redis hash: user -> who moves the entries, and whether listeners know the user as `excluded` or `included`
   * @expires never
   */
  unfinished: `{${prefix}}:exclusions:unfinished`,
});

/** The field of a user's exclusion of one source. */
export function fieldOf(source: ExclusionSource, userId: string): string {
  return `${source}:${userId}`;
}

/** The fields of all that a user may have. */
export function fieldsOf(userId: string): string[] {
  return exclusionSources.map((source) => fieldOf(source, userId));
}

/** The exclusion of a field, if it has one. */
export function readExclusion(field: string, text: string | null): Exclusion[] {
  if (text === null) return [];
  const [source, userId] = [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1)];
  const { reason, since, by, note } = JSON.parse(text) as ExclusionWhy;
  return [{ userId, reason, source: source as ExclusionSource, since, by, note }];
}

/** Whether a user is excluded from the leaderboards, and why. */
export class ExclusionState {
  /** @example 42 */
  readonly userId: string;
  readonly excluded: boolean;
  /** Of each source that excludes the user. */
  readonly exclusions: readonly Exclusion[];
}

/** A page of exclusions. */
export class ExclusionList {
  readonly exclusions: readonly Exclusion[];
  /** The `cursor` of the next page; null: this is the last. */
  readonly next: string | null;
}

/** Why an operator may exclude a user: `optedOut` is said by users themselves, or the app's directory. */
const operatorReasons = ['banned', 'staff', 'held'] as const;

/** Why an operator excludes a user. */
export class ExclusionOptions {
  @OneOf(operatorReasons, { default: 'banned' })
  readonly reason?: (typeof operatorReasons)[number];

  /** Which operator; up to 128 bytes. @example ada */
  @LeftOut(operator)
  readonly by?: string;

  /** For other operators; up to 512 bytes. @example three accounts, one phone */
  @LeftOut(note)
  readonly note?: string;
}

/** A page of a list that has no order. */
export class ScanQuery {
  @WholeNumber({ min: 1, max: 1_000, default: 100, description: 'About how many.' })
  readonly limit?: number;

  /** `next` of the page before. */
  @LeftOut(value(isScanCursor, 'the `next` of the page before'))
  readonly cursor?: string;
}

/** Redis' cursors have 64 bits. */
function isScanCursor(given: unknown): given is string {
  return typeof given === 'string' && /^\d{1,20}$/.test(given) && BigInt(given) < 2n ** 64n;
}
