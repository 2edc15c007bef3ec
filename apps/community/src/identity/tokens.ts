import { ActivityError, REDIS_CLIENT } from '@laurel/activity';
import type { RedisClient } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { createHash, randomUUID } from 'node:crypto';
import { isId } from '../input/id.pipe';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';

/** How long a user stays signed in. */
export const tokenLifeS = 12 * 3_600;

/** As a request names its user: what `request.user` is. */
export interface Identity {
  readonly id: string;
}

/** A token, and the moment from which on it is worth nothing. */
export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Users' tokens: signed with the app's secret, for a user's id, for a while. */
@Injectable()
export class Tokens {
  constructor(
    private readonly jwt: JwtService,
    @Inject(REDIS_CLIENT) private readonly redis: RedisClient,
    @Inject(COMMUNITY_OPTIONS) private readonly options: Pick<CommunityOptions, 'activity'>,
  ) {}

  /** Issues a token for a user who has signed in, as no other is: it may be ended alone. */
  issue(userId: string): IssuedToken {
    const token = this.jwt.sign({ sub: userId, jti: randomUUID() });
    const { exp } = this.jwt.decode<{ exp: number }>(token);
    return { token, expiresAt: new Date(exp * 1_000) };
  }

  /** The user that an `Authorization` header names; null if it holds no valid token of this app. */
  identify(authorization: string): Identity | null {
    // Service keys come in the same header: what has not a token's three parts is none.
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i.exec(authorization)?.[1];
    if (token === undefined) return null;
    try {
      const { sub } = this.jwt.verify<{ sub?: unknown }>(token);
      return isId(sub) ? { id: sub } : null;
    } catch {
      return null;
    }
  }

  /** Ends the token of an `Authorization` header, on every instance. @throws ActivityError `unavailable` */
  async end(authorization: string): Promise<void> {
    await this.redis.set(this.endedKey(authorization), '', 'EX', tokenLifeS).catch(() => {
      throw new ActivityError('unavailable', 'Redis is away: try again in a moment.');
    });
  }

  /** Whether it was ended. One round trip; while Redis is away none, and tokens go on until they expire. */
  async hasEnded(authorization: string): Promise<boolean> {
    if (this.redis.status !== 'ready') return false;
    return (await this.redis.exists(this.endedKey(authorization)).catch(() => 0)) === 1;
  }

  /**
   * Ended by its user: a token, by its digest.
   * @redis string: empty
   * @expires 12 hours after
   */
  private endedKey(authorization: string): string {
    const token = authorization.trim().split(' ').at(-1) ?? '';
    const digest = createHash('sha256').update(token).digest('base64url');
    return `${this.options.activity.prefix ?? 'lr'}:ended:${digest}`;
  }
}
