import { adjustmentIn, isAdjustmentField } from './adjustment';
import type { LedgerLine } from '../model/ledger.types';

/** `points;granted;revoked;dayRevoked`, points with the version they were granted by: ledger-field.lua. */
const fieldPattern = /^(\d+)(?:v(\d+))?;([^;]*)(?:;([^;]*))?(?:;([^;]*))?$/;

/** One field of a ledger, standing or ended. */
export interface FieldMoments extends LedgerLine {
  /** Whether the field's day tells all of it: a revoke of a later day may have ended a grant without points. */
  readonly isWhole: boolean;
}

/**
 * Reads one field's value.
 * @param later the moments of the identity's general revokes, as the hash of revokes has them.
 */
export function ledgerLine(field: string, value: string, later = ''): FieldMoments {
  if (isAdjustmentField(field)) return adjustmentLine(field, value);
  const [, points = '0', version, granted = '', revoked = '', dayRevoked = ''] = fieldPattern.exec(value) ?? [];
  const revokes = [revoked, dayRevoked, ...later.split(',')].filter((moment) => moment !== '');
  const ends = granted === '' ? revokes : revokes.filter((moment) => !isLater(granted, moment));
  const stands = points !== '0' || (version ?? '') !== '';
  const first = stands ? undefined : ends.sort((a, b) => (isLater(a, b) ? 1 : -1))[0];
  return {
    field,
    points: Number(points),
    version: stands ? Number(version ?? 1) : null,
    grantedAtMs: granted === '' ? null : msOf(granted),
    revokedAtMs: first === undefined ? null : msOf(first),
    isWhole: stands || first !== undefined,
  };
}

/** An adjustment is never ended. */
function adjustmentLine(field: string, value: string): FieldMoments {
  const [, points = '0'] = /^(\d+)/.exec(value) ?? [];
  const adjustment = adjustmentIn(value);
  const { atMs: grantedAtMs } = adjustment;
  return { field, points: Number(points), version: null, grantedAtMs, revokedAtMs: null, isWhole: true, adjustment };
}

/** The earliest grant first, then by field; a field that was only revoked is ordered by its revoke. */
export function byMoment(a: LedgerLine, b: LedgerLine): number {
  return lineMs(a) - lineMs(b) || (a.field < b.field ? -1 : 1);
}

function lineMs({ grantedAtMs, revokedAtMs }: LedgerLine): number {
  return grantedAtMs ?? revokedAtMs ?? 0;
}

function msOf(moment: string): number {
  return Number(moment.split('.', 1)[0]);
}

function isLater(a: string, b: string): boolean {
  const [aMs = 0, aSequence = 0] = a.split('.').map(Number);
  const [bMs = 0, bSequence = 0] = b.split('.').map(Number);
  return aMs > bMs || (aMs === bMs && aSequence > bSequence);
}
