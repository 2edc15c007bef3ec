import { sampled } from '../support/sampled';
import { describeGeneratedRequests } from './support/generated-requests';

const total = Number(process.env.LAUREL_TEST_REQUESTS ?? sampled({ sample: 2_500, full: 21_000 }));

describeGeneratedRequests(total, 60);
