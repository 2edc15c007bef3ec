import { cursorScope, readPlace, writePlace } from '@laurel/leaderboard/internals';
import { ActivityError } from '../errors/errors';

/** A place in a list, as JSON has it, in text that is safe in a URL. Bound to the list `of` names. */
export function writeScoped(of: readonly string[], place: unknown): string {
  return writePlace(cursorScope(of), place);
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
  const [place, ...others] = readPlace(cursorScope(of), cursor, maxLength);
  if (isPlace(place) && others.length === 0) return place;
  throw new ActivityError('invalidCursor', 'The cursor belongs to another list: start again without one.');
}
