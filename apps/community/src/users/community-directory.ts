import type { UserDirectory, UserProfile } from '@laurel/activity';
import { Inject, Injectable } from '@nestjs/common';
import { inArray } from 'drizzle-orm';
import { DATABASE, type Database } from '../database/database';
import { users } from '../database/schema';
import { isId } from '../http/id.pipe';
import { avatarUrlOf } from './avatar-url';

/** Tells the ranks who their users are. */
@Injectable()
export class CommunityDirectory implements UserDirectory {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** One query. Ids that cannot be ours (other services record too) are nobody's here. */
  async find(userIds: readonly string[]): Promise<ReadonlyMap<string, UserProfile>> {
    const ours = userIds.filter(isId);
    if (ours.length === 0) return new Map();
    const found = await this.database
      .select({ id: users.id, name: users.name })
      .from(users)
      .where(inArray(users.id, ours));
    return new Map(found.map(({ id, name }) => [id, { name, avatarUrl: avatarUrlOf(id) }]));
  }
}
