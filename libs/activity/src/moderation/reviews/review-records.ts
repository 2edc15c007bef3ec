import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import type { ExclusionCondition } from '../exclusions/exclusion-records';
import type { Review, ReviewState } from './review';
import { scripts } from '../../scripts/scripts.generated';

/** The keys of the review queue, all in one slot. */
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

/** The review queue in Redis. */
export class ReviewRecords {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  /** Stores a new review and queues it in one step; if the user has an open one, returns that. */
  async open(review: Review): Promise<Review> {
    const { reviews: records, open, inState } = reviewKeys;
    const keys = { open: open(this.prefix), records: records(this.prefix), listed: inState(this.prefix, 'held') };
    const { userId: owner, id, heldAt } = review;
    const args = { owner, id, record: JSON.stringify(review), score: Date.parse(heldAt) };
    return JSON.parse(String(await runScript(this.redis, scripts.openRecord, keys, args))) as Review;
  }

  /** The id of the user's open review. */
  openOf(userId: string): Promise<string | null> {
    return this.redis.hget(reviewKeys.open(this.prefix), userId);
  }

  /** The reviews that were decided, of which not everything is done yet. Two round trips. */
  async unfinished(): Promise<Review[]> {
    const ids = await this.redis.hvals(reviewKeys.open(this.prefix));
    if (ids.length === 0) return [];
    const texts = await this.redis.hmget(reviewKeys.reviews(this.prefix), ...ids);
    const open = texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Review]));
    return open.filter(({ state }) => state !== 'held');
  }

  async find(id: string): Promise<Review | null> {
    const text = await this.redis.hget(reviewKeys.reviews(this.prefix), id);
    return text === null ? null : (JSON.parse(text) as Review);
  }

  /** Holds as long as the review is unchanged. */
  whileSame(review: Review): ExclusionCondition {
    return { key: reviewKeys.reviews(this.prefix), field: review.id, expected: JSON.stringify(review) };
  }

  /** Holds until the review is closed. */
  whileOpen({ id, userId }: Review): ExclusionCondition {
    return { key: reviewKeys.open(this.prefix), field: userId, expected: id };
  }

  /** Replaces a review unless it has changed; returns whether it did. */
  async replace(before: Review, after: Review): Promise<boolean> {
    const hash = reviewKeys.reviews(this.prefix);
    const args = { field: before.id, expected: JSON.stringify(before), value: JSON.stringify(after) };
    return (await runScript(this.redis, scripts.replaceField, { hash }, args)) === 1;
  }

  /** Changes a review, again and again while others change it too; null where it is gone. Two round trips. */
  async change(id: string, change: (review: Review) => Review): Promise<Review | null> {
    for (;;) {
      const before = await this.find(id);
      if (!before) return null;
      const after = change(before);
      if (await this.replace(before, after)) return after;
    }
  }

  /** Closes a decided review; false: another call has. Three round trips. */
  async close({ id, userId, state, decidedAt }: Review): Promise<boolean> {
    await this.redis.zadd(reviewKeys.inState(this.prefix, state), Date.parse(decidedAt ?? ''), id);
    await this.redis.zrem(reviewKeys.inState(this.prefix, 'held'), id);
    const hash = reviewKeys.open(this.prefix);
    return (
      (await runScript(this.redis, scripts.replaceField, { hash }, { field: userId, expected: id, value: '' })) === 1
    );
  }

  /** The reviews in a state: held ones the oldest first, decided ones the latest first. Two round trips. */
  async page(state: ReviewState, offset: number, limit: number): Promise<Review[]> {
    const key = reviewKeys.inState(this.prefix, state);
    const [first, last] = [String(offset), String(offset + limit - 1)];
    const ids =
      state === 'held' ? await this.redis.zrange(key, first, last) : await this.redis.zrange(key, first, last, 'REV');
    if (ids.length === 0) return [];
    const texts = await this.redis.hmget(reviewKeys.reviews(this.prefix), ...ids);
    return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Review]));
  }

  /** Takes an owner's name out of what a review took. Two round trips. */
  async eraseOwner(id: string, userId: string): Promise<void> {
    await this.change(id, (review) => withoutOwner(review, userId));
  }

  /** Every review there is, in no order. A round trip for each 500. */
  async *all(): AsyncGenerator<Review, void> {
    let cursor = '0';
    do {
      const [next, flat] = await this.redis.hscan(reviewKeys.reviews(this.prefix), cursor, 'COUNT', 500);
      cursor = next;
      for (let i = 1; i < flat.length; i += 2) yield JSON.parse(flat[i] as string) as Review;
    } while (cursor !== '0');
  }

  /**
   * Removes all reviews of a user, open or closed, and their name from others; returns how many reviews were theirs.
   * Reads every review there is.
   */
  async erase(userId: string): Promise<number> {
    let erased = 0;
    for await (const review of this.all()) {
      if (review.userId !== userId) {
        if (withoutOwner(review, userId) !== review) await this.eraseOwner(review.id, userId);
        continue;
      }
      for (const state of ['held', 'released', 'voided'] as const) {
        await this.redis.zrem(reviewKeys.inState(this.prefix, state), review.id);
      }
      erased += await this.redis.hdel(reviewKeys.reviews(this.prefix), review.id);
    }
    await this.redis.hdel(reviewKeys.open(this.prefix), userId);
    return erased;
  }
}

/** The same review where it does not name the owner. What was taken from them still counts. */
function withoutOwner(review: Review, userId: string): Review {
  const { voided } = review;
  const losses = voided?.gifts?.losses.filter((loss) => loss.userId !== userId);
  if (!voided?.gifts || !losses || losses.length === voided.gifts.losses.length) return review;
  return { ...review, voided: { ...voided, gifts: { ...voided.gifts, losses } } };
}
