import type { ActivityIngestController } from '@laurel/ingest';
import { Logger } from '@nestjs/common';
import { KafkaContext, KafkaRetriableException, RmqContext, RpcException } from '@nestjs/microservices';
import { ActivityConsumer } from '../../../examples/rabbitmq/activity.consumer';

describe('the handler of the example of RabbitMQ', () => {
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
