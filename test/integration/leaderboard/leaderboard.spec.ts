import { leaderboardContract } from '../../support/leaderboard-contract';
import { leaderboardPromises } from '../../support/leaderboard-promises';
import { leaderboardRaces } from '../../support/leaderboard-races';
import { testRedis } from '../../support/redis';

const client = testRedis();

describe.each([1, 3])('leaderboards of %d shards on one Redis', (shards) => {
  const where = { redis: () => client, shards };
  leaderboardContract(where);
  leaderboardPromises(where);
  leaderboardRaces(where);
});
