import { Cluster } from 'ioredis';
import { describeErased } from '../support/erased-contract';
import { describeExcluded } from '../support/excluded-contract';
import { leaderboardContract } from '../support/leaderboard-contract';
import { leaderboardPromises } from '../support/leaderboard-promises';
import { leaderboardRaces } from '../support/leaderboard-races';
import { describeLimitsAtOnce } from '../support/limits-at-once';
import { ownCluster } from '../support/own-servers';
import { announceSeed } from '../support/seed';

announceSeed();

describe('on 16 shards of a Redis Cluster of six nodes', () => {
  const cluster = ownCluster({ masters: 3, replicas: 1 });
  const redis = () => cluster.client;

  leaderboardContract({ redis, shards: 16 });
  leaderboardPromises({ redis, shards: 16 });
  leaderboardRaces({ redis, shards: 16 });

  describe('members who were erased', () => describeErased(16, redis));
  describe('members kept off the boards', () => describeExcluded(16, redis));
  describe('a limit', () => {
    describeLimitsAtOnce(16, () => new Cluster([...cluster.servers.nodes], { enableAutoPipelining: false }));
  });
});
