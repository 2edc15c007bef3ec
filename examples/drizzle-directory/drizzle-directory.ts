import type { ExclusionReason, UserDirectory, UserProfile } from '@laurel/activity';
import { Inject, Injectable } from '@nestjs/common';
import { and, eq, inArray } from 'drizzle-orm';
import { DATABASE, type Database } from './database';
import { users } from './schema';

/** Boards have ids as text. What cannot be one of this table, PostgreSQL would refuse with all others of the query. */
const idsOf = (userIds: readonly string[]) => userIds.filter((id) => /^[1-9]\d{0,8}$/.test(id)).map(Number);

/** What the ranking asks of the app's users; a query a call, whatever the number of users. */
@Injectable()
export class DrizzleDirectory implements UserDirectory {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async find(userIds: readonly string[]): Promise<ReadonlyMap<string, UserProfile>> {
    const found = await this.database
      .select()
      .from(users)
      .where(inArray(users.id, idsOf(userIds)));
    return new Map(found.map(({ id, name, avatarUrl }) => [`${id}`, { name, avatarUrl }]));
  }

  async isExcluded(userIds: readonly string[]): Promise<ReadonlyMap<string, ExclusionReason>> {
    const banned = await this.database
      .select({ id: users.id })
      .from(users)
      .where(and(inArray(users.id, idsOf(userIds)), eq(users.isBanned, true)));
    return new Map(banned.map(({ id }) => [`${id}`, 'banned']));
  }

  async erase(userId: string): Promise<Readonly<Record<string, number>>> {
    const erased = await this.database.delete(users).where(inArray(users.id, idsOf([userId])));
    return { users: erased.rowCount ?? 0 };
  }
}
