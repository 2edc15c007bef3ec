import { describeOutbox } from './support/relay-contract';
import { PostgresOutbox } from './support/postgres-outbox';

describeOutbox('PostgreSQL', () => PostgresOutbox.start());
