import { AccountModule, ActivityModule, ModerationModule, VisitInterceptor } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { ArticlesController } from './articles.controller';
import { isStaff, Public, SessionGuard } from './session.guard';
import { StaffController } from './staff.controller';

const { REDIS_URL, LAUREL_PREFIX } = process.env;

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    ActivityModule.forRoot({
      redis: { url: REDIS_URL ?? 'redis://localhost:6379' },
      prefix: LAUREL_PREFIX ?? 'guards',
      leaderboards: [
        { name: 'day', period: 'day' },
        // For the staff alone: others hear nothing of it.
        {
          name: 'editors',
          period: 'month',
          actions: ['publish'],
          visibility: ({ viewer }) => isStaff(viewer),
        },
      ],
      // Everybody may look at the ranks of a day, below /api, and so it is with all optional modules; what services send
      // needs the API key, as always.
      controllers: { path: 'api', decorators: [Public()] },
    }),
    // A user's own history and quota: the app's guard knows who asks, Laurel's lets each see their own.
    AccountModule.forRoot(),
    // Its routes are for services with the API key; the staff of this app has routes of the app's own.
    ModerationModule.forRoot({ controllers: false }),
  ],
  controllers: [ArticlesController, StaffController],
  providers: [
    { provide: APP_GUARD, useClass: SessionGuard },
    { provide: APP_INTERCEPTOR, useClass: VisitInterceptor },
  ],
})
export class AppModule {}
