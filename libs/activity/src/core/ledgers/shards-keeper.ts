import { Logger } from '@nestjs/common';
import type { Ledgers } from './ledgers';
import type { ActivitySettings } from '../options/settings';
import type { PeriodicTasks } from '../periodic/periodic-tasks';
import type { RedisConnection } from '../redis/redis-connection';
import { faultCode } from '../redis/redis-faults';

/**
 * How often an instance asks whether members were moved to another number of shards: a fifth of what old ones are kept.
 */
const everyMs = 2_000;

/**
 * Keeps this instance on the current number of shards. Recording notices a change by itself; this is for reads, and
 * warns the operator to configure the number before the next start.
 */
export class ShardsKeeper {
  private readonly logger = new Logger('Shards');
  private told: number | null = null;

  constructor(
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
    private readonly settings: ActivitySettings,
    private readonly tasks: PeriodicTasks,
  ) {}

  /** Begins to ask. */
  start(): void {
    this.told = this.ledgers.main.shards;
    this.tasks.task('shards', () => this.look()).every(everyMs);
  }

  private async look(): Promise<void> {
    try {
      await Promise.all(this.ledgers.all.map((ledger) => ledger.syncShards()));
    } catch (error) {
      // Another instance was first to store other settings.
      if (this.connection.refuses(error)) return;
      this.logger.debug(`The number of shards could not be read: ${faultCode(error)}`);
      return;
    }
    const { shards } = this.ledgers.main;
    if (shards === this.told) return;
    this.told = shards;
    if (this.settings.shards === null) return;
    this.logger.warn(
      `Members were moved to ${shards} shards: configure ${shards} (LAUREL_SHARDS) before the next start.`,
    );
  }
}
