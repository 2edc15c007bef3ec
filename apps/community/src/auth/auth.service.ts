import { ConflictException, Inject, Injectable, UnauthorizedException } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { DATABASE, type Database } from '../database/database';
import { breaks } from '../database/database-fault';
import { users } from '../database/schema';
import { SignInThrottle } from '../throttling/sign-in-throttle';
import { summaryOf } from '../users/user-summary';
import type { Credentials, Registration, Session } from './auth.dto';
import { hashPassword, isPassword } from './passwords';
import { Tokens } from './tokens';

/** Registers users and signs them in. */
@Injectable()
export class AuthService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly tokens: Tokens,
    private readonly throttle: SignInThrottle,
  ) {}

  /** @throws ConflictException where another user has the name; TooManyRequests. */
  async register({ name, password }: Registration): Promise<Session> {
    await this.throttle.countName(name);
    const passwordHash = await hashPassword(password);
    try {
      const [user] = await this.database
        .insert(users)
        .values({ name, passwordHash })
        .returning({ id: users.id, name: users.name });
      return this.sessionOf(user as Named);
    } catch (error) {
      if (breaks(error, 'users_name_key')) throw new ConflictException('Another user has this name: choose another.');
      throw error;
    }
  }

  /** @throws UnauthorizedException, the same and after the same time whether the name or the password was wrong; TooManyRequests. */
  async login({ name, password }: Credentials): Promise<Session> {
    await this.throttle.countName(name);
    const [user] = await this.database
      .select({ id: users.id, name: users.name, passwordHash: users.passwordHash })
      .from(users)
      .where(sql`lower(${users.name}) = lower(${withoutNul(name).trim()})`);
    if (!(await isPassword(password, user?.passwordHash)) || !user) {
      throw new UnauthorizedException('The name or the password is wrong.');
    }
    await this.throttle.forgiveName(name);
    return this.sessionOf(user);
  }

  private sessionOf(user: Named): Session {
    const { token, expiresAt } = this.tokens.issue(user.id);
    return { token, expiresAt: expiresAt.toISOString(), user: summaryOf(user) };
  }
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** PostgreSQL takes no NUL in a text; a name with one is nobody's, with or without it. */
function withoutNul(text: string): string {
  return text.includes('\0') ? '' : text;
}
