import { leaderboardContract } from '../../support/leaderboard-contract';
import { leaderboardKnownFaults } from '../../support/leaderboard-known-faults';
import { leaderboardPromises } from '../../support/leaderboard-promises';
import { leaderboardRaces } from '../../support/leaderboard-races';
import { closeTestRedis, testRedis } from '../../support/redis';

const client = testRedis();
const redis = () => client;
afterAll(closeTestRedis);

// In both orders.
describe.each([1, 2, 8])('leaderboards of %d shards on one Redis', (shards) => {
  leaderboardContract({ redis, shards });
});

describe.each([2, 8])('leaderboards of %d shards on one Redis', (shards) => {
  leaderboardPromises({ redis, shards });
  leaderboardRaces({ redis, shards });
});

describe('leaderboards of 10 shards on one Redis', () => {
  leaderboardKnownFaults({ redis, shards: 10 });
});
