import type { Order } from '../order/line';
import type { BoardShards } from './board-shards';
import { afterLine, aheadOfAll } from '../order/bound';
import type { Line } from '../order/line';

/**
 * All lines of one shard in its order, `size` in memory at a time. One round trip a page. An entry that moves meanwhile may
 * be met twice or not at all; every other is met once.
 */
export async function* pagesOf(
  shards: BoardShards,
  shard: number,
  order: Order,
  size: number,
): AsyncGenerator<Line[], void, undefined> {
  let bound = aheadOfAll(order);
  for (;;) {
    const lines = await shards.linesOf(shard, bound, size);
    const last = lines[lines.length - 1];
    if (!last) return;
    yield lines;
    if (lines.length < size) return;
    bound = afterLine(last);
  }
}
