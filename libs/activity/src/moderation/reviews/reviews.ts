import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ActivityError } from '../../core/errors/errors';
import { RedisConnection } from '../../core/redis/redis-connection';
import { runInRedis } from '../../core/redis/run-in-redis';
import { AppEvents } from '../../core/recording/app-events';
import { RulesInForce } from '../../core/rules/rules-in-force';
import { PeriodicTasks } from '../../core/periodic/periodic-tasks';
import { finishAbandoned } from '../abandoned';
import { readBody } from '../checks';
import { Exclusions } from '../exclusions/exclusions';
import { PointsVoidedEvent } from '../moderation-events';
import { DecisionOptions, holdable, HoldOptions, type Review, ReviewsQuery, type Voided, VoidOptions } from './review';
import { ReviewRecords } from './review-records';
import { isPartial, Voiding } from './voiding';

/**
 * The review queue. A user's points are held back, off every leaderboard, until an operator releases them or voids
 * those in question; or some of them wait, and the user stays. Each review records by whom, when and why.
 */
@Injectable()
export class Reviews implements OnApplicationBootstrap {
  constructor(
    private readonly connection: RedisConnection,
    private readonly records: ReviewRecords,
    private readonly exclusions: Exclusions,
    private readonly voiding: Voiding,
    private readonly events: AppEvents,
    private readonly tasks: PeriodicTasks,
    private readonly rules: RulesInForce,
  ) {}

  /** Starts to poll for decisions that another process has not finished. */
  onApplicationBootstrap(): void {
    finishAbandoned(this.tasks, 'reviews', {
      unfinished: () => this.records.unfinished(),
      finish: async (id) => this.decide(id, await this.existing(id)),
    });
  }

  /**
   * Holds a user's points back: those they have, and those granted from now on, are counted but not shown. With
   * `action` or `activities`, the points of these alone wait, with what owners got for them. For a user whose points
   * are held already, the review under way is returned unchanged.
   * @throws ActivityError `invalidQuery` with the path of each fault; `erased`; `unavailable`: repeating it is safe.
   */
  async hold(options: HoldOptions): Promise<Review> {
    const { userId, reason, from, action, activities, by } = readBody(HoldOptions, options, holdable(this.rules.book));
    return runInRedis(this.connection, async () => {
      const heldAt = this.exclusions.now();
      const asked: Review = {
        ...{ id: randomUUID(), userId, state: 'held', reason, heldBy: by ?? null, heldAt },
        from: from === undefined ? heldAt : new Date(from).toISOString(),
        ...(action !== undefined && { action }),
        ...(activities && { activities }),
        ...{ decidedBy: null, decidedAt: null, note: null, voided: null },
      };
      const review = await this.records.open(userId, asked, heldAt);
      if (review.state !== 'held') return review;
      const why = { reason: 'held', since: review.heldAt, by: review.heldBy, note: review.reason } as const;
      try {
        // A review that is decided meanwhile excludes nobody.
        if (isPartial(review)) await this.voiding.hold(review);
        else await this.exclusions.set(userId, 'review', why, this.records.whileSame(review));
      } catch (error) {
        if (error instanceof ActivityError && error.code === 'erased') await this.records.erase(userId);
        throw error;
      }
      return (await this.records.find(review.id)) ?? review;
    });
  }

  /** The user's reviews, as `UserRecords` have them. */
  async *told(userId: string, isOwn: boolean): AsyncGenerator<object, void> {
    for await (const review of this.records.each()) {
      const { id, state, heldAt, from, decidedAt, voided } = review;
      if (review.userId === userId) yield isOwn ? { id, state, heldAt, from, decidedAt, voided } : review;
    }
  }

  /**
   * Gives the points back: the user shows again, or what waits counts again. Safe to repeat.
   * @throws ActivityError `unknownReview`; `reviewDecided` where they were voided; `invalidQuery`, `unavailable`.
   */
  async release(id: string, options: DecisionOptions = {}): Promise<Review> {
    const { by: decidedBy = null, note = null } = readBody(DecisionOptions, options);
    return this.decide(id, { state: 'released', decidedBy, note });
  }

