import { ActivityModule, SettlementModule } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { WinnersWebhook } from './winners-webhook';

const { REDIS_URL, LAUREL_PREFIX, PORT } = process.env;

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    ActivityModule.forRoot({
      redis: { url: REDIS_URL ?? 'redis://localhost:6379' },
      prefix: LAUREL_PREFIX ?? 'announce-winners',
      leaderboards: [{ name: 'day', period: 'day' }],
    }),
    SettlementModule.forRoot({ winners: 3, everyMs: 1_000 }),
  ],
  providers: [WinnersWebhook],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(PORT ?? 3000, '127.0.0.1');
  console.log(`Listening on ${await app.getUrl()}`);
}

void main();
