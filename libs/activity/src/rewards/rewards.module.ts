import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { besideActivity, besideExtras } from '../beside/module-beside';
import { ACTIVITY_SETTINGS } from '../core/options/settings';
import { Rewards } from './rewards';
import { RewardsController } from './rewards.controller';
import { resolveRewards, REWARD_SETTINGS, type RewardsModuleOptions } from './rewards.options';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<RewardsModuleOptions>({
  moduleName: 'Rewards',
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createRewardsOptions')
  .setExtras(besideExtras, besideActivity([RewardsController]))
  .build();

/**
 * Levels, badges that stay once won, streaks, and the titles that were won: `GET /activity/users/:userId/rewards`.
 * `RewardsModule.forRoot(options)` or `forRootAsync({ inject, useFactory })`, beside `ActivityModule`. A bad option
 * stops the app's start and names what is allowed.
 */
@Module({
  providers: [
    { provide: REWARD_SETTINGS, inject: [MODULE_OPTIONS_TOKEN, ACTIVITY_SETTINGS], useFactory: resolveRewards },
    Rewards,
  ],
  exports: [Rewards],
})
export class RewardsModule extends ConfigurableModuleClass {}
