import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { configurableModule } from '../shared/optional-module';
import { brings } from '../shared/brings';
import { FactsReader } from './facts-reader';
import { TitleFailures, Titles } from './titles';
import { TitleRules } from './title-rules';
import { resolveTitles, TITLE_SETTINGS, type TitlesModuleOptions } from './titles.options';

const { Base, OPTIONS } = configurableModule<TitlesModuleOptions, 'Titles'>('Titles', []);

/**
 * Gives users titles by the rules that `@TitleRule` marks: `?titles=true` shows them, and so does a user's own
 * standing. Import it beside `ActivityModule`.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: TITLE_SETTINGS, inject: [OPTIONS], useFactory: resolveTitles },
    FactsReader,
    TitleFailures,
    TitleRules,
    Titles,
    brings([Titles], (titles) => ({ titles })),
  ],
})
export class TitlesModule extends Base {}
