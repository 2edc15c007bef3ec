import { ActivityModule, PraiseEvent, RankService, ScoreVisit, VisitInterceptor } from '@laurel/activity';
import { Controller, Get, Headers, HttpCode, Module, Param, ParseIntPipe, Put } from '@nestjs/common';
import { APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';

type Article = { id: number; author: string };
/** The user, by a header here; in your app the user that a guard has put into the request. */
const currentUser = (request: unknown): string | null =>
  (request as { headers: Record<string, string | undefined> }).headers['x-user'] ?? null;

@Controller()
class ArticlesController {
  constructor(
    private readonly emitter: EventEmitter2,
    private readonly ranks: RankService,
  ) {}

  /** A visit: a signed-in reader earns a view, once a day for each article; its author, by `ownerId`, nothing. */
  @Get('articles/:id')
  @ScoreVisit({ subject: ({ id }: Article) => `article:${id}`, ownerId: ({ author }: Article) => author })
  read(@Param('id', ParseIntPipe) id: number): Article {
    return { id, author: 'zoe' };
  }

  /** An event: two points, once a day for each article. Your app saves the praise first, and adds its `occurredAt`. */
  @Put('articles/:id/praise')
  @HttpCode(204)
  praise(@Param('id', ParseIntPipe) id: number, @Headers('x-user') userId: string) {
    this.emitter.emit(PraiseEvent.eventName, new PraiseEvent({ userId, subject: `article:${id}`, ownerId: 'zoe' }));
  }

  /** The leaders of today; the module answers /ranks/day and more by itself. */
  @Get('leaders')
  async leaders() {
    const { entries } = await this.ranks.standings('day', { limit: 3 });
    return entries.map(({ rank, userId, score }) => `${rank}. ${userId}: ${score}`);
  }
}

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    ActivityModule.forRoot({
      redis: { url: process.env.REDIS_URL ?? 'redis://localhost:6379' },
      prefix: process.env.LAUREL_PREFIX ?? 'minimal',
      currentUser,
      limits: [{ type: 'daily', action: 'view', max: 100 }],
    }),
  ],
  controllers: [ArticlesController],
  providers: [{ provide: APP_INTERCEPTOR, useClass: VisitInterceptor }],
})
class AppModule {}

void NestFactory.create(AppModule).then(async (app) => {
  app.enableShutdownHooks();
  await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
  console.log(`Listening on ${await app.getUrl()}`);
});
