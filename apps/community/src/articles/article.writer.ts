import type { Activity } from '@laurel/activity';
import { ForbiddenException, Inject, Injectable } from '@nestjs/common';
import { and, eq, isNotNull } from 'drizzle-orm';
import { DATABASE, type Database, type Transaction } from '../database/database';
import { articles } from '../database/schema';
import { takeTurn } from '../database/take-turn';
import { Outbox } from '../outbox/outbox';
import type { ArticleDraft } from './article.dto';
import { noArticle } from './article.reader';
import { subjectOfArticle } from './article-subject';
import { partitionsOf } from './categories';

/** Writes articles and puts them online. */
@Injectable()
export class ArticleWriter {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** A draft: nobody but its author sees it, and it earns nothing yet. Gives its id. */
  async draft(authorId: string, { title, body, category }: ArticleDraft): Promise<string> {
    const [row] = await this.database
      .insert(articles)
      .values({ authorId, title, body, category })
      .returning({ id: articles.id });
    return (row as { id: string }).id;
  }

  /**
   * Puts an article online and announces it; again, it does nothing.
   * @throws NotFoundException for a draft of someone else's, ForbiddenException for his article.
   */
  async publish(articleId: string, userId: string): Promise<void> {
    await this.outbox.transaction(async (transaction, announce) => {
      const turn = await takeTurn(transaction, 'publish', articleId);
      const [article] = await transaction.select().from(articles).where(eq(articles.id, articleId));
      if (!article || (article.publishedAt === null && article.authorId !== userId)) throw noArticle();
      if (article.authorId !== userId) throw new ForbiddenException('Only its author publishes an article.');
      if (article.publishedAt !== null) return;
      const published = await transaction
        .update(articles)
        .set({ publishedAt: turn.occurredAt })
        .where(eq(articles.id, articleId))
        .returning({ id: articles.id });
      // The update waits for an erasure of the author, which takes the article with it.
      if (published.length === 0) throw noArticle();
      const subject = subjectOfArticle(articleId);
      await announce({ userId, action: 'publish', subject, partitions: partitionsOf(article), ...turn });
    });
  }
}

/** What activities say of the article that they are done to. */
export type ArticleActivity = Required<Pick<Activity, 'subject' | 'ownerId' | 'partitions'>>;

/**
 * What activities say of an article that is online. Its category is for good: so a revoke names that of its grant.
 * @throws NotFoundException where there is none of this id.
 */
export async function publishedArticle(transaction: Transaction, articleId: string): Promise<ArticleActivity> {
  const [article] = await transaction
    .select({ authorId: articles.authorId, category: articles.category })
    .from(articles)
    .where(and(eq(articles.id, articleId), isNotNull(articles.publishedAt)));
  if (!article) throw noArticle();
  return { subject: subjectOfArticle(articleId), ownerId: article.authorId, partitions: partitionsOf(article) };
}
