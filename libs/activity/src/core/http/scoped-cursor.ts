import { createHash } from 'node:crypto';
import { ActivityError } from '../errors/errors';

/** A place in a list, as JSON has it, in text that is safe in a URL. Bound to the list `of` names. */
export function writeScoped(of: readonly string[], place: unknown): string {
  return Buffer.from(JSON.stringify([scopeOf(of), place])).toString('base64url');
}

/**
 * The place in `cursor`.
 * @param isPlace whether what the cursor holds can be one: anybody can write a cursor.
 * @param maxLength longer than any cursor of this list.
 * @throws ActivityError `invalidCursor` if it was not made for this list.
 */
export function readScoped<Place>(
  of: readonly string[],
  cursor: string,
  isPlace: (value: unknown) => value is Place,
  maxLength = 100,
): Place {
  const value = cursor.length <= maxLength ? parsed(cursor) : null;
  if (Array.isArray(value) && value.length === 2) {
    const [scope, place] = value as unknown[];
    if (scope === scopeOf(of) && isPlace(place)) return place;
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
