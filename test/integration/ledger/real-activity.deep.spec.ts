import { describeRealActivity } from '../../support/real-activity-contract';
import { announceSeed } from '../../support/seed';

announceSeed();

for (const shards of [1, 3]) describeRealActivity({ share: 1, shards });
