import { Inject, Injectable } from '@nestjs/common';
import { ActivityError } from '../../errors/errors';
import { Extensions } from '../../extensions/extensions';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../options/settings';
import { RedisConnection } from '../../redis/redis-connection';
import { assertUserId } from '../checks';
import { JobQueue } from '../jobs/job-queue';
import type { ErasureReceipt } from './erasure-receipt';
import { Erasures } from './erasures';

/** The keys of erasures, all in one slot. */
const erasureKeys = {
  /**
   * The erasures that wait or run, and the last 1,000 that are done; those name no user.
   * @redis hash: id -> receipt
   * @expires never
   */
  receipts: (prefix: string): string => `{${prefix}}:erasures`,
  /**
   * The erasure of each user that is not done.
   * @redis hash: user -> id
   * @expires never
   */
  open: (prefix: string): string => `{${prefix}}:erasures:open`,
  /**
   * The erasures that are not done, by when they were asked for.
   * @redis sorted set: ids
   * @expires never
   */
  queue: (prefix: string): string => `{${prefix}}:erasures:queue`,
  /**
   * The last 1,000 erasures that are done, by when they were asked for.
   * @redis sorted set: ids
   * @expires never
   */
  done: (prefix: string): string => `{${prefix}}:erasures:done`,
};

/**
 * The lease of the instance that erases users.
 * @redis string: its token
 * @expires 15 s after its last renewal
 */
function erasingKey(prefix: string): string {
  return `{${prefix}}:erasing`;
}

/** Erases users one after the other, as a `JobQueue` does. */
@Injectable()
export class ErasureQueue extends JobQueue<ErasureReceipt> {
  constructor(
    connection: RedisConnection,
    erasures: Erasures,
    extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) settings: ActivitySettings,
  ) {
    super(connection, settings, {
      keys: erasureKeys,
      leaseKey: erasingKey(settings.prefix),
      subject: 'A user who is to be erased',
      // The kinds of its modules, and `directory`.
      needs: () => {
        const { directory, erasers } = extensions;
        return [...erasers.map(({ kind }) => kind), ...(directory?.erase ? ['directory'] : [])];
      },
      begun: (userId, all) => ({ ...all, userId, erased: {} }),
      about: ({ userId }) => userId,
      // Nothing names the user again once it is done.
      carryOut: async (userId) => ({ userId: null, erased: (await erasures.erase(userId)).erased }),
      unknown: () => new ActivityError('unknownErasure', 'There is no erasure of this id: the last 1,000 are kept.'),
    });
  }

  /**
   * Asks for the erasure of a user, and returns its receipt: after two seconds, or when the erasure is done or has
   * failed, if that is sooner. While one of the user's is not done, it is that one's. A few round trips.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`.
   */
  async ask(userId: string): Promise<ErasureReceipt> {
    assertUserId(userId);
    return { ...(await this.askFor(userId)), userId };
  }
}
