import { createHash } from 'node:crypto';
import { ActivityError } from '../../errors';

/** Longer than any cursor written here. */
const maxLength = 100;

/** A place in a list of which every entry has a number, as text that is safe in a URL. Bound to the list `of` names. */
export function writePlace(of: readonly string[], place: number): string {
  return Buffer.from(JSON.stringify([scopeOf(of), place])).toString('base64url');
}

/**
 * The place in `cursor`, a whole number from `least` (0).
 * @throws ActivityError `invalidCursor` where it was not written for this list.
 */
export function readPlace(of: readonly string[], cursor: string, least = 0): number {
  const value = cursor.length <= maxLength ? parsed(cursor) : null;
  if (Array.isArray(value) && value.length === 2) {
    const [scope, place] = value as unknown[];
    if (scope === scopeOf(of) && typeof place === 'number' && Number.isSafeInteger(place) && place >= least) {
      return place;
    }
  }
  throw new ActivityError('invalidCursor', 'The cursor belongs to another list: start again without one.');
}

function scopeOf(of: readonly string[]): string {
  return createHash('sha1').update(JSON.stringify(of)).digest('base64url').slice(0, 10);
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}
