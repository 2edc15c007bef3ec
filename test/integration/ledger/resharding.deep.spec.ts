import { testRedisUrl } from '../../support/redis';
import { describeResharding } from '../../support/resharding-contract';
import { announceSeed } from '../../support/seed';
import { Redis } from 'ioredis';

announceSeed();

describe('members move to another number of shards of one Redis', () => {
  describeResharding({ connect: () => new Redis(testRedisUrl()), where: testRedisUrl });
});
