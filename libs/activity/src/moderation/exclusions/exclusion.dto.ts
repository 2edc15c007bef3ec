import { LeftOut, OneOf, WholeNumber } from '../../core/http/validation';
import { value } from '../../core/schema/schema';
import { note, operator } from '../checks';

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
