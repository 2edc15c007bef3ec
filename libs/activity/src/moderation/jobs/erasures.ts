import type { Ledger } from '@laurel/leaderboard';
import type { Erased } from '@laurel/leaderboard/internals';
import { Inject, Injectable } from '@nestjs/common';
import { ActivityError } from '../../core/errors/errors';
import { Extensions } from '../../core/extensions/extensions';
import { Ledgers } from '../../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { PeriodicTasks } from '../../core/periodic/periodic-tasks';
import { AppEvents } from '../../core/recording/app-events';
import { checkUserId } from '../../core/activity/checks';
import { RedisConnection } from '../../core/redis/redis-connection';
import { runInRedis } from '../../core/redis/run-in-redis';
import { Adjustments } from '../adjustments/adjustments';
import { answerWithin } from '../../core/deadlines/deadline';
import { Exclusions } from '../exclusions/exclusions';
import { UserErasedEvent } from '../moderation-events';
import { namingOf } from '../naming';
import { ReviewRecords } from '../reviews/review-records';
import { JobQueue, JobReceipt, type OpenJob } from './job-queue';

/** The state of an erasure. */
export class ErasureReceipt extends JobReceipt {
  /** Null where a receipt is read of one that is done: nothing names the user then. @example 42 */
  readonly userId: string | null;
  /**
   * How much there was, by kind, when the last try began.
   * @asType integer @example {"boards":4,"rolling":0,"ledgers":12,"lists":1,"named":4,"archived":30,"reviews":0}
   */
  readonly erased: Readonly<Record<string, number>>;
}

/** The removed records of a user, by kind. */
export interface ErasedUser extends Pick<ErasureReceipt, 'erased'> {
  readonly userId: string;
}

/** Erases users: at once, or one after the other as a `JobQueue` does. */
@Injectable()
export class Erasures extends JobQueue<ErasureReceipt> {
  constructor(
    connection: RedisConnection,
    tasks: PeriodicTasks,
    private readonly ledgers: Ledgers,
    private readonly extensions: Extensions,
    private readonly reviews: ReviewRecords,
    private readonly adjustments: Adjustments,
    private readonly exclusions: Exclusions,
    private readonly events: AppEvents,
    @Inject(ACTIVITY_SETTINGS) settings: ActivitySettings,
  ) {
    super('erasures', connection, settings, tasks);
  }

  /**
   * Asks for the erasure of a user, and returns its receipt: after two seconds, or when the erasure is done or has
   * failed, if that is sooner. While one of the user's is not done, it is that one's. A few round trips.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`.
   */
  async ask(userId: string): Promise<ErasureReceipt> {
    checkUserId(userId);
    return { ...(await this.askFor(userId, (all) => ({ ...all, userId, erased: {} }))), userId };
  }

  /**
   * Removes a user from the app (its directory's `erase`), from every board, ledger, window and list, and from what
   * each imported module stores; other users move up. It returns how much there was, by kind: zeros the second time.
   * Safe to repeat: a call after an interruption continues. Waits until no erasure or merge runs that was asked for.
   *
   * Points that the user gave to owners stay, without the giver's name; so do points of others for the user's subjects.
   * Costs some 100 small commands, one for each of the user's days, and a few for each 100 days of others that name the
   * user, whatever the size of Redis. Later activities of the user, or that name them, are refused (`rejected`,
   * `erased`) for the ledgers' retention and one day; for good if ledgers are kept for good.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`: some of it may be done.
   */
  async erase(userId: string): Promise<ErasedUser> {
    checkUserId(userId);
    return this.inTurn(() => this.eraseNow(userId));
  }

  /** As {@link erase}, by who has the lease: some steps, and by something else than `ledger.erasure.erase`. */
  async eraseNow(
    userId: string,
    steps: readonly string[] = this.steps(),
    eraseFrom: (ledger: Ledger) => Promise<Erased> = (ledger) => ledger.erasure.erase(userId, namingOf(userId)),
  ): Promise<ErasedUser> {
    return runInRedis(this.connection, async () => {
      const { directory, erasers } = this.extensions;
      const { timeoutMs } = this.settings.observers;
      const answerOf = <T>(step: string, work: () => Promise<T> | undefined) =>
        steps.includes(step) ? answerWithin(timeoutMs, step, work) : undefined;
      // The app first: from then on the user can do nothing more.
      const ofApp = await answerOf('directory', () => directory?.erase?.(userId));
      const erased: Record<string, number> = {};
      if (steps.includes('ledgers')) {
        for (const ledger of this.ledgers.all) {
          const counts: Readonly<Record<string, number>> = { ...(await eraseFrom(ledger)) };
          for (const [kind, count] of Object.entries(counts)) erased[kind] = (erased[kind] ?? 0) + count;
        }
        erased.reviews = await this.reviews.erase(userId);
        erased.adjustments = await this.adjustments.erase(userId);
        // Last: a review that is erased removes no exclusion.
        erased.exclusions = await this.exclusions.erase(userId);
      }
      for (const eraser of erasers) {
        const count = await answerOf(eraser.kind, () => eraser.erase(userId));
        if (count !== undefined && eraser.kind !== 'ledgers') erased[eraser.kind] = count;
      }
      if (steps.includes('ledgers')) this.events.announce(UserErasedEvent.eventName, new UserErasedEvent(userId));
      return { userId, erased: { ...erased, ...ofApp } };
    });
  }

  /** The steps that this instance can do: Redis, its modules and the app's directory. */
  steps(): readonly string[] {
    const { directory, erasers } = this.extensions;
    return [...new Set(['ledgers', ...erasers.map(({ kind }) => kind), ...(directory?.erase ? ['directory'] : [])])];
  }

  /**
   * Accepts activities of an erased user again, who came back under the same id. Activities from before the erasure
   * that arrive late then count as well. Returns whether the user was refused until now. Safe to repeat. Four round
   * trips a ledger.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`, also while an erasure or a merge of
   * the user is not done: it would erase what comes from now on.
   */
  async readmit(userId: string): Promise<boolean> {
    checkUserId(userId);
    return runInRedis(this.connection, async () => {
      if ((await this.isOpen(userId)) || (await this.isOpen(userId, 'merges')))
        throw new ActivityError('unavailable', 'The erasure of the user is not done: try again when it is.');
      let wasRefused = false;
      for (const ledger of this.ledgers.all) wasRefused = (await ledger.erasure.readmit(userId)) || wasRefused;
      return wasRefused;
    });
  }

  protected async carryOut({ about, receipt, steps }: OpenJob<ErasureReceipt>): Promise<Partial<ErasureReceipt>> {
    const naming = namingOf(about, receipt.id);
    const { erased } = await this.eraseNow(about, steps, (ledger) => ledger.erasure.erase(about, naming));
    return { erased: { ...receipt.erased, ...erased } };
  }

  protected done(): Partial<ErasureReceipt> {
    return { userId: null };
  }
}
