import type { RedisClient } from '../../redis/run';
import type { BoardShards } from './board-shards';
import type { BoardShardsOptions } from './shard-lines';
import { ClusterShards } from './cluster-shards';
import { OneServer } from './one-server';
import { OneShard } from './one-shard';

/** The shards of a board, read in the way that where they lie allows. */
export function openShards(redis: RedisClient, options: BoardShardsOptions): BoardShards {
  if (options.keys.length === 1) return new OneShard(redis, options);
  return redis.isCluster ? new ClusterShards(redis, options) : new OneServer(redis, options);
}
