import { describeRealActivity } from '../../support/real-activity-contract';
import { announceSeed } from '../../support/seed';

announceSeed();

describeRealActivity({ share: 1, shards: 3 });
