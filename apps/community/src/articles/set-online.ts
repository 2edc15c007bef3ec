import { PublishCancelledEvent, PublishEvent } from '@laurel/activity';
import { eq } from 'drizzle-orm';
import { type Category, partitionsOf } from '../categories/categories';
import type { Transaction } from '../database/database';
import { articles } from '../database/schema';
import type { Moment } from '../database/take-turn';
import type { Announce } from '../outbox/outbox';
import { subjectOfArticle } from '../subjects/article-subject';
import { noArticle } from '../subjects/published-article';

/** An article that goes online or offline, and when. */
export interface ArticleTurn {
  readonly article: { readonly id: string; readonly authorId: string; readonly category: Category };
  readonly turn: Moment;
  readonly isOnline: boolean;
}

/**
 * Puts an article online or takes it offline, and announces it, so that its author's points come or go with it.
 * @throws NotFoundException where it was erased in the meantime.
 */
export async function setOnline(
  transaction: Transaction,
  announce: Announce,
  { article, turn, isOnline }: ArticleTurn,
): Promise<void> {
  const changed = await transaction
    .update(articles)
    .set({ publishedAt: isOnline ? turn.occurredAt : null })
    .where(eq(articles.id, article.id))
    .returning({ id: articles.id });
  // The update waits for an erasure of the author, which takes the article with it.
  if (changed.length === 0) throw noArticle();
  const subject = subjectOfArticle(article.id);
  const fields = { userId: article.authorId, subject, partitions: partitionsOf(article), ...turn };
  await announce(isOnline ? new PublishEvent(fields) : new PublishCancelledEvent(fields));
}
