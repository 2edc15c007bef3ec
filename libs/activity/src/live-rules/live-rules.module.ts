import { Module } from '@nestjs/common';
import { plainModule } from '../shared/optional-module';
import { brings } from '../shared/brings';
import { LeaderboardsController } from './leaderboards.controller';
import { LiveLeaderboards } from './live-leaderboards';
import { LiveRules } from './live-rules';
import { RulesController } from './rules.controller';
import './openapi.generated';

/**
 * Changes rules and limits while the app runs, by `POST /activity/rules`, and begins and ends leaderboards, by
 * `POST /activity/leaderboards`. Import it beside `ActivityModule`, in every process that records.
 */
@Module({
  providers: [
    LiveRules,
    LiveLeaderboards,
    brings([LiveRules, LiveLeaderboards], (rules, leaderboards) => ({ rules, leaderboards })),
  ],
  exports: [LiveRules, LiveLeaderboards],
})
export class LiveRulesModule extends plainModule([RulesController, LeaderboardsController]) {}
