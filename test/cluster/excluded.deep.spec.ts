import { describeExcluded } from '../support/excluded-contract';
import { ownCluster } from '../support/own-servers';
import { announceSeed } from '../support/seed';

announceSeed();

describe('members kept off the boards of a ledger on a Cluster', () => {
  const cluster = ownCluster();
  describeExcluded(16, () => cluster.client);
});
