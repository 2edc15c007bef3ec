import { REDIS_CLIENT } from '@laurel/activity';
import { addressOf } from '@laurel/activity/http';
import type { RedisClient } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';
import { ThrottleMetrics, type ThrottleName } from './throttle-metrics';
import { TooManyRequests } from './too-many-requests';

const addressWindowS = 600;
const nameWindowS = 900;

/**
 * Bounds registrations and sign-ins, of an address and for a name. Counted in Redis, for all instances together; while
 * Redis is away each instance counts for itself. One command for each count.
 */
@Injectable()
export class SignInThrottle {
  private readonly byAddress: RateLimiterAbstract | null;
  private readonly byName: RateLimiterAbstract | null;

  constructor(
    @Inject(COMMUNITY_OPTIONS) { throttle, activity }: CommunityOptions,
    @Inject(REDIS_CLIENT) client: RedisClient,
    private readonly metrics: ThrottleMetrics,
  ) {
    const limiter = (name: ThrottleName, points: number, duration: number) =>
      new RateLimiterRedis({
        storeClient: client,
        /**
         * Registrations and sign-ins of an address, or tries for a name: the address or the name's digest follows after
         * a colon.
         * @redis string: a number
         * @expires 10 or 15 minutes after the first
         */
        keyPrefix: `${activity.prefix ?? 'lr'}:throttle:${name}`,
        points,
        duration,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory({ points, duration }),
      });
    this.byAddress = throttle ? limiter('address', throttle.signInsPerAddress, addressWindowS) : null;
    this.byName = throttle ? limiter('name', throttle.triesPerName, nameWindowS) : null;
  }

  /** Counts a registration or sign-in of an address. @throws TooManyRequests */
  async countAddress(address: string): Promise<void> {
    if (this.byAddress) await this.consume(this.byAddress, 'address', addressOf({ ip: address }));
  }

  /**
   * Counts a try for a name before its password is checked, so that tries made at once count too.
   * @param name as the database compares it: one name there must not be two here.
   * @throws TooManyRequests
   */
  async countName(name: string): Promise<void> {
    if (this.byName) await this.consume(this.byName, 'name', keyOf(name));
  }

  /** Takes back the count of a try that was right. */
  async forgiveName(name: string): Promise<void> {
    await this.byName?.reward(keyOf(name), 1);
  }

  private async consume(limiter: RateLimiterAbstract, limit: 'address' | 'name', key: string): Promise<void> {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      this.metrics.count(limit);
      const who = limit === 'address' ? 'from this address' : 'for this name';
      throw new TooManyRequests(
        `Too many tries to sign in ${who}: wait.`,
        Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)),
      );
    }
  }
}

/** A name at a fixed length: clients may send anything as a name. */
function keyOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}
