import { RankService } from '@laurel/activity';
import { StreamProducer } from '@laurel/ingest';
import { Redis } from 'ioredis';
import { afterThisTest } from '../support/endings';
import { redisOfTest } from '../support/own-servers';
import { freshPrefix, metricOf, TestCommunity, testRedis, waitUntil } from './support';

/** The connections that wait for messages. */
async function readersOf(redis: Redis): Promise<readonly { readonly id: string; readonly ageS: number }[]> {
  const clients = String(await redis.client('LIST')).split('\n');
  return clients
    .filter((client) => client.includes(' cmd=xreadgroup '))
    .map((client) => ({
      id: /\bid=(\d+)/.exec(client)?.[1] ?? '',
      ageS: Number(/\bage=(\d+)/.exec(client)?.[1] ?? NaN),
    }));
}

describe('activities that other services send to the community', () => {
  it('are recorded from the stream that it is told to read', async () => {
    const stream = `${freshPrefix()}:in`;
    const community = await TestCommunity.start({}, { ingestStream: stream });
    afterThisTest(() => community.stop());
    const producer = new StreamProducer({ redis: testRedis(), stream });
    await producer.send([{ userId: '42', action: 'praise', subject: 'course:7' }]);
    await waitUntil(async () => (await testRedis().xlen(stream)) === 0);
    const { entries } = await community.app.get(RankService, { strict: false }).standings('day', { limit: 10 });
    expect(entries).toMatchObject([{ userId: '42', score: 2, user: null }]);
  });

  it('are waited for on one and the same connection, however long none come, and shown where Redis fails', async () => {
    const redis = await redisOfTest();
    const client = new Redis(redis.url);
    afterThisTest(() => client.disconnect());
    const community = await TestCommunity.start({ redis: { url: redis.url } }, { ingestStream: 'in' });
    afterThisTest(() => community.stop());
    const metric = (name: string) => metricOf(community.app, name);
    const { id } = await waitUntil(async () => (await readersOf(client))[0]);
    // Longer than a command of the app's own client may take, three times over.
    await waitUntil(async () => (await readersOf(client)).some((reader) => reader.id === id && reader.ageS >= 3), {
      everyMs: 100,
    });
    expect((await readersOf(client)).map((reader) => reader.id)).toEqual([id]);
    expect(await metric('laurel_ingest_failures_total')).toBe(0);

    await client.client('KILL', 'ID', id);
    await waitUntil(async () => (await metric('laurel_ingest_failures_total')) >= 1);
    const producer = new StreamProducer({ redis: client, stream: 'in' });
    await producer.send([{ userId: '42', action: 'praise', subject: 'course:7' }]);
    await producer.send([{ userId: '42', action: 'praise', subject: '' }]);
    await waitUntil(async () => (await metric('laurel_ingest_messages_total{outcome="refused"}')) === 1);
    await waitUntil(async () => (await metric('laurel_ingest_messages_total{outcome="recorded"}')) === 1);
    expect(await metric('laurel_ingest_waiting')).toBe(0);
  });
});
