import { forgetDone, Relay } from '@laurel/outbox';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';
import { createRelayPool } from '../database/pool';
import { ActivityReceiver } from './activity-receiver';
import { OutboxMetrics } from './outbox-metrics';

/** How often old events are looked for. */
export const forgetEveryMs = 600_000;
const dayMs = 86_400_000;
/** How long what was committed is handed over when the app stops: as long as recording may take. */
const usualStopMs = 5_000;

/** Hands the outbox to recording from the app's start until after its last request, and forgets what is old. */
@Injectable()
export class ActivityRelay implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly relay: Relay<unknown>;
  private forgetting: NodeJS.Timeout | undefined;

  constructor(
    receiver: ActivityReceiver,
    private readonly metrics: OutboxMetrics,
    @Inject(COMMUNITY_OPTIONS) private readonly options: CommunityOptions,
  ) {
    this.pool = createRelayPool(options.databaseUrl, options.activity.commandTimeoutMs);
    const { outboxPollMs: pollMs } = options;
    this.relay = new Relay({ pool: this.pool, receiver, observer: metrics, ...(pollMs !== undefined && { pollMs }) });
  }

  onApplicationBootstrap(): void {
    this.relay.start();
    void this.forget();
    this.forgetting = setInterval(() => void this.forget(), forgetEveryMs);
  }

  /** Something was committed: looks at once. */
  wake(): void {
    this.relay.wake();
  }

  /** After the last request and before Redis is let go: what was committed is recorded, as far as Redis is there. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.forgetting);
    await this.relay.stop(this.options.activity.recordTimeoutMs ?? usualStopMs);
    await this.pool.end();
  }

  /** Deletes what was handed over and written longer ago than it is to be kept. Never rejects. */
  async forget(): Promise<void> {
    const keptMs = this.options.outboxRetentionDays * dayMs;
    await forgetDone(this.pool, keptMs).catch((error: unknown) => this.metrics.interrupted('database', error));
  }
}
