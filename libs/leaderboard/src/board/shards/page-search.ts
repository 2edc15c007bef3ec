import { sum } from '../../lists/lists';
import type { BoardShards } from './board-shards';

/** A line of one shard, by its place there. */
export interface Anchor {
  readonly shard: number;
  readonly index: number;
}

/**
 * A shard of the order: where it begins in each shard, and where it ends; and a first line near the place looked for.
 */
export interface Range {
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly first?: Pivot | null | undefined;
}

/** So many lines are rather read and dropped than counted away. */
export const tolerance = 32;
/**
 * A bracket halves in every round, and shrinks far faster where members are spread evenly; races alone come this far.
 */
const maxRounds = 200;

/** A line, and how many lines of each shard stand ahead of it. */
export interface Pivot extends Anchor {
  readonly counts: readonly number[];
}

/**
 * A first pivot near `offset`, for those who do not know the shards' sizes yet; null where the shard is too short. One
 * round trip, two on a Cluster.
 */
export async function pivotNear(shards: BoardShards, offset: number): Promise<Pivot | null> {
  const index = Math.floor(Math.max(0, offset - tolerance / 2) / shards.count);
  const counts = await shards.countAheadOf(0, index);
  return counts && { shard: 0, index, counts };
}

/**
 * Finds a line that stands where the line at `offset` of the merged order does or a little ahead of it, without reading
 * what stands before it: a shard's own line near the expected place is counted on all shards, which brackets the place,
 * again and again. Members are spread evenly, so that after a first round the place is known to within the square root
 * of the offset, and after a second to within `tolerance`. One round trip a round, two on a Cluster.
 * @returns the line, null where the order's beginning is near enough, and how far ahead of the place it stands
 */
export async function findNear(
  shards: BoardShards,
  offset: number,
  { low, high, first = null }: Range,
): Promise<{ readonly anchor: Anchor | null; readonly distance: number }> {
  const wanted = sum(low) + offset;
  let near: { anchor: Anchor | null; distance: number } = { anchor: null, distance: offset };
  let lows = [...low];
  let highs = [...high];
  let pivot = first;
  for (let round = 0; round < maxRounds; round++) {
    if (pivot) {
      const { shard, index, counts } = pivot;
      const total = sum(counts);
      if (total > wanted) {
        highs = highs.map((end, i) => Math.min(end, counts[i] as number));
      } else {
        // A line that stands ahead of the wanted one is itself passed over: this moves on even where nothing else does.
        const passed = (i: number) => (counts[i] as number) + (total < wanted && i === shard ? 1 : 0);
        lows = lows.map((start, i) => Math.max(start, passed(i)));
        near = { anchor: { shard, index }, distance: wanted - total };
      }
    }
    const missing = wanted - sum(lows);
    const open = sum(highs) - sum(lows);
    if (missing <= tolerance || open <= 0) break;
    // A little ahead of the place: a line that turns out to stand behind it brackets, but is no start.
    const share = Math.min((missing - tolerance / 2) / open, 1);
    const shard = widest(lows, highs);
    const [from, to] = [lows[shard] as number, highs[shard] as number];
    const index = Math.min(from + Math.floor((to - from) * share), to - 1);
    const counts = await shards.countAheadOf(shard, index);
    // The shard has become shorter meanwhile.
    if (!counts) break;
    pivot = { shard, index, counts };
  }
  return near;
}

/** The shard with the widest bracket. */
function widest(lows: readonly number[], highs: readonly number[]): number {
  const width = (shard: number): number => (highs[shard] as number) - (lows[shard] as number);
  return lows.reduce((best, _, shard) => (width(shard) > width(best) ? shard : best), 0);
}
