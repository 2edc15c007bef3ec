import { type DynamicModule, Module } from '@nestjs/common';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type OPTIONS_TYPE,
} from './cold.module-definition';
import { COLD_SETTINGS, resolveCold } from './cold.options';
import { ColdMover } from './cold-mover';

/**
 * Do not import it: it takes points and stops recording (ADR 29), and is going to be removed. It moves ledgers too old
 * for Redis to a store, and brings them back for the cancellation, void, deletion or adjustment that needs them.
 */
@Module({
  providers: [{ provide: COLD_SETTINGS, inject: [MODULE_OPTIONS_TOKEN], useFactory: resolveCold }, ColdMover],
  exports: [ColdMover],
})
export class ColdLedgersModule extends ConfigurableModuleClass {
  /**
   * The module with these options. A bad one stops the app's start.
   * @throws ActivityError `invalidOption` at the start, which names each bad option, its value and what is allowed.
   */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /** The module with the options that a factory or a class gives, from what it `inject`s. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}
