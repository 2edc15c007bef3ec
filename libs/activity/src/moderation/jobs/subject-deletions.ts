import { Inject, Injectable } from '@nestjs/common';
import { maxSubjectBytes, userIn } from '../../core/activity/activity';
import { Fits } from '../../core/http/validation';
import { Ledgers } from '../../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { pointsOf, unitsOf } from '../../core/points/decimals';
import { PeriodicTasks } from '../../core/periodic/periodic-tasks';
import { RedisConnection } from '../../core/redis/redis-connection';
import { runInRedis } from '../../core/redis/run-in-redis';
import { identifier, readBody } from '../checks';
import { doneTo } from '../naming';
import { TakenBack } from '../reviews/review';
import { revokesOf } from '../revokes';
import { JobQueue, JobReceipt, type OpenJob } from './job-queue';

/** The state of a deletion. */
export class DeletionReceipt extends JobReceipt {
  /** Null where a receipt is read of one that is done, if the subject is a user. @example article:7 */
  readonly subject: string | null;
  /** So far. What a crashed instance took last may be missing. */
  readonly taken: TakenBack;
}

/** A subject to delete. */
export class Deletion {
  /** The subject as activities name it: text of 1 to 512 bytes. @example article:7 */
  @Fits(identifier(maxSubjectBytes))
  readonly subject: string;
}

/** Takes back all that deleted subjects earned, one subject after the other, as a `JobQueue` does. */
@Injectable()
export class SubjectDeletions extends JobQueue<DeletionReceipt> {
  constructor(
    connection: RedisConnection,
    tasks: PeriodicTasks,
    private readonly ledgers: Ledgers,
    @Inject(ACTIVITY_SETTINGS) settings: ActivitySettings,
  ) {
    super('deletions', connection, settings, tasks);
  }

  /**
   * Takes back all points for activities on a subject, from the users who did them and from its owner, on all open
   * boards: final standings stay. Redelivered activities restore nothing. New activities count, so the app must refuse
   * them. Returns the receipt when the deletion is done or has failed, or after two seconds; if an earlier deletion of
   * the subject is not done, that one's. Safe to repeat. Scans all keys of Redis and all stored ledgers, because no
   * index names the users of a subject: recording costs nothing more.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`.
   */
  async delete(subject: string): Promise<DeletionReceipt> {
    readBody(Deletion, { subject });
    const none = { grants: 0, points: 0 };
    return { ...(await this.askFor(subject, (all) => ({ ...all, subject, taken: none }))), subject };
  }

  steps(): readonly string[] {
    return ['ledgers'];
  }

  protected carryOut({ about, receipt, note }: OpenJob<DeletionReceipt>): Promise<Partial<DeletionReceipt>> {
    const { clock, decimals } = this.settings;
    return runInRedis(this.connection, async () => {
      let { taken } = receipt;
      for (const ledger of this.ledgers.all) {
        // A try that failed may have taken from givers alone.
        await ledger.payOwed(clock.now());
        await ledger.named.each(doneTo(about), async (grants) => {
          // Before anything is taken: whether it may go on.
          await note({ taken });
          const results = await ledger.apply(revokesOf(ledger, grants).map(({ transition }) => transition));
          if (ledger !== this.ledgers.main) return;
          const changes = results.flatMap(({ gift, ...own }) => (gift ? [own, gift] : [own]));
          const revoked = changes.filter(({ outcome }) => outcome === 'revoked');
          const units = revoked.reduce((sum, { points }) => sum - points, unitsOf(taken.points, decimals));
          taken = { grants: taken.grants + revoked.length, points: pointsOf(units, decimals) };
          await note({ taken });
        });
      }
      return { taken };
    });
  }

  /** A subject that names a user is not kept. */
  protected done(subject: string): Partial<DeletionReceipt> {
    return userIn(subject) === null ? {} : { subject: null };
  }
}
