import { ActivityModule } from '@laurel/activity/core';
import { ActivityIngestController } from '@laurel/ingest';
import { Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { ActivityConsumer } from './activity.consumer';

const activity = ActivityModule.forRoot({
  redis: { url: process.env.REDIS_URL ?? 'redis://localhost:6379' },
  prefix: process.env.LAUREL_PREFIX ?? 'rabbitmq',
});

@Module({
  imports: [EventEmitterModule.forRoot(), activity],
  controllers: [ActivityConsumer],
  // A provider here, no controller: messages go to ours, which acknowledges them.
  providers: [ActivityIngestController],
})
export class AppModule {}
