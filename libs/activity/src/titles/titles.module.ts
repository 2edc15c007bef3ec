import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { brings } from '../core/extensions/extensions';
import { FactsReader } from './facts-reader';
import { LedgerReader } from './ledger-reader';
import { TitleChain, TitleFailures, Titles } from './titles';
import { TitleRules } from './title-rules';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type OPTIONS_TYPE,
} from './titles.module-definition';
import { resolveTitles, TITLE_SETTINGS } from './titles.options';

/**
 * Gives users titles by the rules that `@TitleRule` marks: `?titles=true` shows them, and so does a user's own
 * standing. Import it beside `ActivityModule`.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: TITLE_SETTINGS, inject: [MODULE_OPTIONS_TOKEN], useFactory: resolveTitles },
    FactsReader,
    LedgerReader,
    TitleChain,
    TitleFailures,
    TitleRules,
    Titles,
    brings([Titles], (titles) => ({ titles })),
  ],
})
export class TitlesModule extends ConfigurableModuleClass {
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
