import { leaderboardContract } from '../support/leaderboard-contract';
import { leaderboardPromises } from '../support/leaderboard-promises';
import { leaderboardRaces } from '../support/leaderboard-races';
import { ownCluster } from '../support/own-servers';
import { announceSeed } from '../support/seed';

announceSeed();

describe('leaderboards of 16 shards on a Redis Cluster of six nodes', () => {
  const cluster = ownCluster({ masters: 3, replicas: 1 });

  const where = { redis: () => cluster.client, shards: 16 };
  leaderboardContract(where);
  leaderboardPromises(where);
  leaderboardRaces(where);
});
