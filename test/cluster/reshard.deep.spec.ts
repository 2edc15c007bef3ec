import { startRedisCluster, type RedisCluster } from '@laurel/servers';
import { Cluster } from 'ioredis';
import { describeResharding } from '../support/resharding-contract';
import { announceSeed } from '../support/seed';

announceSeed();

describe('members move to another number of shards of a Redis Cluster of six nodes', () => {
  let servers: RedisCluster;
  beforeAll(async () => {
    servers = await startRedisCluster({ masters: 3, replicas: 1 });
  });
  afterAll(() => servers.kill());

  describeResharding({ connect: () => new Cluster([...servers.nodes]), where: () => servers.nodes });
});
