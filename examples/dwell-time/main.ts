import { ActivityModule, ActivityService } from '@laurel/activity/core';
import { Body, Controller, ForbiddenException, Get, Headers, HttpCode, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { JwtModule, JwtService } from '@nestjs/jwt';

const { REDIS_URL, LAUREL_PREFIX, AUTH_SECRET, PORT } = process.env;

/** How long somebody reads before the visit counts. */
const dwellSeconds = 20;

/** Who reads what. */
interface Ticket {
  readonly sub: string;
  readonly article: string;
}

@Controller('articles')
class ArticlesController {
  constructor(
    private readonly jwt: JwtService,
    private readonly activities: ActivityService,
  ) {}

  /** Gives a ticket with the page, valid in a while: nothing is stored until somebody has read. */
  @Get(':id')
  read(@Param('id') id: string, @Headers('x-user') userId: string) {
    const ticket: Ticket = { sub: userId, article: id };
    return { id, ticket: this.jwt.sign(ticket, { notBefore: dwellSeconds, expiresIn: '1h' }), dwellSeconds };
  }

  /** The page sends the ticket back after so many seconds of being looked at (`document.visibilityState`). */
  @Post('read')
  @HttpCode(204)
  async hasRead(@Body('ticket') ticket: string): Promise<void> {
    const { sub, article } = await this.jwt.verifyAsync<Ticket>(ticket).catch(() => {
      throw new ForbiddenException('Too early, too late, or no ticket of ours.');
    });
    await this.activities.record({ userId: sub, action: 'view', subject: `article:${article}` });
  }
}

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    ActivityModule.forRoot({
      redis: { url: REDIS_URL ?? 'redis://localhost:6379' },
      prefix: LAUREL_PREFIX ?? 'dwell-time',
    }),
    JwtModule.register({ secret: AUTH_SECRET ?? 'only for this example' }),
  ],
  controllers: [ArticlesController],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(PORT ?? 3000, '127.0.0.1');
  console.log(`Listening on ${await app.getUrl()}`);
}

void main();
