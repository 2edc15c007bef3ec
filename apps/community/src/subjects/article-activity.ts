import { NotFoundException } from '@nestjs/common';
import { and, eq, isNotNull } from 'drizzle-orm';
import { partitionsOf } from '../categories/categories';
import type { Transaction } from '../database/database';
import { articles } from '../database/schema';
import { subjectOfArticle } from './subjects';

/** The fields of an activity that concern its article. */
export interface ArticleActivity {
  readonly subject: string;
  readonly ownerId: string;
  readonly partitions: Readonly<Record<string, string>>;
}

/**
 * An activity's fields about an article, online or any. Its category never changes: a revoke names that of its grant.
 * @throws NotFoundException if there is none.
 */
export async function articleActivity(transaction: Transaction, id: string, isOnline = true): Promise<ArticleActivity> {
  const [article] = await transaction
    .select({ authorId: articles.authorId, category: articles.category })
    .from(articles)
    .where(and(eq(articles.id, id), isOnline ? isNotNull(articles.publishedAt) : undefined));
  if (!article) throw noArticle();
  return { subject: subjectOfArticle(id), ownerId: article.authorId, partitions: partitionsOf(article) };
}

/** The answer if there is no such article, or none that the user may see. */
export function noArticle(): NotFoundException {
  return new NotFoundException('There is no such article.');
}
