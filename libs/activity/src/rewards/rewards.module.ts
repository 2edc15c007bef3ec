import { ConfigurableModuleBuilder, type DynamicModule, Module } from '@nestjs/common';
import { optionalModule, optionalModuleExtras } from '../shared/optional-module';
import { brings } from '../core/extensions/extensions';
import { ACTIVITY_SETTINGS } from '../core/options/settings';
import { Rewards } from './rewards';
import { RewardsController } from './rewards.controller';
import { resolveRewards, REWARD_SETTINGS, type RewardsModuleOptions } from './rewards.options';
import './openapi.generated';

const { ASYNC_OPTIONS_TYPE, ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<RewardsModuleOptions>({ moduleName: 'Rewards' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createRewardsOptions')
    .setExtras(optionalModuleExtras, optionalModule([RewardsController]))
    .build();

/**
 * Levels, badges that stay once won, streaks, and the titles that were won: `GET /activity/users/:userId/rewards`.
 * Import it beside `ActivityModule`.
 */
@Module({
  providers: [
    { provide: REWARD_SETTINGS, inject: [MODULE_OPTIONS_TOKEN, ACTIVITY_SETTINGS], useFactory: resolveRewards },
    Rewards,
    brings([Rewards], (rewards) => ({
      // An operators' command knows no rules: erasures of an app without this module must not wait for it.
      erasers: rewards.goals.length > 0 ? [{ kind: 'rewards', erase: (userId) => rewards.erase(userId) }] : [],
      ...(rewards.goals.length > 0 && { gained: (activity) => rewards.note(activity) }),
      records: [{ kind: 'rewards', of: (userId) => rewards.told(userId) }],
    })),
  ],
  exports: [Rewards],
})
export class RewardsModule extends ConfigurableModuleClass {
  /** The module with these options. A bad one stops the app's start, by an error that names what is allowed. */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    return super.forRoot(options);
  }

  /** The module with the options that a factory or a class gives, from what it `inject`s. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}
