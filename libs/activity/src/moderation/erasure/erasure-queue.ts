import { Inject, Injectable } from '@nestjs/common';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { PeriodicTasks } from '../../core/periodic/periodic-tasks';
import { checkUserId } from '../../core/activity/checks';
import { RedisConnection } from '../../core/redis/redis-connection';
import { JobQueue } from '../jobs/job-queue';
import { JobReceipt } from '../jobs/job-records';
import { Erasures } from './erasures';

/** The state of an erasure. */
export class ErasureReceipt extends JobReceipt {
  /** Null once the erasure is done: nothing names the user then. @example 42 */
  readonly userId: string | null;
  /**
   * How much there was, by kind, when the last try began.
   * @asType integer @example {"boards":4,"rolling":0,"ledgers":12,"lists":1,"named":4,"archived":30,"reviews":0}
   */
  readonly erased: Readonly<Record<string, number>>;
}

/** Erases users one after the other, as a `JobQueue` does. */
@Injectable()
export class ErasureQueue extends JobQueue<ErasureReceipt> {
  constructor(
    connection: RedisConnection,
    erasures: Erasures,
    tasks: PeriodicTasks,
    @Inject(ACTIVITY_SETTINGS) settings: ActivitySettings,
  ) {
    super(connection, settings, tasks, {
      name: 'erasures',
      steps: () => erasures.steps(),
      begun: (userId, all) => ({ ...all, userId, erased: {} }),
      about: ({ userId }) => userId,
      carryOut: async (userId, { receipt, steps }) => {
        const { erased } = await erasures.erase(userId, steps);
        return { erased: { ...receipt.erased, ...erased } };
      },
      // Nothing names the user again once it is done.
      done: () => ({ userId: null }),
    });
  }

  /**
   * Asks for the erasure of a user, and returns its receipt: after two seconds, or when the erasure is done or has
   * failed, if that is sooner. While one of the user's is not done, it is that one's. A few round trips.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`.
   */
  async ask(userId: string): Promise<ErasureReceipt> {
    checkUserId(userId);
    return { ...(await this.askFor(userId)), userId };
  }
}
