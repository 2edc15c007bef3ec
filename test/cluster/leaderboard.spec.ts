import { startRedisCluster, type RedisCluster } from '@laurel/servers';
import { Cluster } from 'ioredis';
import { leaderboardContract } from '../support/leaderboard-contract';
import { leaderboardPromises } from '../support/leaderboard-promises';
import { leaderboardRaces } from '../support/leaderboard-races';

describe('leaderboards of 16 shards on a Redis Cluster of six nodes', () => {
  let servers: RedisCluster;
  let client: Cluster;
  beforeAll(async () => {
    servers = await startRedisCluster({ masters: 3, replicas: 1 });
    client = new Cluster([...servers.nodes]);
  });
  afterAll(async () => {
    client.disconnect();
    await servers.kill();
  });

  const where = { redis: () => client, shards: 16 };
  leaderboardContract(where);
  leaderboardPromises(where);
  leaderboardRaces(where);
});
