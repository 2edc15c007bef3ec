import { ActivityModule } from '@laurel/activity/core';
import { IngestModule } from '@laurel/ingest';
import { Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { ActivityWorker } from './activity.worker';

const activity = ActivityModule.forRoot({
  redis: { url: process.env.REDIS_URL ?? 'redis://localhost:6379' },
  prefix: process.env.LAUREL_PREFIX ?? 'bullmq',
});

@Module({
  imports: [EventEmitterModule.forRoot(), activity, IngestModule.register({ imports: [activity] })],
  providers: [ActivityWorker],
})
export class AppModule {}
