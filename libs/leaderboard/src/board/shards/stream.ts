import type { Order } from '../order/line';
import type { BoardParts } from './board-parts';
import { afterLine, afterScore, type Bound } from '../order/bound';
import type { Line } from '../order/line';

/** Ahead of all lines of a board. */
export function aheadOfAll(order: Order): Bound {
  return afterScore(order === 'desc' ? Infinity : -Infinity);
}

/**
 * All lines of one part in its order, `size` in memory at a time. One round trip a page. An entry that moves meanwhile may
 * be met twice or not at all; every other is met once.
 */
export async function* pagesOf(
  parts: BoardParts,
  part: number,
  order: Order,
  size: number,
): AsyncGenerator<Line[], void, undefined> {
  let bound = aheadOfAll(order);
  for (;;) {
    const lines = await parts.linesOf(part, bound, size);
    const last = lines[lines.length - 1];
    if (!last) return;
    yield lines;
    if (lines.length < size) return;
    bound = afterLine(last);
  }
}
