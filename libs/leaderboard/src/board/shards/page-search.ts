import { sum } from '../../lists/lists';
import { type Bound, type Line, beforeLine } from '../order/order';
import type { BoardShards } from './board-shards';
import type { LineRange, ShardHead, Steps } from './shard-lines';

/** Where a run is: behind a bound, of a range or to the end. */
export interface Sought {
  readonly from: Bound;
  /** Where what is looked through begins in each shard, and where it ends. Null: the whole board. */
  readonly low: readonly number[] | null;
  readonly high: readonly number[] | null;
  readonly offset: number;
  readonly count: number;
  readonly range?: LineRange;
}

/** So many lines are rather read and dropped than counted away. */
export const tolerance = 64;

/** How many lines of each shard are looked at in one round. */
const samplesAShard = 8;

/** Each round divides what is left by about {@link samplesAShard}: races alone come this far. */
const maxRounds = 20;

/** Where a sample stands: how many lines of each shard stand ahead of it, at least and at most. */
interface Place {
  readonly line: Line;
  readonly least: readonly number[];
  readonly most: readonly number[];
}

/**
 * Finds a line that stands a little ahead of the line at `offset` of the merged order, without reading what stands
 * before it. Members are spread evenly, so each shard is asked for some lines around its share of the offset; where the
 * lines of one shard stand among those of the others brackets the place, and the next round looks between them. One
 * round trip a round: none where the order's beginning is near enough, one for offsets of some thousands.
 * @param isSure whether the line stands ahead in any case, not but for one case in hundreds.
 */
export async function findNear(
  shards: BoardShards,
  { low, high, offset, isSure }: Pick<Sought, 'low' | 'high' | 'offset'> & { readonly isSure: boolean },
) {
  const least: readonly number[] = low ?? new Array<number>(shards.count).fill(0);
  const wanted = sum(least) + offset;
  const end = high ? sum(high) : Infinity;
  // A bound ahead of a line, null: where the order begins; its greatest distance to the place looked for; and
  // how many lines there are, of a range how many end with it.
  let near: { bound: Bound | null; distance: number; end: number } = { bound: null, distance: offset, end };
  let brackets = least.map((start, shard) => {
    const end = high?.[shard] ?? Infinity;
    const share = high ? ((end - start) * offset) / Math.max(1, sum(high) - sum(least)) : offset / shards.count;
    return bracketOf(start, end, share);
  });
  let below = least;
  let above = high;
  let open = Infinity;
  for (let round = 0; near.distance > tolerance && wanted < near.end && round < maxRounds; round++) {
    const steps = brackets.map(({ from, to }): Steps => {
      return { first: from, distance: Math.max(1, Math.ceil((to - from) / (samplesAShard - 1))) };
    });
    const read = await shards.samples(steps, samplesAShard);
    const ends = read.map(({ size }, shard) => Math.min(size, high?.[shard] ?? Infinity));
    const places = placesOf(read, steps, shards.compare, { least, ends });
    near = { ...near, end: sum(ends) };
    let behind: readonly number[] | null = null;
    for (const place of places) {
      const [from, to] = isSure ? [sum(place.least), sum(place.most)] : likely(place);
      if (to <= wanted && wanted - from <= near.distance) {
        near = { ...near, bound: beforeLine(place.line), distance: wanted - from };
        below = place.least;
      }
      if (from > wanted) behind ??= place.most;
    }
    above = behind ?? above ?? ends;
    const until = above;
    brackets = below.map((from, shard) => ({ from, to: Math.max(from, until[shard] as number) }));
    const left = sum(brackets.map(({ from, to }) => to - from));
    if (left >= open) break;
    open = left;
  }
  return near;
}

/** Where a shard's share of the offset lies, but for one case in hundreds. */
function bracketOf(start: number, end: number, share: number) {
  const spread = 3.5 * Math.sqrt(share) + 2;
  const from = Math.max(start, Math.floor(start + share - spread));
  return { from, to: Math.max(from, Math.min(end, Math.ceil(start + share + spread))) };
}

/** The samples of all shards in their order, each with what the others say of its place. */
function placesOf(
  read: readonly ShardHead[],
  steps: readonly Steps[],
  compare: BoardShards['compare'],
  { least, ends }: Readonly<Record<'least' | 'ends', readonly number[]>>,
): Place[] {
  const indexOf = (shard: number, i: number) => {
    const { first, distance } = steps[shard] as Steps;
    return i < (read[shard]?.lines.length ?? 0) ? first + i * distance : (ends[shard] as number);
  };
  const samples = read
    .flatMap(({ lines }, shard) => lines.map((line, i) => ({ shard, i, index: indexOf(shard, i), line })))
    .sort((a, b) => compare(a.line, b.line));
  const from = [...least];
  const to = ends.map((_, shard) => indexOf(shard, 0));
  return samples.map(({ shard, i, index, line }) => {
    from[shard] = to[shard] = index;
    const place = { line, least: [...from], most: [...to] };
    from[shard] = index + 1;
    to[shard] = indexOf(shard, i + 1);
    return place;
  });
}

/** Between how many lines ahead a sample stands, but for one case in hundreds, if each shard's are spread evenly. */
function likely({ least, most }: Place): readonly [number, number] {
  const [low, high] = [sum(least), sum(most)];
  const variance = least.reduce((total, from, shard) => total + ((most[shard] as number) - from) ** 2 / 12, 0);
  const [middle, spread] = [(low + high) / 2, 3 * Math.sqrt(variance)];
  return [Math.max(low, Math.floor(middle - spread)), Math.min(high, Math.ceil(middle + spread))];
}
