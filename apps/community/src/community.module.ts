import { ActivityModule } from '@laurel/activity';
import { IngestModule } from '@laurel/ingest';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { ArticlePartitionsModule } from './articles/article-partitions.module';
import { ArticlesModule } from './articles/articles.module';
import { AuthModule } from './auth/auth.module';
import { CommentsModule } from './comments/comments.module';
import { COMMUNITY_OPTIONS, type CommunityOptions } from './community.options';
import { DatabaseModule } from './database/database.module';
import { FollowsModule } from './follows/follows.module';
import { CommunityProblemFilter } from './http/community-problem.filter';
import { OperationsModule } from './operations/operations.module';
import { PointsController } from './points/points.controller';
import { ReactionsModule } from './reactions/reactions.module';
import { StandingsModule } from './standings/standings.module';
import { ThrottlingModule } from './throttling/throttling.module';
import { TitlesModule } from './titles/titles.module';
import { DirectoryModule } from './users/directory.module';
import { UsersModule } from './users/users.module';

/** The whole community: features that change the database and say so, and the ranking module that listens. */
@Global()
@Module({})
export class CommunityModule {
  static forRoot(options: CommunityOptions): DynamicModule {
    const activity = ActivityModule.forRoot({
      ...options.activity,
      imports: [ArticlePartitionsModule, DirectoryModule, StandingsModule],
    });
    return {
      module: CommunityModule,
      imports: [
        EventEmitterModule.forRoot(),
        DatabaseModule,
        AuthModule,
        activity,
        ...(options.ingestStream === undefined ? [] : [IngestModule.register({ imports: [activity] })]),
        ArticlesModule,
        CommentsModule,
        FollowsModule,
        OperationsModule,
        ReactionsModule,
        ThrottlingModule,
        TitlesModule,
        UsersModule,
      ],
      controllers: [PointsController],
      providers: [
        { provide: COMMUNITY_OPTIONS, useValue: options },
        { provide: APP_FILTER, useClass: CommunityProblemFilter },
      ],
      exports: [COMMUNITY_OPTIONS],
    };
  }
}
