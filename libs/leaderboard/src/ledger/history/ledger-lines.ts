import { adjustmentIn, isAdjustmentField } from './adjustment';
import { longValue } from '../model/field-value';
import type { LedgerSettings } from '../model/ledger-options';
import type { LedgerLine } from '../model/ledger.types';

/** One field of a ledger, standing or ended. */
interface FieldMoments extends LedgerLine {
  /** Whether the field's day tells all of it: a revoke of a later day may have ended a grant without points. */
  readonly isWhole: boolean;
}

/** What only a limit refused, see include/refused-grants.lua and include/marks.lua: a sequence begins with a zero. */
const refused = /^0;[\d.]*;[\d.]*;(?:\d+\.0|[\d.]*;\d+\.09(?!00|98|99)\d\d)/;

/** The fields of a day's ledger by their own names, with what they hold in full, but for what a limit refused. */
export function fieldsIn(
  stored: readonly (readonly [name: string, value: string])[],
  day: number,
  { fieldNames }: Pick<LedgerSettings, 'fieldNames'>,
): [field: string, value: string][] {
  // Counts for daily limits lie under the field without a name.
  const fields = stored.filter(([name, value]) => name !== '' && !refused.test(value));
  return fields.map(([name, value]) => [isAdjustmentField(name) ? name : fieldNames.long(name), longValue(value, day)]);
}

/** What stands in a ledger's value, `points;granted;revoked;dayRevoked`: ledger-field.lua has the complete format. */
export function standingOf(value: string): Pick<LedgerLine, 'points' | 'version' | 'grantedAtMs'> {
  const [, points = '0', version, granted] = /^(-?\d+)(?:v(\d+))?;(\d*)/.exec(value) ?? [];
  return {
    points: Number(points),
    version: points === '0' && version === undefined ? null : Number(version ?? 1),
    grantedAtMs: granted ? Number(granted) : null,
  };
}

/**
 * What a value in full has, whether it counts, and since when it stands where it does: the twin of `partsOf` and
 * `standsSince` of include/standing.lua. Null where it cannot be read.
 */
export function standsSinceMs(
  value: string,
): { readonly points: number; readonly isCounting: boolean; readonly sinceMs: number } | null {
  const parts = /^(-?\d+)(v?\d*);([\d.]*);?([\d.]*);?([\d.]*);?([\d.]*)$/.exec(value);
  if (!parts || value.includes(';.')) return null;
  const [, points = '0', version = '', granted = '', revoked = '', dayRevoked = '', marked = ''] = parts;
  const first = firstOf(marked);
  const isAfter = (moment: string) => moment === '' || isLater(first, moment);
  const since = first !== '' && isAfter(revoked) && isAfter(dayRevoked) ? first : granted;
  const isCounting = Number(points) !== 0 || version !== '';
  return { points: Number(points), isCounting, sinceMs: Number(since.split('.', 1)[0]) };
}

/**
 * The moment of a first grant without the mark behind it, the twin of `markOf` of include/marks.lua; '' where the mark
 * says that the field stands since its latest.
 */
function firstOf(marked: string): string {
  const [, ms = '', verdict, rest = ''] = /^(\d+)\.09(\d\d)(\d+)$/.exec(marked) ?? [];
  if (verdict === undefined) return marked;
  if (verdict === '99') return '';
  const digits = 1 + Number(rest[0]);
  const sequence = rest.slice(digits + 2, digits + 2 + Number(rest.slice(digits, digits + 2)));
  return sequence === '' ? ms : `${ms}.${sequence}`;
}

/**
 * Reads one field's value.
 * @param later the moments of the identity's general revokes, as the hash of revokes has them.
 */
export function ledgerLine(field: string, value: string, later = ''): FieldMoments {
  const standing = standingOf(value);
  if (isAdjustmentField(field)) {
    // An adjustment is never ended.
    return { field, ...standing, version: null, revokedAtMs: null, isWhole: true, adjustment: adjustmentIn(value) };
  }
  const [, granted = '', revoked = '', dayRevoked = ''] = value.split(';');
  const revokes = [revoked, dayRevoked, ...later.split(',')].filter((moment) => moment !== '');
  const ends = granted === '' ? revokes : revokes.filter((moment) => !isLater(granted, moment));
  const stands = standing.version !== null;
  const first = stands ? undefined : ends.sort((a, b) => (isLater(a, b) ? 1 : -1))[0];
  const revokedAtMs = first === undefined ? null : Number(first.split('.', 1)[0]);
  return { field, ...standing, revokedAtMs, isWhole: stands || first !== undefined };
}

/** The earliest grant first, then by field; a field that was only revoked is ordered by its revoke. */
export function byMoment(a: LedgerLine, b: LedgerLine): number {
  return lineMs(a) - lineMs(b) || (a.field < b.field ? -1 : 1);
}

function lineMs({ grantedAtMs, revokedAtMs }: LedgerLine): number {
  return grantedAtMs ?? revokedAtMs ?? 0;
}

function isLater(a: string, b: string): boolean {
  const [aMs = 0, aSequence = 0] = a.split('.').map(Number);
  const [bMs = 0, bSequence = 0] = b.split('.').map(Number);
  return aMs > bMs || (aMs === bMs && aSequence > bSequence);
}
