import type { BoardReaderOptions } from './board-reader.types';
import { checkedWhole } from '../errors/errors';
import type { Entry } from './order/order';
import type { BoardShards } from './shards/board-shards';
import { openShards } from './shards/many-shards';
import { sum } from '../lists/lists';
import type { ShardGroup } from './shards/shard-calls';
import { walk } from './shards/walk';
import type { RedisClient } from '../redis/run';

/** The options of a {@link WholeBoard}. */
export interface WholeBoardOptions extends Pick<BoardReaderOptions<number>, 'keys' | 'layout'> {
  /** The sets beside `keys`, in the same order: each lies in the slot of its shard. */
  readonly asideKeys: readonly string[];
  readonly minScore: number;
}

/** A board with everyone on it, also those kept beside it; a shard and its set beside are read as of one moment. */
export class WholeBoard {
  private readonly sets: BoardShards<number>;
  private readonly groups: readonly ShardGroup[];

  constructor(redis: RedisClient, { keys, asideKeys, layout, minScore }: WholeBoardOptions) {
    this.sets = openShards(redis, { keys: [...keys, ...asideKeys], layout, minScore });
    this.groups = keys.map((_, shard) => [shard, keys.length + shard]);
  }

  /** How many entries there are, of each shard as of one moment. One round trip. */
  async size(): Promise<number> {
    return sum((await Promise.all(this.groups.map((group) => this.sets.sizes(group)))).flat());
  }

  /**
   * All entries in rank order, by ordinal rank, about `size` of them at a time. Each member that is there from the
   * first read to the last comes once, even if others are moved or erased meanwhile, as long as no score changes.
   * Memory is that of two pages. One round trip a page, which is asked for while the one before is worked on.
   */
  async *walk(size: number): AsyncGenerator<Entry[], void, undefined> {
    checkedWhole('size', size, 1);
    const { layout } = this.sets;
    let rank = 1;
    for await (const lines of walk(this.sets, this.groups, size)) {
      yield lines.map((line) => {
        const { member, score, reachedAt } = layout.read(line);
        return { member, score, rank: rank++, reachedAt };
      });
    }
  }
}
