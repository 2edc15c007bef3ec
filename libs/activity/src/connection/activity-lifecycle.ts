import type { Ledger } from '@laurel/leaderboard';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { Recorder } from '../recording/recorder';
import { LEDGER, RedisConnection } from './redis-connection';

/** Connects before the app takes requests; flushes what is pending, then lets go, when it has stopped to. */
@Injectable()
export class ActivityLifecycle implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly connection: RedisConnection,
    private readonly recorder: Recorder,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.connection.start(() => this.ledger.prepare());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.recorder.close(this.settings.recordTimeoutMs);
    await this.connection.close();
  }
}
