import { closeTestRedis, testRedis } from '../../support/redis';
import { describeExcluded } from '../../support/excluded-contract';
import { announceSeed } from '../../support/seed';

announceSeed();
afterAll(closeTestRedis);

describe.each([1, 3])('members kept off the boards of a ledger on %d shards', (shards) => {
  describeExcluded(shards, testRedis);
});
