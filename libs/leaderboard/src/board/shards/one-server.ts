import type { RedisClient } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import type { Bound } from '../order/bound';
import { BoardShards, redisNumber } from './board-shards';
import type { BoardShardsOptions, LineRange, Placed, Run } from './shard-lines';
import { linesAround, mergedLines } from './merge';
import { tolerance } from './page-search';

/** A board in several shards of one Redis: one script call reads them all, as of one moment. */
export class OneServer extends BoardShards {
  constructor(redis: RedisClient, options: BoardShardsOptions) {
    super(redis, options, [[...options.keys.keys()]]);
  }

  at(offset: number, count: number): Promise<Run> {
    return this.page(offset, count);
  }

  behind(bound: Bound, count: number): Promise<Run> {
    return this.page(0, count, { from: bound });
  }

  between(range: LineRange, offset: number, count: number): Promise<Run> {
    return this.page(offset, count, range);
  }

  around(member: string, radius: number): Promise<Run | null> {
    return linesAround(this, this.options.order, member, radius);
  }

  override async place(member: string): Promise<Placed | null> {
    const { vectorKeys, order, minScore, shardOf } = this.options;
    if (vectorKeys) return super.place(member);
    const args = { order, shard: shardOf(member) + 1, member };
    const [score, ahead] = (await this.run(scripts.readPlace, args)) as [string?, number?];
    if (score === undefined || ahead === undefined || Number(score) < minScore) return null;
    return { line: { score: Number(score), element: member }, ahead };
  }

  /**
   * Lines of the merged order, or of what lies of them between two bounds. One round trip, two in one case of
   * thousands.
   */
  private async page(offset: number, count: number, { from, until }: Partial<LineRange> = {}): Promise<Run> {
    const { order, minScore } = this.options;
    // The script's search ends up to so many lines ahead of the offset.
    const most = offset === 0 ? count : count + tolerance;
    const run = await mergedLines({ order, shards: this.count, expected: most, most, count }, async (share) => {
      const [ahead, drop, ...read] = (await this.run(scripts.readPage, {
        order,
        floor: redisNumber(minScore),
        offset,
        count,
        share,
        ...(from && { fromScore: redisNumber(from.score), fromPlace: from.place }),
        ...(until && { untilScore: redisNumber(until.score), untilPlace: until.place }),
      })) as [number?, number?, ...string[][]];
      if (ahead === undefined || drop === undefined) return null;
      return { ahead, drop, lines: read.map((own) => this.linesIn(own)), isAtPlace: true };
    });
    return run ?? { ahead: 0, lines: [] };
  }
}
