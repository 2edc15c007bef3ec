import { createHash } from 'node:crypto';
import { LeaderboardError } from '../errors/errors';
import type { Line } from './order/order';

/** The scope of a cursor: the board, its period and its layout. */
export function cursorScope(parts: readonly string[]): string {
  return createHash('sha1').update(JSON.stringify(parts)).digest('base64url').slice(0, 10);
}

/** The place behind `line` on the board of `scope`, as text that is safe in a URL. */
export function writeCursor(scope: string, line: Line): string {
  return Buffer.from(JSON.stringify([scope, line.score, line.element])).toString('base64url');
}

/** Longer than the cursor of a board of the most dimensions, and of the longest member. */
const maxCursorLength = 8_192;

/**
 * The line that `cursor` stands behind; the line itself may have moved or gone since.
 * @throws LeaderboardError `invalidCursor` where it was not written for this scope.
 */
export function readCursor(scope: string, cursor: string): Line {
  const value = typeof cursor === 'string' && cursor.length <= maxCursorLength ? parsed(cursor) : null;
  if (Array.isArray(value) && value.length === 3) {
    const [ofScope, score, element] = value as unknown[];
    if (ofScope === scope && typeof score === 'number' && typeof element === 'string') return { score, element };
  }
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
