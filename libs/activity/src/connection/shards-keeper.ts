import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Ledgers } from '../ledgers/ledgers';
import { RedisConnection } from './redis-connection';
import { faultCode } from './redis-faults';

/** How often an instance asks whether members were moved to another number of shards: a fifth of what old ones are kept. */
const everyMs = 2_000;

/**
 * Keeps this instance at the number of shards that members lie in. Recording finds out by itself; this is for reads, and for
 * the operator, who is told to configure it before the next start.
 */
@Injectable()
export class ShardsKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Shards');
  private timer: NodeJS.Timeout | undefined;
  private told: number | null = null;

  constructor(
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
  ) {}

  onApplicationBootstrap(): void {
    this.told = this.ledgers.main.shards;
    this.timer = setInterval(() => void this.look(), everyMs);
    this.timer.unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    if (!this.connection.isReady) return;
    try {
      await Promise.all(this.ledgers.all.map((ledger) => ledger.syncShards()));
    } catch (error) {
      this.logger.debug(`Asking for the number of shards failed: ${faultCode(error)}`);
      return;
    }
    const { shards } = this.ledgers.main;
    if (shards === this.told) return;
    this.told = shards;
    this.logger.warn(
      `Members were moved to ${shards} shards: configure ${shards} (LAUREL_SHARDS) before the next start.`,
    );
  }
}
