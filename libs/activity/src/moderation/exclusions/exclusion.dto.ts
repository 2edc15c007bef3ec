import { IsOptional, IsString } from '../../core/peers/decorators';
import { OneOf, WholeNumber } from '../../core/http/validation';
import { type EntriesOf, object, optional, value, whole, word } from '../../core/schema/schema';
import { identifier, maxNoteBytes, maxOperatorBytes } from '../checks';

/** Why an operator may exclude a user: `optedOut` is said by users themselves, or the app's directory. */
const operatorReasons = ['banned', 'staff', 'held'] as const;

/** Why an operator excludes a user. */
export class ExclusionOptions {
  @OneOf(operatorReasons, { default: 'banned' })
  readonly reason?: (typeof operatorReasons)[number];

  /** Which operator; up to 128 bytes. @example ada */
  @IsOptional()
  @IsString()
  readonly by?: string;

  /** For other operators; up to 512 bytes. @example three accounts, one phone */
  @IsOptional()
  @IsString()
  readonly note?: string;
}

/** What {@link ExclusionOptions} may be, from a request and from the app alike. */
export const exclusionOptions = object({
  reason: optional(word(operatorReasons), 'banned'),
  by: optional(identifier(maxOperatorBytes)),
  note: optional(identifier(maxNoteBytes)),
} satisfies EntriesOf<ExclusionOptions>);

/** A page of a list that has no order. */
export class ScanQuery {
  @WholeNumber({ min: 1, max: 1_000, default: 100, description: 'About how many.' })
  readonly limit?: number;

  /** `next` of the page before. */
  @IsOptional()
  @IsString()
  readonly cursor?: string;
}

/** What a {@link ScanQuery} may be, from a request and from the app alike. */
export const scanQuery = object({
  limit: optional(whole(1, 1_000), 100),
  cursor: optional(value(isScanCursor, 'the `next` of the page before')),
} satisfies EntriesOf<ScanQuery>);

/** Redis' cursors have 64 bits. */
function isScanCursor(given: unknown): given is string {
  return typeof given === 'string' && /^\d{1,20}$/.test(given) && BigInt(given) < 2n ** 64n;
}
