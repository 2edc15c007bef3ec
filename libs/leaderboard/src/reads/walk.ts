import type { Order } from '../score/packed';
import type { BoardParts } from './board-parts';
import { boardOrder, type Line } from './line';

/** What was read of one part and not yet given. */
interface Buffered {
  readonly part: number;
  lines: Line[];
  /** How many of its lines were read. */
  read: number;
  readonly total: number;
}

/** All lines of the parts' merged order, about `size` at a time. The parts must not change meanwhile: they are read by place. */
export async function* walk(parts: BoardParts, order: Order, size: number): AsyncGenerator<Line[], void, undefined> {
  const buffers = (await parts.sizes()).map((total, part): Buffered => ({ part, lines: [], read: 0, total }));
  // Of a part that is nearly used up more is asked for at once: lines up to the earliest end of what was read can be given.
  const share = Math.ceil(size / buffers.length);
  const fill = async (): Promise<void> => {
    const asking = buffers.filter(({ lines, read, total }) => read < total && lines.length * 2 < share);
    const replies = await parts.slices(asking.map(({ part, read }) => ({ part, start: read, count: share })));
    asking.forEach((buffer, i) => {
      const lines = replies[i] as Line[];
      if (lines.length === 0) throw new Error('A board changed while it was read as a whole.');
      buffer.lines = buffer.lines.length === 0 ? lines : [...buffer.lines, ...lines];
      buffer.read += lines.length;
    });
  };
  const compare = boardOrder(order);
  let filled = fill();
  for (;;) {
    await filled;
    const lines = takeReady(buffers, compare);
    if (lines.length === 0) return;
    filled = fill();
    // Whoever stops reading here never awaits it.
    filled.catch(() => undefined);
    yield lines;
  }
}

/** Takes from the buffers, in order, every line that no line still unread can stand ahead of. */
function takeReady(buffers: readonly Buffered[], compare: (a: Line, b: Line) => number): Line[] {
  let edge: Line | undefined;
  for (const { lines, read, total } of buffers) {
    const last = lines[lines.length - 1];
    if (read < total && last && (!edge || compare(last, edge) < 0)) edge = last;
  }
  const taken = buffers.map((buffer) => {
    const count = edge ? countUpTo(buffer.lines, edge, compare) : buffer.lines.length;
    const ready = buffer.lines.slice(0, count);
    buffer.lines = buffer.lines.slice(count);
    return ready;
  });
  return taken.length === 1 ? (taken[0] as Line[]) : taken.flat().sort(compare);
}

/** How many of the lines, which are in order, do not stand behind `edge`. */
function countUpTo(lines: readonly Line[], edge: Line, compare: (a: Line, b: Line) => number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(lines[middle] as Line, edge) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
