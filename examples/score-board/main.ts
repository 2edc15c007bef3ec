import { ActivityModule, ModerationModule } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { ScoresController } from './scores.controller';

const { REDIS_URL, LAUREL_PREFIX, LAUREL_API_KEY, PORT } = process.env;

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    ActivityModule.forRoot({
      redis: { url: REDIS_URL ?? 'redis://localhost:6379' },
      prefix: LAUREL_PREFIX ?? 'score-board',
      apiKey: LAUREL_API_KEY,
    }),
    ModerationModule.forRoot(),
  ],
  controllers: [ScoresController],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(PORT ?? 3000, '127.0.0.1');
  console.log(`Listening on ${await app.getUrl()}`);
}

void main();
