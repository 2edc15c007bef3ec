import type { ActivityIngestController } from '@laurel/ingest';
import { systemClock } from '@laurel/leaderboard';
import { type RabbitMqServer, startRabbitMq } from '@laurel/servers/rabbitmq';
import { Logger } from '@nestjs/common';
import { KafkaContext, KafkaRetriableException, RmqContext, RpcException } from '@nestjs/microservices';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { join } from 'node:path';
import { ActivityConsumer } from '../../../examples/rabbitmq/activity.consumer';
import { freshPrefix, testRedisUrl } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { StartedApp } from '../packages/support/started-app';

const root = join(__dirname, '../../..');
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
    app = await StartedApp.start(root, ['tools/run-example.mjs', 'rabbitmq'], env);
    connection = await connect(server.url);
    channel = await connection.createChannel();
  });
  afterAll(async () => {
    if (!server) return;
    await connection?.close();
    expect(await app?.stop()).toBe('SIGTERM');
    await server.kill();
  });

  const points = async (): Promise<Record<string, number>> => {
    const page = (await (await app.ask('/ranks/day')).json()) as {
      readonly entries: readonly { readonly userId: string; readonly score: number }[];
    };
    return Object.fromEntries(page.entries.map(({ userId, score }) => [userId, score]));
  };

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
        const [refused, scores] = [await channel.checkQueue('activities.refused'), await points()];
        return refused.messageCount === 1 && Object.keys(scores).length === 3;
      });
      expect(await points()).toEqual({ ann: 2, ben: 1, cyd: 2 });
      const refused = await channel.get('activities.refused', { noAck: true });
      expect(refused && JSON.parse(refused.content.toString())).toMatchObject({ data: { events: [{ userId: '' }] } });
    },
  );
});

describe('its handler', () => {
  const refusal = (isRetryable: boolean) => new RpcException({ code: 'x', message: 'no', errors: [], isRetryable });
  const refusals = { none: null, 'for good': refusal(false), 'for now': refusal(true) };

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  /** Hands it a message that is refused so, and gives what it did. */
  async function taking(why: keyof typeof refusals, context: RmqContext | KafkaContext): Promise<unknown> {
    const error = refusals[why];
    const record = jest.fn(() => (error ? Promise.reject(error) : Promise.resolve({ results: [] })));
    const consumer = new ActivityConsumer({ record } as unknown as ActivityIngestController);
    const body = { events: [] };
    const taken = consumer.record(body, context).then(
      () => 'taken',
      (thrown: unknown) => thrown,
    );
    await jest.advanceTimersByTimeAsync(1_000);
    expect(record).toHaveBeenCalledWith(body, context);
    return taken;
  }

  it.each([
    ['none', 'ack', []],
    ['for good', 'nack', [false, false]],
    ['for now', 'nack', [false, true]],
  ] as const)('tells RabbitMQ what became of a message that is refused: %s', async (why, verb, flags) => {
    const channel = { ack: jest.fn(), nack: jest.fn() };
    const message = { properties: {} };
    expect(await taking(why, new RmqContext([message, channel, 'activity.record']))).toBe('taken');
    expect(channel[verb].mock.calls).toEqual([[message, ...flags]]);
    expect(channel[verb === 'ack' ? 'nack' : 'ack']).not.toHaveBeenCalled();
  });

  it.each([
    ['none', 'taken'],
    ['for good', 'taken'],
    ['for now', expect.any(KafkaRetriableException)],
  ] as const)('lets Kafka bring a message again that is refused for now alone: %s', async (why, outcome) => {
    const context = new KafkaContext([
      {} as never,
      0,
      'activity.record',
      {} as never,
      () => Promise.resolve(),
      {} as never,
    ]);
    expect(await taking(why, context)).toEqual(outcome);
  });
});
