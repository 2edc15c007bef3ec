import { sql } from 'drizzle-orm';
import { articles, comments, follows, reactions, submissions, users } from '../database/schema';
import { type Named, summaryOf } from '../profiles/user-summary';
import type { ArticleReview, ArticleViewer } from './article.responses';

const countOf = (kind: 'praise' | 'collect') =>
  sql<number>`(SELECT count(*)::int FROM ${reactions} r WHERE r.article_id = ${articles.id} AND r.kind = ${kind})`;

/** The last submission of a draft. */
const review = sql<ArticleReview | null>`CASE WHEN ${articles.publishedAt} IS NULL THEN (
  SELECT json_build_object('state', coalesce(s.decision, 'waiting'), 'reason', s.reason)
  FROM ${submissions} s WHERE s.article_id = ${articles.id} ORDER BY s.id DESC LIMIT 1) END`;

/** The columns of an {@link ArticleSummary}, of articles joined with their authors. */
export const summaryColumns = {
  id: articles.id,
  title: articles.title,
  category: articles.category,
  createdAt: articles.createdAt,
  publishedAt: articles.publishedAt,
  review,
  author: { id: users.id, name: users.name },
  praises: countOf('praise'),
  collects: countOf('collect'),
  comments: sql<number>`(SELECT count(*)::int FROM ${comments} c WHERE c.article_id = ${articles.id})`,
};

/** A reader's own reactions, as one column. */
export const viewerOf = (readerId: string) => sql<ArticleViewer>`json_build_object(
  'praised', EXISTS (SELECT FROM ${reactions} r WHERE r.article_id = ${articles.id} AND r.user_id = ${readerId} AND r.kind = 'praise'),
  'collected', EXISTS (SELECT FROM ${reactions} r WHERE r.article_id = ${articles.id} AND r.user_id = ${readerId} AND r.kind = 'collect'),
  'followsAuthor', EXISTS (SELECT FROM ${follows} f WHERE f.followed_id = ${articles.authorId} AND f.follower_id = ${readerId}))`;

interface SummaryRow {
  readonly createdAt: Date;
  readonly publishedAt: Date | null;
  readonly author: Named;
}

/** A row that has {@link summaryColumns} as lists show it. */
export function articleSummaryOf<Row extends SummaryRow>({ author, createdAt, publishedAt, ...others }: Row) {
  const at = { createdAt: createdAt.toISOString(), publishedAt: publishedAt?.toISOString() ?? null };
  return { ...others, ...at, author: summaryOf(author) };
}
