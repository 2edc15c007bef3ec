import type { Frozen } from '@laurel/leaderboard/internals';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ActivityError } from '../errors/errors';
import { Ledgers } from '../ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { Lease } from '../redis/lease';
import { RedisConnection } from '../redis/redis-connection';
import { PeriodicTasks } from '../periodic/periodic-tasks';
import { faultCode } from '../redis/redis-faults';
import { COLD_SETTINGS, type ColdSettings } from './cold.options';
import { RedisColdLedgers } from './redis-cold-ledgers';

const leaseMs = 15_000;
/** How often an instance asks whether it is time: another may have died at it. */
const mostBetweenLooksMs = 60_000;

/**
 * The lease of the instance that moves old ledgers.
 * @redis string: its token
 * @expires 15 s after its last renewal
 */
const movingKey = (prefix: string): string => `{${prefix}}:cold:moving`;

/**
 * When old ledgers were last moved, all of them.
 * @redis string: ms
 * @expires never
 */
const movedKey = (prefix: string): string => `{${prefix}}:cold:moved`;

/** Lets old ledgers go to the cold store, and moves them there on a timer: one instance at a time. */
@Injectable()
export class ColdMover implements OnApplicationBootstrap {
  private readonly logger = new Logger('ColdLedgers');

  /** @throws LeaderboardError `invalidOption` where Redis keeps ledgers for less than two days. */
  constructor(
    private readonly connection: RedisConnection,
    private readonly ledgers: Ledgers,
    private readonly tasks: PeriodicTasks,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Inject(COLD_SETTINGS) private readonly options: ColdSettings,
  ) {
    const { retentionMs, stores } = options;
    for (const ledger of ledgers.all) {
      const { prefix } = ledger.settings;
      const store = stores?.of(prefix) ?? new RedisColdLedgers(connection.client, prefix);
      ledger.keepCold({ store, retentionMs, name: stores ? (stores.name ?? 'app') : 'redis' });
    }
  }

  /** A command, which stores no settings, leaves it to the app. */
  onApplicationBootstrap(): void {
    const { moves, everyMs } = this.options;
    if (!moves || !this.settings.storesSettings) return;
    this.tasks.task('cold', () => this.moveIfDue()).every(Math.min(everyMs, mostBetweenLooksMs));
  }

  /**
   * Moves what has grown old by now, unless another instance is at it: null then. Looks at every key once a ledger of
   * the module's, and makes a few commands for each ledger that is moved.
   * @throws LeaderboardError `unavailable`; what the store throws.
   */
  async move(): Promise<Frozen | null> {
    const { client } = this.connection;
    const lease = await Lease.take(client, movingKey(this.settings.prefix), leaseMs);
    if (!lease) return null;
    const all = { moved: 0, left: 0, dropped: 0 };
    const assertGoingOn = () => {
      if (this.tasks.stopped.aborted) throw new ActivityError('unavailable', 'The application is shutting down.');
      lease.assertHeld();
    };
    try {
      const atMs = this.settings.clock.now();
      for (const ledger of this.ledgers.all) {
        const { moved, left, dropped } = await ledger.freeze({ assertGoingOn });
        all.moved += moved;
        all.left += left;
        all.dropped += dropped;
      }
      await client.set(movedKey(this.settings.prefix), String(atMs));
      return all;
    } finally {
      await lease.release();
    }
  }

  private async moveIfDue(): Promise<void> {
    try {
      const at = Number((await this.connection.client.get(movedKey(this.settings.prefix))) ?? 0);
      if (this.settings.clock.now() < at + this.options.everyMs) return;
      const done = await this.move();
      if (done && done.moved + done.dropped > 0) {
        this.logger.log(`Moved ${done.moved} old ledgers to the cold store, and dropped ${done.dropped} there.`);
      }
    } catch (error) {
      if (!this.tasks.stopped.aborted) this.logger.warn(`Old ledgers have to wait: ${faultCode(error)}.`);
    }
  }
}
