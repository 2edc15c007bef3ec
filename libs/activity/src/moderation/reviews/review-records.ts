import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import type { ExclusionCondition } from '../exclusions/exclusion-records';
import type { Review, ReviewState } from './review';
import { scripts } from '../../scripts/scripts.generated';

/** Every key of the review queue: one slot. */
const reviewKeys = {
  /**
   * Every review.
   * @redis hash: id -> review
   * @expires never
   */
  reviews: (prefix: string): string => `{${prefix}}:reviews`,
  /**
   * The open review of each user.
   * @redis hash: user -> id
   * @expires never
   */
  open: (prefix: string): string => `{${prefix}}:reviews:open`,
  /**
   * The reviews in one state: `held`, `released` or `voided`.
   * @redis sorted set: ids by the moment of that decision
   * @expires never
   */
  inState: (prefix: string, state: ReviewState): string => `{${prefix}}:reviews:${state}`,
};

/** The review queue as Redis keeps it. */
export class ReviewRecords {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  /** Keeps a new review and puts it into the queue, at once; where the user has one that is not done with, gives that. */
  async open(review: Review): Promise<Review> {
    const { reviews: records, open, inState } = reviewKeys;
    const keys = { open: open(this.prefix), records: records(this.prefix), listed: inState(this.prefix, 'held') };
    const { userId: owner, id, heldAt } = review;
    const args = { owner, id, record: JSON.stringify(review), score: Date.parse(heldAt) };
    return JSON.parse(String(await runScript(this.redis, scripts.openRecord, keys, args))) as Review;
  }

  /** The user's review that is not done with. */
  openOf(userId: string): Promise<string | null> {
    return this.redis.hget(reviewKeys.open(this.prefix), userId);
  }

  async find(id: string): Promise<Review | null> {
    const text = await this.redis.hget(reviewKeys.reviews(this.prefix), id);
    return text === null ? null : (JSON.parse(text) as Review);
  }

  /** What is so as long as the review is what it was when it was read. */
  whileSame(review: Review): ExclusionCondition {
    return { key: reviewKeys.reviews(this.prefix), field: review.id, expected: JSON.stringify(review) };
  }

  /** What is so until the review is done with. */
  whileOpen({ id, userId }: Review): ExclusionCondition {
    return { key: reviewKeys.open(this.prefix), field: userId, expected: id };
  }

  /** Replaces a review, if it is still what it was; false where it is not. */
  async replace(before: Review, after: Review): Promise<boolean> {
    const hash = reviewKeys.reviews(this.prefix);
    const args = { field: before.id, expected: JSON.stringify(before), value: JSON.stringify(after) };
    return (await runScript(this.redis, scripts.replaceField, { hash }, args)) === 1;
  }

  /** Changes a review, whatever others do with it meanwhile; null where it is gone. Two round trips. */
  async change(id: string, change: (review: Review) => Review): Promise<Review | null> {
    for (;;) {
      const before = await this.find(id);
      if (!before) return null;
      const after = change(before);
      if (await this.replace(before, after)) return after;
    }
  }

  /** Says that a review that was decided is done with. */
  async close({ id, userId, state, decidedAt }: Review): Promise<void> {
    await this.redis.zadd(reviewKeys.inState(this.prefix, state), Date.parse(decidedAt ?? ''), id);
    await this.redis.zrem(reviewKeys.inState(this.prefix, 'held'), id);
    const hash = reviewKeys.open(this.prefix);
    await runScript(this.redis, scripts.replaceField, { hash }, { field: userId, expected: id, value: '' });
  }

  /** Those in a state: held ones in the order in which they came, others the latest first. Two round trips. */
  async page(state: ReviewState, offset: number, limit: number): Promise<Review[]> {
    const key = reviewKeys.inState(this.prefix, state);
    const [first, last] = [String(offset), String(offset + limit - 1)];
    const ids =
      state === 'held' ? await this.redis.zrange(key, first, last) : await this.redis.zrange(key, first, last, 'REV');
    if (ids.length === 0) return [];
    const texts = await this.redis.hmget(reviewKeys.reviews(this.prefix), ...ids);
    return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Review]));
  }

  /** Drops all reviews of a user, done with or not; says how many. Looks at every review there is. */
  async forget(userId: string): Promise<number> {
    const key = reviewKeys.reviews(this.prefix);
    let cursor = '0';
    let forgotten = 0;
    do {
      const [next, flat] = await this.redis.hscan(key, cursor, 'COUNT', 500);
      cursor = next;
      for (let i = 0; i < flat.length; i += 2) {
        const review = JSON.parse(flat[i + 1] ?? '{}') as Review;
        if (review.userId !== userId) continue;
        for (const state of ['held', 'released', 'voided'] as const) {
          await this.redis.zrem(reviewKeys.inState(this.prefix, state), review.id);
        }
        forgotten += await this.redis.hdel(key, review.id);
      }
    } while (cursor !== '0');
    await this.redis.hdel(reviewKeys.open(this.prefix), userId);
    return forgotten;
  }
}
