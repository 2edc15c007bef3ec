import { Inject, Injectable, Logger } from '@nestjs/common';
import { RedisConnection } from '../../core/redis/redis-connection';
import { Ledgers } from '../../core/ledgers/ledgers';
import { faultCode } from '../../core/redis/redis-faults';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { TraceList } from '../../account/trace-list';
import { maxTracedAdjustments, type Adjusted, type Adjustment, type TracedAdjustment } from './adjustment';

/** The latest adjustments of all instances, in one list for operators. Ledgers have them all. */
@Injectable()
export class AdjustmentTrace extends TraceList<TracedAdjustment> {
  private readonly logger = new Logger(AdjustmentTrace.name);

  constructor(
    connection: RedisConnection,
    ledgers: Ledgers,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    /**
     * The last 1,000 adjustments, the latest first.
     * @redis list
     * @expires never
     */
    const key = `{${settings.prefix}}:adjustments`;
    const names = ({ userId }: TracedAdjustment) => [userId];
    super(connection, ledgers, { key, max: maxTracedAdjustments, keptMs: null, names });
  }

  /** Lists an adjustment, unless it is a duplicate. Never rejects. */
  async add({ points: asked, reason }: Adjustment, adjusted: Adjusted): Promise<void> {
    const { id, userId, outcome, points, changes } = adjusted;
    if (outcome === 'duplicate' || adjusted.reason === 'erased') return;
    const at = new Date(this.settings.clock.now()).toISOString();
    const traced: TracedAdjustment = { at, id, userId, asked, points, reason, outcome, changes };
    try {
      await this.put([traced]);
    } catch (error) {
      this.logger.warn(`An adjustment was applied, but is missing from the list of the latest: ${faultCode(error)}.`);
    }
  }
}
