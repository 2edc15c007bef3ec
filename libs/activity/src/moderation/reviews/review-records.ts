import { Inject, Injectable } from '@nestjs/common';
import { subjectOfUser } from '../../core/activity/activity';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { RedisConnection } from '../../core/redis/redis-connection';
import { OwnedRecords, putWhile } from '../owned-records';
import { type Review, type ReviewState, reviewStates } from './review';

/** The keys of the review queue, all in one slot. */
const keysOf = (prefix: string) => ({
  /**
   * Every review.
   * @redis hash: id -> review
   * @expires never
   */
  records: `{${prefix}}:reviews`,
  /**
   * The open review of each user.
   * @redis hash: user -> id
   * @expires never
   */
  open: `{${prefix}}:reviews:open`,
  /**
   * The reviews in one state: `held`, `released` or `voided`.
   * @redis sorted set: ids by the moment of that decision
   * @expires never
   */
  inState: (state: ReviewState) => `{${prefix}}:reviews:${state}`,
});

type ReviewKeys = ReturnType<typeof keysOf> & { readonly listed: string };

/** The review queue in Redis. */
@Injectable()
export class ReviewRecords extends OwnedRecords<Review, ReviewKeys> {
  constructor({ client }: RedisConnection, @Inject(ACTIVITY_SETTINGS) { prefix }: ActivitySettings) {
    const keys = keysOf(prefix);
    super(client, { ...keys, listed: keys.inState('held') });
  }

  /** The ids of reviews that were decided, of which not everything is done yet. Two round trips. */
  async unfinished(): Promise<string[]> {
    const open = await this.all(await this.redis.hvals(this.keys.open));
    return open.filter(({ state }) => state !== 'held').map(({ id }) => id);
  }

  /** Changes a review, again and again while others change it too; null where it is gone. Two round trips. */
  async change(id: string, change: (review: Review) => Review): Promise<Review | null> {
    for (;;) {
      const before = await this.find(id);
      if (!before) return null;
      const after = change(before);
      if (await this.put(after, this.whileSame(before))) return after;
    }
  }

  /** Closes a decided review; false: another call has. Three round trips. */
  async close({ id, userId, state, decidedAt }: Review): Promise<boolean> {
    const { open, inState } = this.keys;
    await this.redis.zadd(inState(state), Date.parse(decidedAt ?? ''), id);
    await this.redis.zrem(inState('held'), id);
    return putWhile(this.redis, this.whileOpen(userId, id), { key: open, field: userId, value: '' });
  }

  /** The reviews in a state: held ones the oldest first, decided ones the latest first. Two round trips. */
  async page(state: ReviewState, offset: number, limit: number): Promise<Review[]> {
    const key = this.keys.inState(state);
    const [first, last] = [String(offset), String(offset + limit - 1)];
    return this.all(
      await (state === 'held' ? this.redis.zrange(key, first, last) : this.redis.zrange(key, first, last, 'REV')),
    );
  }

  /** Every review there is, in no order. A round trip for each 500. */
  async *each(): AsyncGenerator<Review, void> {
    let cursor = '0';
    do {
      const [next, flat] = await this.redis.hscan(this.keys.records, cursor, 'COUNT', 500);
      cursor = next;
      for (let i = 1; i < flat.length; i += 2) yield JSON.parse(flat[i] as string) as Review;
    } while (cursor !== '0');
  }

  /**
   * Removes all reviews of a user, open or closed, and their name from others; returns how many reviews were theirs.
   * Reads every review there is.
   */
  async erase(userId: string): Promise<number> {
    const { records, open, inState } = this.keys;
    let erased = 0;
    for await (const review of this.each()) {
      if (review.userId !== userId) {
        if (withoutOwner(review, userId) !== review) await this.eraseOwner(review.id, userId);
        continue;
      }
      for (const state of reviewStates) await this.redis.zrem(inState(state), review.id);
      erased += await this.redis.hdel(records, review.id);
    }
    await this.redis.hdel(open, userId);
    return erased;
  }

  /** Takes an owner's name out of what a review took. Two round trips. */
  async eraseOwner(id: string, userId: string): Promise<void> {
    await this.change(id, (review) => withoutOwner(review, userId));
  }
}

/** The same review where it does not name the owner. What was taken from them still counts, or waits. */
function withoutOwner(review: Review, userId: string): Review {
  const { voided, activities } = review;
  const losses = voided?.gifts?.losses.filter((loss) => loss.userId !== userId);
  const left = activities?.filter(({ subject }) => subject !== subjectOfUser(userId));
  if (losses?.length === voided?.gifts?.losses.length && left?.length === activities?.length) return review;
  const gifts = voided?.gifts && losses && { voided: { ...voided, gifts: { ...voided.gifts, losses } } };
  return { ...review, ...gifts, ...(left && { activities: left }) };
}
