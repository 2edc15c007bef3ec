import { METRICS_REGISTRY, REDIS_CLIENT } from '@laurel/activity';
import { addressOf } from '@laurel/activity/http';
import type { RedisClient } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Counter, type Registry } from 'prom-client';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';
import { TryAgainLater } from '../problems/try-again-later';

const addressWindowS = 600;
const nameWindowS = 900;
/** How long a try for a name waits at most, and how many wait at once in this instance. */
const longestWaitS = 5;
const maxWaiting = 32;

/**
 * Bounds registrations and sign-ins of an address, and slows those for a name. Counted in Redis, for all instances
 * together; while Redis is away each instance counts for itself. One command for each count.
 */
@Injectable()
export class SignInThrottle {
  /** Requests that were refused, or slowed, because there were too many. */
  readonly throttled: Counter<'limit'>;
  private readonly byAddress: RateLimiterAbstract | null;
  private readonly byName: RateLimiterAbstract | null;
  private waiting = 0;

  constructor(
    @Inject(COMMUNITY_OPTIONS) { throttle, activity }: CommunityOptions,
    @Inject(REDIS_CLIENT) client: RedisClient,
    @Inject(METRICS_REGISTRY) registry: Registry,
  ) {
    this.throttled = new Counter({
      name: 'laurel_throttled_requests_total',
      help: 'Requests answered 429 for their number, by limit: requests, or signing in from an address; name: slowed.',
      labelNames: ['limit'],
      registers: [registry],
    });
    for (const limit of ['requests', 'address', 'name']) this.throttled.inc({ limit }, 0);
    const limiter = (name: 'address' | 'name', points: number, duration: number) =>
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

  /** Counts a registration or sign-in of an address. @throws TryAgainLater */
  async countAddress(address: string): Promise<void> {
    const refusal = this.byAddress && (await refusalOf(this.byAddress, addressOf({ ip: address })));
    if (!refusal) return;
    this.throttled.inc({ limit: 'address' });
    const waitS = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
    throw new TryAgainLater('Too many tries to sign in from this address: wait.', waitS);
  }

  /**
   * Counts a try for a name before its password is checked, so that tries made at once count too. What comes beyond
   * the bound waits, right or wrong, each a second longer: guessing is slow, and nobody can keep a user out.
   * @param name as the database compares it: one name there must not be two here.
   * @throws TryAgainLater where too many wait already.
   */
  async countName(name: string): Promise<void> {
    const beyond = this.byName && (await refusalOf(this.byName, keyOf(name)));
    if (!beyond) return;
    this.throttled.inc({ limit: 'name' });
    if (this.waiting >= maxWaiting) throw new TryAgainLater('Too many tries to sign in: wait.', longestWaitS);
    this.waiting += 1;
    await delay(Math.min(beyond.consumedPoints - (this.byName?.points ?? 0), longestWaitS) * 1_000);
    this.waiting -= 1;
  }

  /** Takes back the count of a try that was right. */
  async forgiveName(name: string): Promise<void> {
    await this.byName?.reward(keyOf(name), 1);
  }
}

/** Counts once more; where that is beyond the bound, what the limiter says of it. */
async function refusalOf(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
}

/** A name at a fixed length: clients may send anything as a name. */
function keyOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}
