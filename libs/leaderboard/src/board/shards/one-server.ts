import type { RedisClient } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import type { Bound } from '../order/bound';
import { redisNumber, type ShardGroup } from './board-shards';
import { ManyShards } from './many-shards';
import type { BoardShardsOptions, LineRange, Placed, Run } from './shard-lines';
import { mergedLines } from './merge';
import { tolerance } from './page-search';

/** A board in several shards of one Redis: one script call reads them all, as of one moment. */
export class OneServer extends ManyShards {
  override readonly areTogether = true;
  private readonly all: ShardGroup;

  constructor(redis: RedisClient, options: BoardShardsOptions) {
    super(redis, options);
    this.all = [...options.keys.keys()];
  }

  protected override groups(): readonly ShardGroup[] {
    return [this.all];
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

  override async place(member: string): Promise<Placed | null> {
    const { vectorKeys, order, minScore, shardOf } = this.options;
    if (vectorKeys) return super.place(member);
    const args = { order, shard: shardOf(member) + 1, member };
    const reply = (await this.runIn(this.all, scripts.readPlace, args)) as [score: string, ahead: number] | null;
    if (!reply || Number(reply[0]) < minScore) return null;
    return { line: { score: Number(reply[0]), element: member }, ahead: reply[1] };
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
      const [ahead, drop, ...read] = (await this.runIn(this.all, scripts.readPage, {
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
