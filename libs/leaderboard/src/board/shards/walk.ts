import { firstPlace } from '../../lists/lists';
import { type Bound, type Line, afterLine, aheadOfAll } from '../order/order';
import type { BoardShards } from './board-shards';
import type { ShardGroup } from './shard-calls';

/** Lines read of one group and not yet returned. */
interface Buffered {
  readonly group: ShardGroup;
  lines: Line[];
  /** Behind what was read. */
  bound: Bound;
  isAtEnd: boolean;
}

/**
 * All lines of the groups' merged order, of each group as one set: a line that goes from one of its shards, which lie
 * in one slot, to another is met once. About `size` at a time; two pages are in memory. Each page begins behind the
 * last line, not at a place: a line that goes meanwhile moves no other. A line that moves may be met twice or not at
 * all. One round trip a page, which is asked for while the one before is worked on.
 */
export async function* walk(
  sets: BoardShards,
  groups: readonly ShardGroup[],
  size: number,
): AsyncGenerator<Line[], void, undefined> {
  const { compare } = sets;
  const start = aheadOfAll(sets.layout.order);
  const buffers = groups.map((group): Buffered => ({ group, lines: [], bound: start, isAtEnd: false }));
  // Of a group that is nearly used up more is asked for at once: lines up to the earliest end of what was read can be
  // given.
  const share = Math.ceil(size / buffers.length);
  const fillOne = async (buffer: Buffered): Promise<void> => {
    const ofSets = await sets.after(buffer.bound, { count: share, of: buffer.group });
    const lines = ofSets.flatMap((one) => one.lines);
    if (ofSets.length > 1) lines.sort(compare).splice(share);
    buffer.isAtEnd = lines.length < share;
    buffer.bound = lines.length > 0 ? afterLine(lines[lines.length - 1] as Line) : buffer.bound;
    buffer.lines = buffer.lines.length === 0 ? lines : [...buffer.lines, ...lines];
  };
  const fill = (): Promise<unknown> =>
    Promise.all(buffers.filter(({ lines, isAtEnd }) => !isAtEnd && lines.length * 2 < share).map(fillOne));
  let filled = fill();
  for (;;) {
    await filled;
    const lines = takeReady(buffers, compare);
    if (lines.length === 0) return;
    filled = fill();
    // A caller that stops reading here never awaits it.
    filled.catch(() => undefined);
    yield lines;
  }
}

/** Takes from the buffers, in order, every line that no line still unread can stand ahead of. */
function takeReady(buffers: readonly Buffered[], compare: BoardShards['compare']): Line[] {
  let edge: Line | undefined;
  for (const { lines, isAtEnd } of buffers) {
    const last = lines[lines.length - 1];
    if (!isAtEnd && last && (!edge || compare(last, edge) < 0)) edge = last;
  }
  const taken = buffers.map((buffer) => {
    const { lines } = buffer;
    const count = edge ? firstPlace(lines.length, (at) => compare(lines[at] as Line, edge) <= 0) : lines.length;
    const ready = lines.slice(0, count);
    buffer.lines = lines.slice(count);
    return ready;
  });
  return taken.length === 1 ? (taken[0] as Line[]) : taken.flat().sort(compare);
}
