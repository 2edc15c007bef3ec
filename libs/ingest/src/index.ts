/**
 * Activities from other services by a broker: one handler that any transport of `@nestjs/microservices` can feed, and a
 * transport for Redis Streams, which keeps what is not acknowledged.
 */
export { ActivityIngestController, type IngestAnswer } from './activity-ingest.controller';
export { IngestModule } from './ingest.module';
export type { IngestRefusal } from './ingest-refusal';
export { recordPattern } from './record-pattern';
export { StreamContext } from './stream/stream-context';
export { DeadLetters, type DeadLetterKind, type DeadLetter } from './stream/dead-letters';
export {
  StreamProducer,
  StreamFullError,
  type StreamedEvent,
  type StreamProducerOptions,
} from './stream/stream-producer';
export { StreamServer } from './stream/stream-server';
export type { StreamServerOptions } from './stream/stream-server-options';
