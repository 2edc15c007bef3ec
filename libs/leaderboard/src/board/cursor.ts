import { createHash } from 'node:crypto';
import { LeaderboardError } from '../errors/errors';
import type { Line } from './order/order';

/** The scope of a cursor: the board, its period and its layout. */
export function cursorScope(parts: readonly string[]): string {
  return createHash('sha1').update(JSON.stringify(parts)).digest('base64url').slice(0, 10);
}

/** The parts of a place in the list of `scope`, as JSON has them, in text that is safe in a URL. */
export function writePlace(scope: string, ...place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([scope, ...place])).toString('base64url');
}

/** The parts of the place in a cursor, which anybody can write; none where it was not written for this scope. */
export function readPlace(scope: string, cursor: string, maxLength: number): readonly unknown[] {
  const value = typeof cursor === 'string' && cursor.length <= maxLength ? parsed(cursor) : null;
  const [ofScope, ...place] = Array.isArray(value) ? (value as unknown[]) : [];
  return ofScope === scope ? place : [];
}

/** The place behind `line` on the board of `scope`. */
export function writeCursor(scope: string, line: Line): string {
  return writePlace(scope, line.score, line.element);
}

/** Longer than the cursor of a board of the most dimensions, and of the longest member. */
const maxCursorLength = 8_192;

/**
 * The line that `cursor` stands behind; the line itself may have moved or gone since.
 * @throws LeaderboardError `invalidCursor` where it was not written for this scope.
 */
export function readCursor(scope: string, cursor: string): Line {
  const [score, element, ...others] = readPlace(scope, cursor, maxCursorLength);
  if (typeof score === 'number' && typeof element === 'string' && others.length === 0) return { score, element };
  throw new LeaderboardError(
    'invalidCursor',
    'The cursor belongs to another board, period or layout: start again without one.',
  );
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}
