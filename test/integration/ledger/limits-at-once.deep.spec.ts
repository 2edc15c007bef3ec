import { Redis } from 'ioredis';
import { describeLimitsAtOnce } from '../../support/limits-at-once';
import { testRedisUrl } from '../../support/redis';

describe.each([1, 3])('limits under many tries at once, on %d shards', (shards) => {
  describeLimitsAtOnce(shards, () => new Redis(testRedisUrl()));
});
