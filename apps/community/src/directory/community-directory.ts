import type { UserDirectory, UserProfile } from '@laurel/activity';
import { Inject, Injectable } from '@nestjs/common';
import { eq, inArray, or, sql } from 'drizzle-orm';
import { DATABASE, type Database, type Transaction } from '../database/database';
import { articles, comments, follows, reactions, users } from '../database/schema';
import { isId } from '../input/id.pipe';
import { avatarUrlOf } from '../profiles/user-summary';

/** The erasure of a user who does not exist. */
const nothing = { users: 0, articles: 0, comments: 0, reactions: 0, follows: 0, events: 0 };

/** Looks up users for the ranks, and erases them. */
@Injectable()
export class CommunityDirectory implements UserDirectory {
  /** Prepared: every standing is shown with a name, and building the query would cost more than running it. */
  private readonly profiles;

  constructor(@Inject(DATABASE) private readonly database: Database) {
    this.profiles = database
      .select({ id: users.id, name: users.name, text: users.text })
      .from(users)
      .where(sql`${users.id} = ANY(${sql.placeholder('ids')})`)
      .prepare('profiles');
  }

  /** One query. Ids that cannot be of this app (other services record too) are not found. */
  async find(userIds: readonly string[]): Promise<ReadonlyMap<string, UserProfile>> {
    const ours = userIds.filter(isId);
    if (ours.length === 0) return new Map();
    const found = await this.profiles.execute({ ids: ours });
    return new Map(
      found.map(({ id, name, text }) => [id, { name, avatarUrl: avatarUrlOf(id), ...(text !== null && { text }) }]),
    );
  }

  /**
   * Removes a user in one transaction: their articles with the reactions and comments of others, their own reactions,
   * comments and follows, and the events of all these. The module tries again what the database rolls back.
   */
  async erase(userId: string): Promise<Record<string, number>> {
    if (!isId(userId)) return nothing;
    const erased = { ...nothing };
    return this.database.transaction(async (transaction) => {
      await holdStill(transaction, userId);
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
      // Waits for events that are being recorded; no relay and no replay finds the others.
      const { rows } = await transaction.execute<{ events: string }>(sql`SELECT outbox_forget(${userId}) AS events`);
      erased.events = Number(rows[0]?.events);
      return erased;
    });
  }
}

/**
 * Locks a user and their articles until the transaction ends: a write that refers to one of them waits, and then finds
 * it gone. The articles are locked first, in the order in which a reaction to one's own article refers to them: the
 * article, then the user. Articles written in between are locked after the user, who by then writes no more.
 */
async function holdStill(transaction: Transaction, userId: string): Promise<void> {
  const holdArticles = () =>
    transaction
      .select({ id: articles.id })
      .from(articles)
      .where(eq(articles.authorId, userId))
      .orderBy(articles.id)
      .for('update');
  await holdArticles();
  await transaction.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
  await holdArticles();
}
