import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { identifierFault, maxUserIdBytes } from '../../activity/identifier';
import { RedisConnection } from '../../redis/redis-connection';
import { runInRedis } from '../../redis/run-in-redis';
import { ActivityError, faultsError, type Fault } from '../../errors/errors';
import { maxNoteBytes, maxOperatorBytes } from '../exclusions/exclusion';
import { Exclusions } from '../exclusions/exclusions';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../options/settings';
import { PointsInQuestion } from './points-in-question';
import {
  reviewStates,
  type DecisionOptions,
  type HoldOptions,
  type Review,
  type ReviewState,
  type Voided,
} from './review';
import { ReviewRecords } from './review-records';

/**
 * The review queue: a user's points are held back, off every leaderboard, until an operator releases them or voids those
 * in question. Who, when and why are kept.
 */
@Injectable()
export class Reviews {
  private readonly records: ReviewRecords;

  constructor(
    private readonly connection: RedisConnection,
    private readonly exclusions: Exclusions,
    private readonly points: PointsInQuestion,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.records = new ReviewRecords(connection.client, settings.prefix);
  }

  /**
   * Holds a user's points back: what he has and what he is given from now on is counted, and shows nowhere. Of one who is
   * held already the review under way is given, as it is.
   * @throws ActivityError `invalidQuery` with the path of each fault; `erased`; `unavailable`: repeating it is safe.
   */
  async hold(options: HoldOptions): Promise<Review> {
    checkHold(options);
    const { userId, reason, by = null } = options;
    return runInRedis(this.connection, async () => {
      const heldAt = this.exclusions.now();
      const from = options.from === undefined ? heldAt : new Date(options.from).toISOString();
      const undecided = { decidedBy: null, decidedAt: null, note: null, voided: null };
      const held = { userId, state: 'held', reason, heldBy: by, heldAt, from, ...undecided } as const;
      const review = await this.records.open({ id: randomUUID(), ...held });
      if (review.state !== 'held') return review;
      const since = { source: 'review', since: review.heldAt, by: review.heldBy, note: review.reason } as const;
      // It may be decided meanwhile, and then keeps nobody off.
      try {
        await this.exclusions.say({ userId, reason: 'held', ...since }, this.records.whileSame(review));
      } catch (error) {
        if (error instanceof ActivityError && error.code === 'erased') await this.records.forget(userId);
        throw error;
      }
      return (await this.records.find(review.id)) ?? review;
    });
  }

  /**
   * Gives the points back: the user stands where he would stand. Safe to repeat.
   * @throws ActivityError `unknownReview`; `reviewDecided` where they were voided; `invalidQuery`, `unavailable`.
   */
  async release(id: string, options: DecisionOptions = {}): Promise<Review> {
    return this.decide(id, 'released', options, (review) => Promise.resolve(review));
  }

  /**
   * Takes the points for good that stand of what the user was given from the review's `from` on, and gives back the
   * others. Safe to repeat, also where it was cut short.
   * @throws ActivityError `unknownReview`; `reviewDecided` where they were released; `invalidQuery`, `unavailable`.
   */
  async void(id: string, options: DecisionOptions = {}): Promise<Review> {
    return this.decide(id, 'voided', options, async ({ userId, from, voided }) => {
      const fromMs = Date.parse(from);
      // Noted before anything is taken: of several at it, or where it was cut short, the last finds nothing left to count.
      if (!voided) await this.note(id, await this.points.count(userId, fromMs));
      const taken = await this.points.take(userId, fromMs, (standing) => this.note(id, { removedFrom: [standing] }));
      return this.note(id, taken);
    });
  }

  /** One review. @throws ActivityError `unknownReview`, `unavailable` */
  find(id: string): Promise<Review> {
    return this.connection.read(() => this.found(id));
  }