  /**
   * Takes for good the points that the user was granted from the review's `from` on, or those that wait, and gives the
   * others back. What their activities gave to owners is taken from these, unless `keepsGifts` is true. Safe to repeat;
   * any instance finishes an interrupted void.
   * @throws ActivityError `unknownReview`; `reviewDecided` where they were released; `invalidQuery`, `unavailable`.
   */
  async void(id: string, options: VoidOptions = {}): Promise<Review> {
    const { by: decidedBy = null, note = null, keepsGifts = false } = readBody(VoidOptions, options);
    return this.decide(id, { state: 'voided', decidedBy, note, keepsGifts });
  }

  /** One review. @throws ActivityError `unknownReview`, `unavailable` */
  find(id: string): Promise<Review> {
    return this.connection.read(() => this.existing(id));
  }

  /**
   * The reviews in a state (default `held`): held ones the oldest first, decided ones the latest first.
   * @throws ActivityError `invalidQuery`, `unavailable`
   */
  async list(query: ReviewsQuery = {}): Promise<readonly Review[]> {
    const { state = 'held', offset = 0, limit = 100 } = readBody(ReviewsQuery, query);
    return this.connection.read(() => this.records.page(state, offset, limit));
  }

  private async decide(id: string, decision: Pick<Review, 'state' | 'decidedBy' | 'note' | 'keepsGifts'>) {
    return runInRedis(this.connection, async () => {
      const decided = { ...decision, decidedAt: this.exclusions.now() };
      // Of several decisions at once the first one counts.
      const decide = (known: Review) => (known.state === 'held' ? { ...known, ...decided } : known);
      const inForce = (await this.records.change(id, decide)) ?? (await this.existing(id));
      if (inForce.state !== decision.state) {
        throw new ActivityError('reviewDecided', `The review was decided before: its points are ${inForce.state}.`);
      }
      const { userId, from } = inForce;
      if ((await this.records.openOf(userId)) !== id) return this.existing(id);
      const done = inForce.state === 'voided' ? await this.take(inForce) : inForce;
      // Another call may have closed the review, and the user may be held anew.
      if (isPartial(done)) await this.voiding.release(done);
      else await this.exclusions.set(userId, 'review', null, this.records.whileOpen(userId, id));
      const isClosed = await this.records.close(done);
      if (isClosed && done.voided)
        this.events.announce(PointsVoidedEvent.eventName, new PointsVoidedEvent(userId, id, from, done.voided));
      return done;
    });
  }

  private async take(review: Review): Promise<Review> {
    const { id } = review;
    // Of several calls at once, and of a call after an interruption, the highest counts are kept: the others find less.
    await this.voiding.run(review, (voided) =>
      this.records.change(id, (known) => ({ ...known, voided: merged(known.voided, voided) })),
    );
    // An owner who was erased meanwhile is not named by what was noted since.
    for (const owner of await this.voiding.erasedAmong(await this.existing(id))) {
      await this.records.eraseOwner(id, owner);
    }
    return this.existing(id);
  }

  private async existing(id: string): Promise<Review> {
    const review = await this.records.find(id);
    if (review) return review;
    throw new ActivityError('unknownReview', 'There is no review of this id.');
  }
}

/** The highest counts, and all removed standings. */
function merged(known: Voided | null, { grants = 0, points = 0, removedFrom = [], gifts }: Partial<Voided>): Voided {
  const counted = known && known.grants >= grants ? known : { grants, points };
  const given = known?.gifts && known.gifts.grants >= (gifts?.grants ?? 0) ? known.gifts : gifts;
  return {
    grants: counted.grants,
    points: counted.points,
    removedFrom: [...new Set([...(known?.removedFrom ?? []), ...removedFrom])],
    ...(given && { gifts: given }),
  };
}
