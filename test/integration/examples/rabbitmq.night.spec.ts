import { systemClock } from '@laurel/leaderboard';
import { type RabbitMqServer, startRabbitMq } from '@laurel/servers/rabbitmq';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { freshPrefix, testRedisUrl, waitUntil } from '../../support';
import { StartedApp } from '../packages/support/started-app';
import { root } from '../../support/run';

// Erlang starts slowly: the nightly run has the time.
const isWanted = process.env.LAUREL_TEST_RABBITMQ === '1';
const why = isWanted ? '' : ' (skipped: LAUREL_TEST_RABBITMQ=1 runs it)';

describe('the example of RabbitMQ', () => {
  let server: RabbitMqServer | undefined;
  let app: StartedApp;
  let connection: ChannelModel;
  let channel: Channel;

  beforeAll(async () => {
    if (!isWanted) return;
    server = await startRabbitMq();
    const env = { RABBITMQ_URL: server.url, LAUREL_PREFIX: freshPrefix(), REDIS_URL: testRedisUrl() };
    app = await StartedApp.start(root, ['tools/run.mjs', 'example', 'rabbitmq'], env);
    connection = await connect(server.url);
    channel = await connection.createChannel();
  });
  afterAll(async () => {
    if (!server) return;
    await connection?.close();
    expect(await app?.stop()).toBe('SIGTERM');
    await server.kill();
  });

  (isWanted ? it : it.skip)(
    `records messages once however often they come, and lays aside what it cannot record${why}`,
    async () => {
      const send = (events: readonly object[]) =>
        channel.sendToQueue(
          'activities',
          Buffer.from(JSON.stringify({ pattern: 'activity.record', data: { events } })),
        );
      const occurredAt = new Date(systemClock.now()).toISOString();
      const event = { userId: 'ann', action: 'praise', subject: 'article:7', occurredAt };
      send([event, { userId: 'ben', action: 'view', subject: '/', occurredAt }]);
      send([event]);
      send([{ ...event, userId: '' }]);
      send([{ ...event, userId: 'cyd' }]);
      await waitUntil(async () => {
        const [refused, scores] = [await channel.checkQueue('activities.refused'), await app.pointsOfDay()];
        return refused.messageCount === 1 && Object.keys(scores).length === 3;
      });
      expect(await app.pointsOfDay()).toEqual({ ann: 2, ben: 1, cyd: 2 });
      const refused = await channel.get('activities.refused', { noAck: true });
      expect(refused && JSON.parse(refused.content.toString())).toMatchObject({ data: { events: [{ userId: '' }] } });
    },
  );
});
