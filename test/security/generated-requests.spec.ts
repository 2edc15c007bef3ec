import { describeGeneratedRequests } from './support/generated-requests';

describeGeneratedRequests(1_000, 10);
