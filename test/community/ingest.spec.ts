import { RankService } from '@laurel/activity';
import { StreamProducer } from '@laurel/ingest';
import { closeTestRedis, freshPrefix, testRedis } from '../support/redis';
import { waitUntil } from '../support/wait-until';
import { TestCommunity } from './support/community';

afterAll(closeTestRedis);

describe('activities that other services send to the community', () => {
  it('are recorded from the stream that it is told to read', async () => {
    const stream = `${freshPrefix()}:in`;
    const community = await TestCommunity.start({}, { ingestStream: stream });
    try {
      const producer = new StreamProducer({ redis: testRedis(), stream });
      await producer.send([{ userId: '42', action: 'praise', subject: 'course:7' }]);
      await waitUntil(async () => (await testRedis().xlen(stream)) === 0);
      const { entries } = await community.app.get(RankService, { strict: false }).standings('day', { limit: 10 });
      expect(entries).toMatchObject([{ userId: '42', score: 2, user: null }]);
    } finally {
      await community.stop();
    }
  });
});
