import { ActivityIngestController, type IngestRefusal, recordPattern } from '@laurel/ingest';
import { Controller, Logger } from '@nestjs/common';
import {
  Ctx,
  EventPattern,
  KafkaContext,
  KafkaRetriableException,
  Payload,
  RmqContext,
  RpcException,
} from '@nestjs/microservices';
import type { Channel, Message } from 'amqplib';

/** How long a message waits that may be recorded later, as while Redis is away. */
const againAfterMs = 1_000;

/** Records what other services emit, `{ "events": [...] }`, by RabbitMQ or by Kafka: each acknowledges its own way. */
@Controller()
export class ActivityConsumer {
  private readonly logger = new Logger(ActivityConsumer.name);

  constructor(private readonly handler: ActivityIngestController) {}

  @EventPattern(recordPattern)
  async record(@Payload() body: unknown, @Ctx() context: unknown): Promise<void> {
    const refusal = await this.handler.record(body, context).then(() => null, refusalIn);
    if (refusal) this.logger.error(`${refusal.code}: ${refusal.message}`);
    if (refusal?.isRetryable) await new Promise((resolve) => setTimeout(resolve, againAfterMs));
    if (context instanceof KafkaContext) {
      // The topic's offset stays where it is. Else it moves on: Kafka has no place for what can never be recorded.
      if (refusal?.isRetryable) throw new KafkaRetriableException(refusal.message);
      return;
    }
    if (!(context instanceof RmqContext)) throw new TypeError('It came by neither RabbitMQ nor Kafka.');
    const channel = context.getChannelRef() as Channel;
    const message = context.getMessage() as Message;
    if (refusal) channel.nack(message, false, refusal.isRetryable);
    else channel.ack(message);
  }
}

function refusalIn(error: unknown): IngestRefusal {
  if (error instanceof RpcException) return error.getError() as IngestRefusal;
  throw error;
}
