import { describeRealActivity } from '../../support/real-activity-contract';
import { announceSeed } from '../../support/seed';

announceSeed();

describeRealActivity({ share: 0.1, shards: 1 });
