import { brings } from '@laurel/activity/internals';
import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { ActivityIngestController } from './activity-ingest.controller';
import { INGEST_STREAM, DeadLetterEraser } from './dead-letter-eraser';

interface IngestModuleOptions extends Required<Pick<ModuleMetadata, 'imports'>> {
  readonly stream?: string | undefined;
}

/** Adds the handler of activities that arrive through a message broker. */
@Module({})
export class IngestModule {
  /**
   * @param options where the app's `ActivityModule` comes from, and the stream of its `StreamServer`, if it has one: an
   * erasure then removes users from dead letters, and a user's data has what these have of them.
   */
  static register({ imports, stream }: IngestModuleOptions): DynamicModule {
    const erases = brings([DeadLetterEraser], (eraser) => ({ erasers: [eraser], records: [eraser] }));
    const erasing = [{ provide: INGEST_STREAM, useValue: stream }, DeadLetterEraser, erases];
    const providers = stream === undefined ? [] : erasing;
    return { module: IngestModule, imports, providers, controllers: [ActivityIngestController] };
  }
}
