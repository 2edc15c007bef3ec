import { Inject, Injectable } from '@nestjs/common';
import { subjectOfUser } from '../../core/activity/activity';
import { ActivityError, faultsError } from '../../core/errors/errors';
import { Fits, LeftOut } from '../../core/http/validation';
import { Ledgers } from '../../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { PeriodicTasks } from '../../core/periodic/periodic-tasks';
import { AppEvents } from '../../core/recording/app-events';
import { RedisConnection } from '../../core/redis/redis-connection';
import { RulesInForce } from '../../core/rules/rules-in-force';
import { note, operator, readBody, user } from '../checks';
import { erasedError, Exclusions } from '../exclusions/exclusions';
import { UserMergedEvent } from '../moderation-events';
import { doneTo, namingOf } from '../naming';
import { ReviewRecords } from '../reviews/review-records';
import { Erasures } from './erasures';
import { JobQueue, JobReceipt, type OpenJob } from './job-queue';

/** Two accounts that are one. */
export class Merge {
  /** The account that goes. @example 42 */
  @Fits(user)
  readonly from: string;
  /** The account that stays. @example 7 */
  @Fits(user)
  readonly into: string;
  /** Which operator; up to 128 bytes. @example ada */
  @LeftOut(operator)
  readonly by?: string;
  /** Why, for other operators; up to 512 bytes. @example forgot the password */
  @LeftOut(note)
  readonly note?: string;
}

/** The state of a merge. */
export class MergeReceipt extends JobReceipt {
  /** Null where a receipt is read of one that is done. @example 42 */
  readonly from: string | null;
  /** Null where a receipt is read of one that is done. @example 7 */
  readonly into: string | null;
  /**
   * How much there was when the last try began: `facts` of the account itself, what it `received` of others, and what
   * the one gave the other, which has `ended`.
   * @asType integer @example {"facts":31,"received":4,"ended":2}
   */
  readonly merged: Readonly<Record<string, number>>;
  /** As that of an erasure. @asType integer @example {"boards":4,"ledgers":12,"archived":30} */
  readonly erased: Readonly<Record<string, number>>;
}

/** Makes two accounts one, one pair after the other, as a `JobQueue` does. */
@Injectable()
export class Merges extends JobQueue<MergeReceipt> {
  constructor(
    connection: RedisConnection,
    tasks: PeriodicTasks,
    private readonly rules: RulesInForce,
    private readonly erasures: Erasures,
    private readonly events: AppEvents,
    private readonly ledgers: Ledgers,
    private readonly exclusions: Exclusions,
    private readonly reviews: ReviewRecords,
    @Inject(ACTIVITY_SETTINGS) settings: ActivitySettings,
  ) {
    super('merges', connection, settings, tasks, 'erasures');
  }

  /**
   * Makes two accounts one, as if all that was recorded of `from` had been recorded of `into`: an activity of both
   * counts once, limits judge all of it together, open boards move by the difference. What the one gave the other
   * counts no more, unless its rule counts own subjects. Then `from` is erased as by {@link Erasures.erase}, but for
   * what the app's directory has, and later activities of it are refused. Settled periods stay: `into` gains nothing
   * there, `from` leaves them. Returns the receipt when the merge is done or has failed, or after two seconds. Safe to
   * repeat until it is done. Costs an erasure, and recording everything of `from` once more.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unmergeable`: nothing is recorded of `from`, one
   * of the two is excluded or under review, or another merge is not done that one of them goes by or `from` takes over;
   * `erased`; `unavailable`.
   */
  async merge(given: Merge): Promise<MergeReceipt> {
    const { from, into } = readBody(Merge, given);
    if (from === into) throw faultsError('invalidQuery', [{ path: 'into', message: 'must be another user than from' }]);
    const check = async () => {
      const going = (await this.open()).find((one) => one.from === from || one.from === into);
      if (going && (going.from !== from || going.into !== into))
        throw unmergeable(`The user ${JSON.stringify(going.from)} is being merged into another one.`);
      if (going) return;
      if ((await this.ledgers.main.erasure.among([from, into])).size > 0) throw erasedError();
      await this.assertFree(from, into);
      for (const ledger of this.ledgers.all) if (await ledger.merging.knows(from)) return;
      throw unmergeable(`Nothing is recorded of the user ${JSON.stringify(from)}.`);
    };
    const receipt = await this.askFor(from, (all) => ({ ...all, from, into, merged: {}, erased: {} }), check);
    return { ...receipt, from, into };
  }

  /** The app merges its own records of the account. */
  steps(): readonly string[] {
    return this.erasures.steps().filter((step) => step !== 'directory');
  }

  protected async carryOut(job: OpenJob<MergeReceipt>): Promise<Partial<MergeReceipt>> {
    const { about: from, receipt, steps, note } = job;
    const into = receipt.into ?? '';
    const merged = { facts: 0, received: 0, ended: 0 };
    const isRefused = (await this.ledgers.main.erasure.among([from])).has(from);
    const isBegun = isRefused && 'facts' in receipt.merged;
    // Others may have done something since it was asked for; what has begun goes on.
    if (!isBegun) await this.assertFree(from, into);
    if (!isRefused) await note({ merged });
    const { erased } = await this.erasures.eraseNow(from, steps, async (ledger) => {
      const ends = (field: string, owner: string | null, userId: string) => {
        if (owner !== userId && !doneTo(subjectOfUser(userId)).includes(field)) return false;
        const { book } = this.rules;
        return book.find(book.actionOfField(field))?.rule.ownSubject !== 'count';
      };
      const naming = namingOf(from, receipt.id);
      const { erased: counted, ...taken } = await ledger.merging.merge(from, into, { naming, ends });
      for (const kind of ['facts', 'received', 'ended'] as const) merged[kind] += taken[kind];
      // Listeners hear of it before they delete what they have of `from`; an heir who was erased gets nothing.
      const isTold = ledger === this.ledgers.all.at(-1) && isRefused === isBegun;
      if (isTold && !(await this.ledgers.main.erasure.among([into])).has(into))
        this.events.announce(UserMergedEvent.eventName, new UserMergedEvent(from, into));
      return counted;
    });
    return { ...(steps.includes('ledgers') && { merged }), erased: { ...receipt.erased, ...erased } };
  }

  protected done(): Partial<MergeReceipt> {
    return { from: null, into: null };
  }

  /** @throws ActivityError `unmergeable`: `from` takes over another user, or one of the two is not shown or goes. */
  private async assertFree(from: string, into: string): Promise<void> {
    if ((await this.open()).some((one) => one.into === from))
      throw unmergeable(`Another user is being merged into ${JSON.stringify(from)}: wait for that.`);
    for (const userId of [from, into]) {
      const { excluded } = await this.exclusions.find(userId);
      const review = await this.reviews.openOf(userId);
      if (excluded || review !== null || (await this.isOpen(userId, 'erasures')))
        throw unmergeable(`The user ${JSON.stringify(userId)} is excluded, under review or being erased: end that.`);
    }
  }
}

function unmergeable(message: string): ActivityError {
  return new ActivityError('unmergeable', message);
}
