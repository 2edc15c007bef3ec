import type { Order } from '../order/line';
import type { BoardParts, Run } from './board-parts';
import { afterLine, type Bound } from '../order/bound';
import { boardOrder, type Line } from '../order/line';
import { sum } from '../../lists/lists';

/**
 * Up to `count` lines of the parts' merged order behind a bound, and how many lines stand ahead of them. Members are spread
 * evenly: of each part its share and a margin are read, and more only of parts that turn out to hold more. One round trip,
 * seldom two.
 */
export async function readBehind(parts: BoardParts, order: Order, bound: Bound, count: number): Promise<Run> {
  const compare = boardOrder(order);
  const share = shareOf(count, parts.count);
  const began = await parts.after(bound, { count: share });
  const read = began.map(({ lines }) => [...lines]);
  let asking = [...read.keys()].filter((part) => (read[part] as Line[]).length === share);
  for (;;) {
    const merged = read.length === 1 ? (read[0] as Line[]) : read.flat().sort(compare);
    const last = merged[count - 1];
    asking = asking.filter((part) => {
      const lines = read[part] as Line[];
      if (lines.length >= count) return false;
      return last === undefined || compare(lines[lines.length - 1] as Line, last) <= 0;
    });
    if (asking.length === 0) return { ahead: sum(began.map(({ ahead }) => ahead)), lines: merged.slice(0, count) };
    const isOpen = await Promise.all(
      asking.map(async (part) => {
        const lines = read[part] as Line[];
        const wanted = Math.min(count - lines.length, lines.length);
        const more = await parts.linesOf(part, afterLine(lines[lines.length - 1] as Line), wanted);
        lines.push(...more);
        return more.length === wanted;
      }),
    );
    asking = asking.filter((_, i) => isOpen[i]);
  }
}

/** How many of `count` lines a part holds at most, but for one case in thousands. */
export function shareOf(count: number, parts: number): number {
  if (parts === 1) return count;
  const mean = count / parts;
  return Math.min(count, Math.ceil(mean + 3 * Math.sqrt(mean)) + 2);
}
