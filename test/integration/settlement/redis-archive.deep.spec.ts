import { RedisArchive } from '@laurel/activity/internals';
import { describeArchive } from '../../support/archive-contract';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

afterAll(closeTestRedis);

const prefix = freshPrefix();
describeArchive('Redis, on one shard', () => new RedisArchive(testRedis(), { prefix, shards: 1 }));
