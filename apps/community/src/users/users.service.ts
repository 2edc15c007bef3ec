import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { eq, sql } from 'drizzle-orm';
import { ArticleReader } from '../articles/article.reader';
import { DATABASE, type Database } from '../database/database';
import { follows, users } from '../database/schema';
import { summaryOf } from './user-summary';
import type { UserPage } from './user-page';

const articlesShown = 10;

/** Users as others see them. */
@Injectable()
export class UsersService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly articles: ArticleReader,
  ) {}

  /** Two queries. @throws NotFoundException */
  async page(userId: string): Promise<UserPage> {
    const [user] = await this.database
      .select({
        id: users.id,
        name: users.name,
        joinedAt: users.joinedAt,
        followers: sql<number>`(SELECT count(*)::int FROM ${follows} f WHERE f.followed_id = ${users.id})`,
        following: sql<number>`(SELECT count(*)::int FROM ${follows} f WHERE f.follower_id = ${users.id})`,
      })
      .from(users)
      .where(eq(users.id, userId));
    if (!user) throw new NotFoundException('There is no such user.');
    const { articles } = await this.articles.published({ limit: articlesShown }, userId);
    return {
      ...summaryOf(user),
      joinedAt: user.joinedAt.toISOString(),
      followers: user.followers,
      following: user.following,
      articles,
    };
  }
}
