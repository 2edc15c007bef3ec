import { RankService } from '@laurel/activity';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { desc, eq, sql } from 'drizzle-orm';
import { ArticlesService } from '../articles/articles.service';
import { DATABASE, type Database } from '../database/database';
import { follows, users } from '../database/schema';
import type { UserSearch } from './user.dto';
import { summaryOf } from '../profiles/user-summary';
import type { FoundUsers, UserPage } from './user.responses';

const articlesShown = 10;

/** Users as others see them. */
@Injectable()
export class UsersService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly articles: ArticlesService,
    private readonly ranks: RankService,
  ) {}

  /**
   * Users with this in their names: those whose names begin so, then those of whose names a word does, then the others.
   * One query, and one read of the leaderboard where one is named.
   * @throws ActivityError as {@link RankService.lookup}.
   */
  async search({ name, limit = 10, leaderboard, ...query }: UserSearch): Promise<FoundUsers> {
    const typed = literally(name);
    const isLike = (pattern: string) => sql`lower(${users.name}) LIKE lower(${pattern})`;
    const found = await this.database
      .select({ id: users.id, name: users.name })
      .from(users)
      .where(isLike(`%${typed}%`))
      .orderBy(desc(isLike(`${typed}%`)), desc(isLike(`% ${typed}%`)), sql`lower(${users.name})`)
      .limit(limit);
    const summaries = found.map(summaryOf);
    if (leaderboard === undefined) return { users: summaries };
    const userIds = summaries.map(({ id }) => id);
    // A leaderboard that does not exist is refused, whether or not any user is found.
    const asked = userIds.length > 0 ? userIds : ['0'];
    const { entries } = await this.ranks.lookup(leaderboard, asked, query);
    const placed = summaries.map((user, index) => {
      const { rank = null, score = 0 } = entries[index] ?? {};
      return { ...user, rank, score };
    });
    return { users: placed };
  }

  /** Keeps what a user says of themselves; null: nothing. Leaderboards show it as they show names. One query. */
  async describe(userId: string, text: string | null): Promise<void> {
    await this.database.update(users).set({ text }).where(eq(users.id, userId));
  }

  /** Two queries. @throws NotFoundException */
  async page(userId: string, readerId: string | null): Promise<UserPage> {
    const [user] = await this.database
      .select({
        id: users.id,
        name: users.name,
        text: users.text,
        joinedAt: users.joinedAt,
        followers: sql<number>`(SELECT count(*)::int FROM ${follows} f WHERE f.followed_id = ${users.id})`,
        following: sql<number>`(SELECT count(*)::int FROM ${follows} f WHERE f.follower_id = ${users.id})`,
        follows: sql<boolean>`EXISTS (SELECT FROM ${follows} f WHERE f.followed_id = ${users.id} AND f.follower_id = ${readerId})`,
      })
      .from(users)
      .where(eq(users.id, userId));
    if (!user) throw new NotFoundException('There is no such user.');
    const { articles } = await this.articles.published({ limit: articlesShown }, userId);
    return {
      ...summaryOf(user),
      text: user.text,
      joinedAt: user.joinedAt.toISOString(),
      followers: user.followers,
      following: user.following,
      articles,
      viewer: readerId === null ? null : { follows: user.follows },
    };
  }
}

/** A text as a part of a pattern of LIKE, whose own signs stand for themselves. */
function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
