/** The choices that decide how the module is written. */
export interface Surroundings {
  /** Whether the app is configured by @nestjs/config. */
  readonly isConfigured: boolean;
  /** Whether a module of the app brings the emitter of events. */
  readonly hasEmitter: boolean;
  /** Whether the app is ES modules, where a relative import names the file. */
  readonly isEsm: boolean;
}

/** The module that the setup writes: the ranking, its interceptor, and the example. */
export function rankingModule({ isConfigured, hasEmitter, isEsm }: Surroundings): string {
  const emitter = "import { EventEmitterModule } from '@nestjs/event-emitter';\n";
  return `import { ActivityModule, VisitInterceptor } from '@laurel/activity/core';
import { Module } from '@nestjs/common';
${isConfigured ? "import { ConfigModule, ConfigService } from '@nestjs/config';\n" : ''}import { APP_INTERCEPTOR } from '@nestjs/core';
${hasEmitter ? '' : emitter}import { FirstEventController } from './first-event.controller${isEsm ? '.js' : ''}';

@Module({
  imports: [
${hasEmitter ? '' : '    EventEmitterModule.forRoot(),\n'}${isConfigured ? configured : fromEnvironment}  ],
  controllers: [FirstEventController],
  // Scores the pages that have @ScoreVisit().
  providers: [{ provide: APP_INTERCEPTOR, useClass: VisitInterceptor }],
})
export class RankingModule {}
`;
}

const limits = "limits: [{ type: 'daily', action: 'view', max: 100 }], // views are farmed with ease";

const fromEnvironment = `    ActivityModule.forRoot({
      redis: { url: process.env.REDIS_URL ?? 'redis://localhost:6379' },
      ${limits}
    }),
`;

const configured = `    ActivityModule.forRootAsync({
      imports: [ConfigModule],
      inject: [ConfigService],
      useFactory: (config: ConfigService) => ({
        redis: { url: config.get<string>('REDIS_URL', 'redis://localhost:6379') },
        ${limits}
      }),
    }),
`;

/** An event that can be tried at once. */
export function firstEvent(): string {
  return `import { PraiseEvent } from '@laurel/activity/core';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';

/** Emit the event where your app saves a praise, with who praises what, and whose it is; then delete this file. */
@Controller('first-event')
export class FirstEventController {
  constructor(private readonly emitter: EventEmitter2) {}

  /** Two points for the user, once a day for each subject. */
  @Post(':userId')
  @HttpCode(204)
  async praise(@Param('userId') userId: string): Promise<void> {
    const praise = new PraiseEvent({ userId, subject: 'article:1', ownerId: 'zoe' });
    await this.emitter.emitAsync(PraiseEvent.eventName, praise);
  }
}
`;
}
