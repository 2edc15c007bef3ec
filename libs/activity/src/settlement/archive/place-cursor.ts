import { readScoped, writeScoped } from '../../core/http/scoped-cursor';

/** A place in a list of which every entry has a number, as text that is safe in a URL. Bound to the list `of` names. */
export function writePlace(of: readonly string[], place: number): string {
  return writeScoped(of, place);
}

/**
 * The place in `cursor`, a whole number from `least` (0).
 * @throws ActivityError `invalidCursor` where it was not written for this list.
 */
export function readPlace(of: readonly string[], cursor: string, least = 0): number {
  const isPlace = (value: unknown): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
  return readScoped(of, cursor, isPlace);
}
