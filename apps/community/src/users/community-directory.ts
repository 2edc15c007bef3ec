import type { UserDirectory, UserProfile } from '@laurel/activity';
import { Inject, Injectable } from '@nestjs/common';
import { eq, inArray, or, sql } from 'drizzle-orm';
import { DATABASE, type Database } from '../database/database';
import { articles, comments, follows, reactions, users } from '../database/schema';
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

  /**
   * Removes a user, his articles with what others made of them, what he made of others', and the events that tell of it,
   * in one transaction.
   */
  async erase(userId: string): Promise<Record<string, number>> {
    const erased = { users: 0, articles: 0, comments: 0, reactions: 0, follows: 0, events: 0 };
    if (!isId(userId)) return erased;
    return this.database.transaction(async (transaction) => {
      // Nothing of his is written meanwhile: what names him waits, and then finds him gone.
      await transaction.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
      const own = transaction.select({ id: articles.id }).from(articles).where(eq(articles.authorId, userId));
      const counted = async (rows: Promise<{ readonly rowCount: number | null }>) => (await rows).rowCount ?? 0;
      const ofHim = or(eq(reactions.userId, userId), inArray(reactions.articleId, own));
      erased.reactions = await counted(transaction.delete(reactions).where(ofHim));
      const byHim = or(eq(comments.authorId, userId), inArray(comments.articleId, own));
      erased.comments = await counted(transaction.delete(comments).where(byHim));
      const about = or(eq(follows.followedId, userId), eq(follows.followerId, userId));
      erased.follows = await counted(transaction.delete(follows).where(about));
      erased.articles = await counted(transaction.delete(articles).where(eq(articles.authorId, userId)));
      erased.users = await counted(transaction.delete(users).where(eq(users.id, userId)));
      // What is being recorded of him is waited for; the rest no relay and no replay will find.
      const { rows } = await transaction.execute<{ events: string }>(sql`SELECT outbox_forget(${userId}) AS events`);
      erased.events = Number(rows[0]?.events);
      return erased;
    });
  }
}
