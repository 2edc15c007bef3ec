import { type DynamicModule, Module } from '@nestjs/common';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type OPTIONS_TYPE,
} from './live.module-definition';
import { LIVE_SETTINGS, resolveLive } from './live.options';
import { Streams } from './streams';
import './openapi.generated';

/**
 * Streams live standings as server-sent events: `GET /ranks/:leaderboard/stream`. Import it beside `ActivityModule`.
 */
@Module({ providers: [{ provide: LIVE_SETTINGS, inject: [MODULE_OPTIONS_TOKEN], useFactory: resolveLive }, Streams] })
export class LiveModule extends ConfigurableModuleClass {
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
