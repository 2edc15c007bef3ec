import { startRedisCluster, type RedisCluster } from '@laurel/servers';
import { Cluster } from 'ioredis';
import { describeErased } from '../support/erased-contract';
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

describe('members who were erased, on a Cluster', () => {
  describeErased(16, () => redis);
});
