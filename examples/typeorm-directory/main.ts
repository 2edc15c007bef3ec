import { ActivityModule, ModerationModule } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { TypeOrmModule } from '@nestjs/typeorm';
import { User } from './user.entity';
import { UsersController } from './users.controller';
import { UsersModule } from './users.module';

const { DATABASE_URL, REDIS_URL, LAUREL_PREFIX, LAUREL_API_KEY, PORT } = process.env;

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: DATABASE_URL ?? 'postgres://localhost:5432/app',
      entities: [User],
      synchronize: true, // in an app with data, by migrations
    }),
    UsersModule,
    ActivityModule.forRoot({
      redis: { url: REDIS_URL ?? 'redis://localhost:6379' },
      prefix: LAUREL_PREFIX ?? 'typeorm-directory',
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
  await app.listen(PORT ?? 3000, '127.0.0.1');
  console.log(`Listening on ${await app.getUrl()}`);
}

void main();
