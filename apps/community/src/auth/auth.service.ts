import { ConflictException, Inject, Injectable, UnauthorizedException } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { DATABASE, type Database } from '../database/database';
import { breaks } from '../database/database-fault';
import { users } from '../database/schema';
import { SignInThrottle } from '../throttling/sign-in-throttle';
import { shownName } from '../profiles/shown-name';
import { type Named, summaryOf } from '../profiles/user-summary';
import type { Credentials, Registration } from './auth.dto';
import type { Session } from './auth.responses';
import { Passwords } from './passwords';
import { Tokens } from '../identity/tokens';

/** Registers users and signs them in. */
@Injectable()
export class AuthService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly tokens: Tokens,
    private readonly throttle: SignInThrottle,
  ) {}

  /** @throws ConflictException where another user has the name, or one that looks the same; TryAgainLater. */
  async register({ name, password }: Registration): Promise<Session> {
    const { compared } = await this.find(name);
    await this.throttle.countName(compared);
    const passwordHash = await this.passwords.hash(password);
    try {
      const [user] = await this.database
        .insert(users)
        .values({ name, look: sql`name_look(${name})`, passwordHash })
        .returning({ id: users.id, name: users.name });
      return this.sessionOf(user as Named);
    } catch (error) {
      if (breaks(error, 'users_name_key')) throw new ConflictException('Another user has this name: choose another.');
      if (breaks(error, 'users_look_key')) {
        throw new ConflictException('Another user has a name that looks the same: choose another.');
      }
      throw error;
    }
  }

  /**
   * A wrong name takes as long as a wrong password.
   * @throws UnauthorizedException, whichever of them was wrong; TryAgainLater.
   */
  async login({ name, password }: Credentials): Promise<Session> {
    const { compared, user } = await this.find(name);
    await this.throttle.countName(compared);
    const isRight = await this.passwords.matches(password, user?.passwordHash).catch(async (error: unknown) => {
      // A try of which nobody can say whether it was right is none.
      await this.throttle.forgiveName(compared);
      throw error;
    });
    if (!isRight || !user) throw new UnauthorizedException('The name or the password is wrong.');
    await this.throttle.forgiveName(compared);
    return this.sessionOf(user);
  }

  /** The user with a name, if any, and the name as the database compares it: tries count by it. One query. */
  private async find(name: string): Promise<{ readonly compared: string; readonly user: Found | null }> {
    // PostgreSQL takes no NUL in a text; a name with one is nobody's.
    const typed = name.includes('\0') ? '' : shownName(name.trim());
    const [found] = await this.database
      .select({ compared: sql<string>`typed.name`, user: users })
      .from(sql`(SELECT lower(${typed}::text) AS name) typed`)
      .leftJoin(users, sql`lower(${users.name}) = typed.name`);
    return { compared: found?.compared ?? '', user: found?.user ?? null };
  }

  private sessionOf(user: Named): Session {
    const { token, expiresAt } = this.tokens.issue(user.id);
    return { token, expiresAt: expiresAt.toISOString(), user: summaryOf(user) };
  }
}

interface Found extends Named {
  readonly passwordHash: string;
}
