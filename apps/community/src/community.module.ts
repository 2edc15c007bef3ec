import {
  AccountModule,
  ActivityModule,
  AdminModule,
  LiveModule,
  LiveRulesModule,
  ModerationModule,
  SettlementModule,
  TitlesModule,
} from '@laurel/activity';
import { RewardsModule } from '@laurel/activity/rewards';
import { IngestModule } from '@laurel/ingest';
import { ReportsModule } from '@laurel/reports';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { ArticlesModule } from './articles/articles.module';
import { AuthModule } from './auth/auth.module';
import { CommentsModule } from './comments/comments.module';
import { COMMUNITY_OPTIONS, type CommunityOptions } from './options/community.options';
import { DatabaseModule } from './database/database.module';
import { FollowsModule } from './follows/follows.module';
import { CommunityProblemFilter } from './problems/community-problem.filter';
import { IdentityModule } from './identity/identity.module';
import { NamesModule } from './names/names.module';
import { OperationsModule } from './operations/operations.module';
import { PointsModule } from './points/points.module';
import { ReactionsModule } from './reactions/reactions.module';
import { StandingsModule } from './standings/standings.module';
import { TitleRulesModule } from './titles/title-rules.module';
import { DirectoryModule } from './directory/directory.module';
import { UsersModule } from './users/users.module';

/** The whole community: features that change the database and announce it, and the ranking module that listens. */
@Global()
@Module({})
export class CommunityModule {
  static forRoot(options: CommunityOptions): DynamicModule {
    const activity = ActivityModule.forRoot({
      ...options.activity,
      imports: [DirectoryModule],
    });
    return {
      module: CommunityModule,
      imports: [
        EventEmitterModule.forRoot(),
        DatabaseModule,
        IdentityModule,
        activity,
        SettlementModule.forRoot({ ...options.settlement, imports: [StandingsModule] }),
        LiveModule.forRoot({ ...options.streams }),
        TitlesModule.forRoot(),
        RewardsModule.forRoot({
          levels: { points: [0, 10, 50, 200, 500, 1_000, 2_500, 5_000] },
          badges: [
            { id: 'first-points', name: 'First points', of: 'points', leaderboard: 'all', atLeast: 1 },
            { id: 'hundred-points', name: 'A hundred points', of: 'points', leaderboard: 'all', atLeast: 100 },
            { id: 'thousand-points', name: 'A thousand points', of: 'points', leaderboard: 'all', atLeast: 1_000 },
          ],
        }),
        ...[AccountModule, AdminModule, ReportsModule, LiveRulesModule].map((module) => module.forRoot()),
        ModerationModule.forRoot({ imports: [DirectoryModule] }),
        ...(options.ingestStream === undefined
          ? []
          : [IngestModule.register({ imports: [activity], stream: options.ingestStream })]),
        ...[ArticlesModule, AuthModule, CommentsModule, FollowsModule, NamesModule, OperationsModule],
        ...[PointsModule, ReactionsModule, TitleRulesModule, UsersModule],
      ],
      providers: [
        { provide: COMMUNITY_OPTIONS, useValue: options },
        { provide: APP_FILTER, useClass: CommunityProblemFilter },
      ],
      exports: [COMMUNITY_OPTIONS],
    };
  }
}
