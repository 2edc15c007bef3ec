import { describeErased } from '../support/erased-contract';
import { ownCluster } from '../support/own-servers';
import { announceSeed } from '../support/seed';

announceSeed();

describe('members who were erased, on a Cluster', () => {
  const cluster = ownCluster();
  describeErased(16, () => cluster.client);
});
