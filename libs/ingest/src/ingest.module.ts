import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { ActivityIngestController } from './activity-ingest.controller';

/** Brings the handler of activities that arrive by a broker. */
@Module({})
export class IngestModule {
  /** @param imports where the app's `ActivityModule` comes from. */
  static register({ imports }: Required<Pick<ModuleMetadata, 'imports'>>): DynamicModule {
    return { module: IngestModule, imports, controllers: [ActivityIngestController] };
  }
}
