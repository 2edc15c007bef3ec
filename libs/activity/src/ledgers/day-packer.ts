import { Logger } from '@nestjs/common';
import { ActivityError } from '../errors/errors';
import type { ActivitySettings } from '../options/settings';
import type { PeriodicTasks } from '../periodic/periodic-tasks';
import { Lease } from '../redis/lease';
import type { RedisConnection } from '../redis/redis-connection';
import type { Ledgers } from './ledgers';

const dayMs = 86_400_000;
const leaseMs = 15_000;
/** How often an instance asks whether it is time: another may have died at it. */
const everyMs = 60_000;

/**
 * The lease of the instance that packs old days.
 * @redis string: its token
 * @expires 15 s after its last renewal
 */
const packingKey = (prefix: string): string => `{${prefix}}:packing`;

/**
 * When old days were last packed, all of them.
 * @redis string: ms
 * @expires never
 */
const packedKey = (prefix: string): string => `{${prefix}}:packed`;

/** Has the ledgers of days that are long over packed, once a day, by one instance at a time. */
export class DayPacker {
  private readonly logger = new Logger('Ledgers');

  constructor(
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
    private readonly settings: ActivitySettings,
    private readonly tasks: PeriodicTasks,
  ) {}

  /** Begins to ask whether it is time. */
  start(): void {
    this.tasks.task('packing', () => this.packIfDue()).every(everyMs);
  }

  private async packIfDue(): Promise<void> {
    const { client } = this.connection;
    const { prefix, clock } = this.settings;
    const atMs = clock.now();
    if (atMs < Number((await client.get(packedKey(prefix))) ?? 0) + dayMs) return;
    const lease = await Lease.take(client, packingKey(prefix), leaseMs);
    if (!lease) return;
    const assertGoingOn = () => {
      if (this.tasks.stopped.aborted) throw new ActivityError('unavailable', 'The application is shutting down.');
      lease.assertHeld();
    };
    try {
      let packed = 0;
      for (const ledger of this.ledgers.all) packed += await ledger.pack({ assertGoingOn });
      await client.set(packedKey(prefix), String(atMs));
      if (packed > 0) this.logger.log(`Packed ${packed} ledgers of days that are over for a month.`);
    } finally {
      await lease.release();
    }
  }
}
