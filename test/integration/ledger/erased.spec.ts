import { describeErased } from '../../support/erased-contract';
import { closeTestRedis, testRedis } from '../../support/redis';
import { announceSeed } from '../../support/seed';

announceSeed();
afterAll(closeTestRedis);

describe.each([1, 3])('members who were erased, on %d shards', (shards) => {
  describeErased(shards, testRedis);
});
