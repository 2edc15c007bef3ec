import { ActivityModule, ModerationModule } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { sql } from 'drizzle-orm';
import { DATABASE, type Database, DatabaseModule } from './database';
import { UsersController } from './users.controller';
import { UsersModule } from './users.module';

const { REDIS_URL, LAUREL_PREFIX, LAUREL_API_KEY, PORT } = process.env;

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    DatabaseModule,
    ActivityModule.forRoot({
      redis: { url: REDIS_URL ?? 'redis://localhost:6379' },
      prefix: LAUREL_PREFIX ?? 'drizzle-directory',
      apiKey: LAUREL_API_KEY,
      imports: [UsersModule],
    }),
    // Asks the directory which users are banned, and has it erase users.
    ModerationModule.forRoot(),
  ],
  controllers: [UsersController],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  // In your app, by a migration of drizzle-kit.
  await app.get<Database>(DATABASE).execute(sql`CREATE TABLE IF NOT EXISTS users
    (id integer PRIMARY KEY, name text NOT NULL, avatar_url text, is_banned boolean NOT NULL DEFAULT false)`);
  await app.listen(PORT ?? 3000, '127.0.0.1');
  console.log(`Listening on ${await app.getUrl()}`);
}

void main();
