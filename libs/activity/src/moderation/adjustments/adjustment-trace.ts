import { Inject, Injectable, Logger } from '@nestjs/common';
import { RedisConnection } from '../../core/redis/redis-connection';
import { Ledgers } from '../../core/ledgers/ledgers';
import { faultCode } from '../../core/redis/redis-faults';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { TraceList } from '../../account/trace-list';
import { maxTracedAdjustments, type Adjusted, type Adjustment, type TracedAdjustment } from './adjustment';

/** The latest adjustments of all instances, in one list for operators. Ledgers have them all. */
@Injectable()
export class AdjustmentTrace {
  private readonly logger = new Logger(AdjustmentTrace.name);
  private readonly list: TraceList<TracedAdjustment>;

  constructor(
    private readonly connection: RedisConnection,
    ledgers: Ledgers,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    /**
     * The last 1,000 adjustments, the latest first.
     * @redis list
     * @expires never
     */
    const key = `{${settings.prefix}}:adjustments`;
    this.list = new TraceList(connection.client, {
      key,
      max: maxTracedAdjustments,
      keptMs: null,
      names: ({ userId }) => [userId],
      erasedAmong: (userIds) => ledgers.main.erasure.among(userIds),
    });
  }

  /** Lists an adjustment, unless it is a duplicate. Never rejects. */
  async add({ points: asked, reason }: Adjustment, adjusted: Adjusted): Promise<void> {
    const { id, userId, outcome, points, changes } = adjusted;
    if (outcome === 'duplicate' || adjusted.reason === 'erased') return;
    const at = new Date(this.settings.clock.now()).toISOString();
    const traced: TracedAdjustment = { at, id, userId, asked, points, reason, outcome, changes };
    try {
      await this.connection.read(() => this.list.add([traced]));
    } catch (error) {
      this.logger.warn(`An adjustment was applied, but is missing from the list of the latest: ${faultCode(error)}.`);
    }
  }

  /** The latest, the latest first. One round trip. @throws ActivityError `unavailable` */
  recent(count: number): Promise<TracedAdjustment[]> {
    return this.connection.read(() => this.list.recent(count));
  }

  /** Removes a user's; returns how many there were. @throws ActivityError `unavailable` */
  erase(userId: string): Promise<number> {
    return this.connection.read(() => this.list.erase(userId));
  }
}
