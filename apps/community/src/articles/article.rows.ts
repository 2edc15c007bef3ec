import { sql } from 'drizzle-orm';
import { articles, comments, follows, reactions, users } from '../database/schema';
import { summaryOf } from '../profiles/user-summary';
import type { ArticleSummary, ArticleViewer } from './article.responses';

const countOf = (kind: 'praise' | 'collect') =>
  sql<number>`(SELECT count(*)::int FROM ${reactions} r WHERE r.article_id = ${articles.id} AND r.kind = ${kind})`;

/** The columns of an {@link ArticleSummary}, of articles joined with their authors. */
export const summaryColumns = {
  id: articles.id,
  title: articles.title,
  category: articles.category,
  createdAt: articles.createdAt,
  publishedAt: articles.publishedAt,
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

type SummaryRow = Pick<ArticleSummary, 'id' | 'title' | 'category' | 'praises' | 'collects' | 'comments'> & {
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
    praises,
    collects,
    comments,
  };
}
