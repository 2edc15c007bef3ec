import type { RedisClient } from '../../redis/run';
import type { BoardShards } from './board-shards';
import type { BoardShardsOptions } from './shard-lines';
import { ManyShards } from './many-shards';
import { OneShard } from './one-shard';

/** The shards of a board, read in the way that their number allows. */
export function openShards(redis: RedisClient, options: BoardShardsOptions): BoardShards {
  return options.keys.length === 1 ? new OneShard(redis, options) : new ManyShards(redis, options);
}
