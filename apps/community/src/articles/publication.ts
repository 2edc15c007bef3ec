import { PublishCancelledEvent, PublishEvent } from '@laurel/activity';
import { NotFoundException } from '@nestjs/common';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { partitionsOf } from '../categories/categories';
import type { Transaction } from '../database/database';
import { articles, submissions } from '../database/schema';
import type { Moment } from '../database/take-turn';
import type { Announce } from '../outbox/outbox';
import { noArticle } from '../subjects/article-activity';
import { subjectOfArticle } from '../subjects/subjects';

/** An article that goes online or offline, and when. */
interface ArticleTurn {
  readonly article: typeof articles.$inferSelect;
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

/** The last submission of an article, which waits if it has no decision; undefined where it has none. */
export async function lastSubmission(transaction: Transaction, articleId: string) {
  const [last] = await transaction
    .select({ id: submissions.id, decision: submissions.decision })
    .from(submissions)
    .where(eq(submissions.articleId, articleId))
    .orderBy(desc(submissions.id))
    .limit(1);
  return last;
}

/** Takes back what waits, or an approval that holds no longer. */
export async function forgetSubmission(
  transaction: Transaction,
  articleId: string,
  decision: 'approved' | null,
): Promise<void> {
  const isMeant = decision === null ? isNull(submissions.decision) : eq(submissions.decision, decision);
  await transaction.delete(submissions).where(and(eq(submissions.articleId, articleId), isMeant));
}

/** The answer if there is no such submission, or its author took it back. */
export function noSubmission(): NotFoundException {
  return new NotFoundException('There is no such submission: its author may have taken it back.');
}
