import { RedisColdLedgers } from '../../support/cold';
import { describeColdLedgers } from '../../support/cold-contract';
import { ownRedis } from '../../support/own-servers';

// It looks at every key for those who have any.
const own = ownRedis();

describeColdLedgers('Redis', (ledger) => new RedisColdLedgers(own.client, ledger));
