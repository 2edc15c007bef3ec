import { startRedisCluster, type RedisCluster } from '@laurel/servers';
import { Cluster } from 'ioredis';
import { describeExcluded } from '../support/excluded-contract';
import { announceSeed } from '../support/seed';

let cluster: RedisCluster;
let redis: Cluster;

announceSeed();
beforeAll(async () => {
  cluster = await startRedisCluster({ masters: 3, replicas: 0 });
  redis = new Cluster([...cluster.nodes]);
}, 120_000);
afterAll(async () => {
  redis.disconnect();
  await cluster.stop();
});

describe('members kept off the boards of a ledger on a Cluster', () => {
  describeExcluded(16, () => redis);
});
