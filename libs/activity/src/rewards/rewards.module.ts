import { Module } from '@nestjs/common';
import { configurableModule } from '../shared/optional-module';
import { brings } from '../shared/brings';
import { ACTIVITY_SETTINGS } from '../core/options/settings';
import { Rewards } from './rewards';
import { RewardsController } from './rewards.controller';
import { resolveRewards, REWARD_SETTINGS, type RewardsModuleOptions } from './rewards.options';
import './openapi.generated';

const { Base, OPTIONS } = configurableModule<RewardsModuleOptions, 'Rewards'>('Rewards', [RewardsController]);

/**
 * Levels, badges that stay once won, streaks, and the titles that were won: `GET /activity/users/:userId/rewards`.
 * Import it beside `ActivityModule`.
 */
@Module({
  providers: [
    { provide: REWARD_SETTINGS, inject: [OPTIONS, ACTIVITY_SETTINGS], useFactory: resolveRewards },
    Rewards,
    brings([Rewards], (rewards) => ({
      // An operators' command knows no goals, and an app may have had some: no erasure waits for that.
      erasers: [{ kind: rewards.goals.length > 0 ? 'rewards' : 'ledgers', erase: (userId) => rewards.erase(userId) }],
      ...(rewards.goals.length > 0 && { gained: (activity) => rewards.note(activity) }),
      records: [{ kind: 'rewards', of: (userId) => rewards.told(userId) }],
    })),
  ],
  exports: [Rewards],
})
export class RewardsModule extends Base {}
