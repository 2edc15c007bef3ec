import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { Ledgers } from '../ledgers/ledgers';
import { AppEvents } from '../recording/app-events';
import { SharedMetrics } from '../observability/shared-metrics';
import { Recorder } from '../recording/recorder';
import { Extensions } from '../extensions/extensions';
import { RedisConnection } from '../redis/redis-connection';
import { RulesInForce } from '../rules/rules-in-force';

/**
 * Connects before the app takes requests. When it has stopped to, brings what was accepted to its end, to Redis and to
 * listeners, then lets go.
 */
@Injectable()
export class ActivityLifecycle implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly connection: RedisConnection,
    private readonly recorder: Recorder,
    private readonly ledgers: Ledgers,
    private readonly extensions: Extensions,
    private readonly events: AppEvents,
    private readonly metrics: SharedMetrics,
    private readonly rules: RulesInForce,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  async onModuleInit(): Promise<void> {
    const { storesSettings } = this.settings;
    try {
      await this.connection.start(async () => {
        await this.extensions.leaderboards?.sync();
        await this.ledgers.prepare({ stores: storesSettings });
        await this.ledgers.loadLaws(this.rules);
        await this.extensions.rules?.sync();
      });
    } catch (error) {
      this.metrics.close();
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    const { recordTimeoutMs } = this.settings;
    try {
      await this.recorder.close(recordTimeoutMs);
      await this.events.close(recordTimeoutMs);
      for (const ledger of this.ledgers.all) ledger.close();
    } finally {
      // Whatever a test or an app has put in the place of those above: an open client keeps the process alive.
      await this.connection.close();
      this.metrics.close();
    }
  }
}
