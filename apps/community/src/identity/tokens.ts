import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { isId } from '../input/id.pipe';

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

interface Claims {
  readonly sub?: unknown;
  readonly exp?: unknown;
}

/** Users' tokens: signed with the app's secret, for a user's id, for a while. */
@Injectable()
export class Tokens {
  constructor(private readonly jwt: JwtService) {}

  /** Issues a token for a user who has signed in. */
  issue(userId: string): IssuedToken {
    const token = this.jwt.sign({ sub: userId });
    const { exp } = this.jwt.decode<{ exp: number }>(token);
    return { token, expiresAt: new Date(exp * 1_000) };
  }

  /** The user that an `Authorization` header names; null if it holds no valid token of this app. */
  identify(authorization: string | undefined): Identity | null {
    // Service keys come in the same header: what has not a token's three parts is none.
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return null;
    try {
      const { sub, exp } = this.jwt.verify<Claims>(token);
      return isId(sub) && exp !== undefined ? { id: sub } : null;
    } catch {
      return null;
    }
  }
}
