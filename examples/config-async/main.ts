import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { NestFactory } from '@nestjs/core';
import { ArticlesModule } from './articles.module';
import { environmentOf } from './environment';
import { RankingModule } from './ranking.module';

@Module({
  imports: [ConfigModule.forRoot({ isGlobal: true, validate: environmentOf }), RankingModule, ArticlesModule],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
  console.log(`Listening on ${await app.getUrl()}`);
}

void main();
