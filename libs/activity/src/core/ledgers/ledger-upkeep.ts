import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { PeriodicTasks } from '../periodic/periodic-tasks';
import { RedisConnection } from '../redis/redis-connection';
import { faultCode } from '../redis/redis-faults';
import { Ledgers } from './ledgers';

const dayMs = 86_400_000;
/** How often what owners are owed is looked for, and how old that is: what is younger is being given. */
const owedEveryMs = 5_000;
/** How often an instance asks whether old days are to be packed. */
const packEveryMs = 60_000;

/**
 * Marks that an instance has packed old days, or is packing them.
 * @redis string: empty
 * @expires two days after the day
 */
const packedKey = (prefix: string, day: number): string => `{${prefix}}:packed:${day}`;

/** How often an instance asks whether members were moved to other shards: a fifth of what old ones are kept. */
const shardsEveryMs = 2_000;

/** Periodic work on ledgers. */
@Injectable()
export class LedgerUpkeep implements OnApplicationBootstrap {
  private readonly logger = new Logger('Shards');
  private told: number | null = null;

  constructor(
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
    private readonly tasks: PeriodicTasks,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  onApplicationBootstrap(): void {
    this.told = this.ledgers.main.shards;
    this.tasks.task('shards', () => this.syncShards()).every(shardsEveryMs);
    // A command, which stores no settings, leaves the others to the app.
    if (!this.settings.storesSettings) return;
    this.tasks.task('owed', () => this.payOwed()).every(owedEveryMs);
    this.tasks.task('packing', () => this.packOnceADay()).every(packEveryMs);
  }

  /** Gives owners what is theirs where the process that recorded it ended in between, or their shard was away. */
  private async payOwed(): Promise<void> {
    const beforeMs = this.settings.clock.now() - owedEveryMs;
    for (const ledger of this.ledgers.all) await ledger.payOwed(beforeMs, this.tasks.stopped);
  }

  /** Has one instance pack the days that are long over. What it leaves undone is done on the next day. */
  private async packOnceADay(): Promise<void> {
    const { client } = this.connection;
    const key = packedKey(this.settings.prefix, Math.floor(this.settings.clock.now() / dayMs));
    if (!(await client.set(key, '', 'PX', 2 * dayMs, 'NX'))) return;
    try {
      for (const ledger of this.ledgers.all) await ledger.pack({ signal: this.tasks.stopped });
    } catch (error) {
      await client.del(key);
      if (!this.tasks.stopped.aborted) throw error;
    }
  }

  /**
   * Keeps this instance on the current number of shards. Recording notices a change by itself; this is for reads, and
   * warns the operator to configure the number before the next start.
   */
  private async syncShards(): Promise<void> {
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
