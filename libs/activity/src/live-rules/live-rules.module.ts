import { type DynamicModule, Module } from '@nestjs/common';
import { besideActivity, type ModuleBesideExtras } from '../beside/module-beside';
import { brings } from '../core/extensions/extensions';
import { LiveRules } from './live-rules';
import { RulesController } from './rules.controller';
import './openapi.generated';

/**
 * Changes rules and limits while the app runs, by `POST /activity/rules`. Import it beside `ActivityModule`, in every
 * process that records.
 */
@Module({ providers: [LiveRules, brings([LiveRules], (rules) => ({ rules }))], exports: [LiveRules] })
export class LiveRulesModule {
  /** The module. */
  static forRoot(extras: ModuleBesideExtras = {}): DynamicModule {
    return besideActivity([RulesController])({ module: LiveRulesModule }, extras);
  }
}
