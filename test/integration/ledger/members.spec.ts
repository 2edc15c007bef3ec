import { describeErased } from '../../support/erased-contract';
import { describeExcluded } from '../../support/excluded-contract';
import { testRedis } from '../../support/redis';

describe.each([1, 3])('on %d shards, members', (shards) => {
  describe('kept off the boards', () => describeExcluded(shards, testRedis));
  describe('who were erased', () => describeErased(shards, testRedis));
});
