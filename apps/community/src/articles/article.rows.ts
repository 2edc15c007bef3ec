import { sql } from 'drizzle-orm';
import { articles, comments, follows, reactions, submissions, users } from '../database/schema';
import { summaryOf } from '../profiles/user-summary';
import type { ArticleReview, ArticleSummary, ArticleViewer } from './article.responses';

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

/** What a reader did already, as one column. */
export const viewerOf = (readerId: string) => sql<ArticleViewer>`json_build_object(
  'praised', EXISTS (SELECT FROM ${reactions} r WHERE r.article_id = ${articles.id} AND r.user_id = ${readerId} AND r.kind = 'praise'),
  'collected', EXISTS (SELECT FROM ${reactions} r WHERE r.article_id = ${articles.id} AND r.user_id = ${readerId} AND r.kind = 'collect'),
  'followsAuthor', EXISTS (SELECT FROM ${follows} f WHERE f.followed_id = ${articles.authorId} AND f.follower_id = ${readerId}))`;

type SummaryRow = Pick<ArticleSummary, 'id' | 'title' | 'category' | 'review' | 'praises' | 'collects' | 'comments'> & {
  readonly createdAt: Date;
  readonly publishedAt: Date | null;
  readonly author: { readonly id: string; readonly name: string };
};

/** A row of {@link summaryColumns} as lists show it. */
export function articleSummaryOf({
  id,
  title,
  category,
  author,
  createdAt,
  publishedAt,
  review,
  praises,
  collects,
  comments,
}: SummaryRow): ArticleSummary {
  return {
    id,
    title,
    category,
    author: summaryOf(author),
    createdAt: createdAt.toISOString(),
    publishedAt: publishedAt?.toISOString() ?? null,
    review,
    praises,
    collects,
    comments,
  };
}
