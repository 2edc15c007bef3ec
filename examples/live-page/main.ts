import { ActivityModule, ActivityService, LiveModule } from '@laurel/activity';
import { Controller, Get, Header, Module, Param, Put } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const { REDIS_URL, LAUREL_PREFIX, PORT } = process.env;

@Controller()
class PageController {
  constructor(private readonly activities: ActivityService) {}

  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  page(): Promise<string> {
    return readFile(join(__dirname, 'index.html'), 'utf8');
  }

  /** So that something moves: your app knows by a session who praises what. */
  @Put('praises/:userId/:subject')
  praise(@Param('userId') userId: string, @Param('subject') subject: string) {
    return this.activities.record({ userId, action: 'praise', subject });
  }
}

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    ActivityModule.forRoot({
      redis: { url: REDIS_URL ?? 'redis://localhost:6379' },
      prefix: LAUREL_PREFIX ?? 'live-page',
    }),
    LiveModule.forRoot(),
  ],
  controllers: [PageController],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(PORT ?? 3000, '127.0.0.1');
  console.log(`Listening on ${await app.getUrl()}`);
}

void main();
