import { sum } from '../../lists/lists';
import type { RedisClient } from '../../redis/run';
import { aheadOfAll, beforeLine, type Bound } from '../order/bound';
import { BoardShards } from './board-shards';
import type { BoardShardsOptions, LineRange, LinesOfRange, Run } from './shard-lines';
import { linesAround, mergedLines, untilWhole, type Attempt } from './merge';
import { findNear, pivotNear, tolerance, type Range } from './page-search';

/** Where a run is: behind a bound, of a range or to the end. */
interface Sought extends Range {
  readonly offset: number;
  readonly count: number;
  readonly range?: LineRange;
}

/** A board in several shards of a Cluster, each read by a call of its own: their moments differ. */
export class ClusterShards extends BoardShards {
  constructor(redis: RedisClient, options: BoardShardsOptions) {
    super(
      redis,
      options,
      options.keys.map((_, shard) => [shard]),
    );
  }

  at(offset: number, count: number): Promise<Run> {
    const first = aheadOfAll(this.options.order);
    if (offset === 0) return this.behind(first, count);
    const low = new Array<number>(this.count).fill(0);
    return untilWhole(async () => {
      const [high, pivot] = await Promise.all([this.sizes(), pivotNear(this, offset)]);
      return this.runAt(first, { low, high, first: pivot, offset, count });
    });
  }

  async behind(bound: Bound, count: number): Promise<Run> {
    const wanted = { order: this.options.order, shards: this.count, expected: count, most: count, count };
    const run = await mergedLines(wanted, async (share) => {
      const read = await this.after(bound, { count: share });
      return { ...shardLines(read), drop: 0, isAtPlace: true };
    });
    return run ?? { ahead: 0, lines: [] };
  }

  between(range: LineRange, offset: number, count: number): Promise<Run> {
    const { from, until } = range;
    return untilWhole(async () => {
      const counts = await this.countAhead([from, until]);
      const low = counts.map(([ahead]) => ahead as number);
      const high = counts.map(([ahead, end]) => Math.max(end as number, ahead as number));
      return this.runAt(from, { low, high, offset, count, range });
    });
  }

  around(member: string, radius: number): Promise<Run | null> {
    return linesAround(this, this.options.order, member, radius);
  }

  /**
   * Up to `count` lines from the one at `offset` behind a bound on, of a range or to the end. They are read from a line
   * near it on, with how many stand ahead of that line, and of the range, now: so they lie where they should even if
   * others came or went while it was looked for.
   */
  private async runAt(from: Bound, { low, high, first, offset, count, range }: Sought): Promise<Attempt> {
    const ahead = sum(low) + offset;
    const wanted = Math.min(count, sum(high) - ahead);
    if (wanted <= 0) return { ahead, lines: [], isWhole: true };
    const { anchor, distance } = await findNear(this, offset, { low, high, first });
    const expected = distance + wanted;
    const asked = { order: this.options.order, shards: this.count, expected, most: expected + tolerance, count };
    const run = await mergedLines(asked, async (share) => {
      const bound = anchor ? await this.boundAt(anchor.shard, anchor.index) : from;
      if (!bound) return null;
      const read = await this.after(bound, { count: share, range });
      const found = shardLines(read);
      const place = sum(read.map(({ base }) => base)) + offset;
      const drop = Math.max(0, place - found.ahead);
      return { ahead: found.ahead + drop, drop, lines: found.lines, isAtPlace: found.ahead <= place };
    });
    return run ?? { ahead, lines: [], isWhole: false };
  }

  /** Ahead of the line at `index` of `shard`; null where it has none. */
  private async boundAt(shard: number, index: number): Promise<Bound | null> {
    const [[line] = []] = await this.slices([{ shard, start: index, count: 1 }]);
    return line ? beforeLine(line) : null;
  }
}

function shardLines(read: readonly LinesOfRange[]) {
  return { ahead: sum(read.map(({ ahead }) => ahead)), lines: read.map(({ lines }) => lines) };
}