  /**
   * The reviews in a state (default `held`): those held in the order in which they came, others the latest first.
   * @throws ActivityError `invalidQuery`, `unavailable`
   */
  async list(
    query: { readonly state?: ReviewState; readonly offset?: number; readonly limit?: number } = {},
  ): Promise<readonly Review[]> {
    const { state = 'held', offset = 0, limit = 100 } = query;
    const faults: Fault[] = [];
    if (!reviewStates.includes(state))
      faults.push({ path: 'state', message: `must be one of ${reviewStates.join(', ')}` });
    if (!Number.isInteger(offset) || offset < 0)
      faults.push({ path: 'offset', message: 'must be a whole number from 0' });
    if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) {
      faults.push({ path: 'limit', message: 'must be a whole number from 1 to 1000' });
    }
    if (faults.length > 0) throw faultsError('invalidQuery', faults);
    return this.connection.read(() => this.records.page(state, offset, limit));
  }

  /** Drops all that is known of a user's reviews; says of how many. */
  forget(userId: string): Promise<number> {
    return this.records.forget(userId);
  }

  private async decide(
    id: string,
    state: Exclude<ReviewState, 'held'>,
    options: DecisionOptions,
    work: (decided: Review) => Promise<Review>,
  ): Promise<Review> {
    const faults = decisionFaults(options);
    if (faults.length > 0) throw faultsError('invalidQuery', faults);
    const { by = null, note = null } = options;
    return runInRedis(this.connection, async () => {
      const review = await this.found(id);
      if (review.state === 'held') {
        await this.records.replace(review, { ...review, state, decidedBy: by, decidedAt: this.exclusions.now(), note });
      }
      // Of several who decide at once the first did.
      const decided = await this.found(id);
      if (decided.state !== state) {
        throw new ActivityError('reviewDecided', `The review was decided before: its points are ${decided.state}.`);
      }
      const isOpen = (await this.records.openOf(decided.userId)) === id;
      if (!isOpen) return this.found(id);
      const done = await work(decided);
      // Another may have ended it, and he may be held anew.
      await this.exclusions.unsay('review', done.userId, this.records.whileOpen(done));
      await this.records.close(done);
      return done;
    });
  }

  /** Notes what was taken beside what is known of it. */
  private async note(id: string, taken: Partial<Voided>): Promise<Review> {
    const noted = await this.records.change(id, (review) => ({ ...review, voided: joined(review.voided, taken) }));
    return noted ?? this.found(id);
  }

  private async found(id: string): Promise<Review> {
    const review = await this.records.find(id);
    if (review) return review;
    throw new ActivityError('unknownReview', 'There is no review of this id.');
  }
}

/** Of several who count the same the one who found the most is right; each standing is told by who took him off it. */
function joined(known: Voided | null, { grants = 0, points = 0, removedFrom = [] }: Partial<Voided>): Voided {
  const counted = known && known.grants >= grants ? known : { grants, points };
  return {
    grants: counted.grants,
    points: counted.points,
    removedFrom: [...new Set([...(known?.removedFrom ?? []), ...removedFrom])],
  };
}

function checkHold({ userId, reason, from, by }: HoldOptions): void {
  const faults = decisionFaults(by === undefined ? {} : { by });
  for (const [path, text, max] of [
    ['userId', userId, maxUserIdBytes],
    ['reason', reason, maxNoteBytes],
  ] as const) {
    const message = identifierFault(text, max);
    if (message !== null) faults.push({ path, message });
  }
  if (from !== undefined && !Number.isFinite(Date.parse(from))) {
    faults.push({ path: 'from', message: 'must be a moment such as 2026-11-20T08:12:01.123Z' });
  }
  if (faults.length > 0) throw faultsError('invalidQuery', faults);
}

function decisionFaults({ by, note }: DecisionOptions): Fault[] {
  return (
    [
      ['by', by, maxOperatorBytes],
      ['note', note, maxNoteBytes],
    ] as const
  ).flatMap(([path, text, max]) => {
    const message = text === undefined ? null : identifierFault(text, max);
    return message === null ? [] : [{ path, message }];
  });
}
