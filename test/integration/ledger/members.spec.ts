import { describeErased } from '../../support/erased-contract';
import { describeExcluded } from '../../support/excluded-contract';
import { closeTestRedis, testRedis } from '../../support/redis';
import { announceSeed } from '../../support/seed';

announceSeed();
afterAll(closeTestRedis);

describe.each([1, 3])('on %d shards, members', (shards) => {
  describe('kept off the boards', () => describeExcluded(shards, testRedis));
  describe('who were erased', () => describeErased(shards, testRedis));
});
