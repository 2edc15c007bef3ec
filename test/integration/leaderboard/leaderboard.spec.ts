import type { Redis } from 'ioredis';
import { leaderboardContract } from '../../support/leaderboard-contract';
import { leaderboardKnownFaults } from '../../support/leaderboard-known-faults';
import { leaderboardPromises } from '../../support/leaderboard-promises';
import { leaderboardRaces } from '../../support/leaderboard-races';
import { closeTestRedis, testRedis } from '../../support/redis';
import { announceSeed } from '../../support/seed';

announceSeed();

describe.each([1, 2, 8])('leaderboards of %d shards on one Redis', (shards) => {
  let client: Redis;
  beforeAll(() => {
    client = testRedis();
  });
  afterAll(closeTestRedis);

  const where = { redis: () => client, shards };
  leaderboardContract(where);
  leaderboardPromises(where);
  leaderboardRaces(where);
});

describe.each([3, 10])('leaderboards of %d shards on one Redis', (shards) => {
  let client: Redis;
  beforeAll(() => {
    client = testRedis();
  });
  afterAll(closeTestRedis);

  leaderboardKnownFaults({ redis: () => client, shards });
});
