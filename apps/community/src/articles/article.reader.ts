import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { and, desc, eq, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { CommentList } from '../comments/comment.responses';
import { type CommentRange, readComments } from '../comments/read-comments';
import { DATABASE, type Database } from '../database/database';
import { articles, comments, follows, reactions, users } from '../database/schema';
import { cursorOf, type PageCursor } from '../http/page-cursor';
import { summaryOf } from '../users/user-summary';
import type { Category } from './categories';
import type { ArticleList, ArticlePage, ArticleSummary, ArticleViewer } from './article.responses';

const commentsShown = 50;

/** Which articles, how many, and behind which. */
export interface ArticleRange {
  readonly limit: number;
  /** Default: of all. */
  readonly category?: Category | undefined;
  readonly after?: PageCursor | null;
}

const countOf = (kind: 'praise' | 'collect') =>
  sql<number>`(SELECT count(*)::int FROM ${reactions} r WHERE r.article_id = ${articles.id} AND r.kind = ${kind})`;

const summaryColumns = {
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
const viewerOf = (readerId: string) => sql<ArticleViewer>`json_build_object(
  'praised', EXISTS (SELECT FROM ${reactions} r WHERE r.article_id = ${articles.id} AND r.user_id = ${readerId} AND r.kind = 'praise'),
  'collected', EXISTS (SELECT FROM ${reactions} r WHERE r.article_id = ${articles.id} AND r.user_id = ${readerId} AND r.kind = 'collect'),
  'followsAuthor', EXISTS (SELECT FROM ${follows} f WHERE f.followed_id = ${articles.authorId} AND f.follower_id = ${readerId}))`;

/** This article, where it is online or a draft of the reader's own. */
function isVisible(articleId: string, readerId: string | null): SQL | undefined {
  const mine = readerId === null ? undefined : eq(articles.authorId, readerId);
  return and(eq(articles.id, articleId), or(isNotNull(articles.publishedAt), mine));
}

/** Articles as readers see them. */
@Injectable()
export class ArticleReader {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Articles that are online, the newest first; of one author where he is named. One query. */
  async published(range: ArticleRange, authorId?: string): Promise<ArticleList> {
    const ofAuthor = authorId === undefined ? undefined : eq(articles.authorId, authorId);
    return this.list(and(isNotNull(articles.publishedAt), ofAuthor), articles.publishedAt, range);
  }

  /** A user's drafts, the newest first. One query. */
  async drafts(authorId: string, range: ArticleRange): Promise<ArticleList> {
    return this.list(and(isNull(articles.publishedAt), eq(articles.authorId, authorId)), articles.createdAt, range);
  }

  /**
   * One article with its newest comments. Two queries.
   * @throws NotFoundException where there is none, or a draft of someone else's than `readerId`.
   */
  async page(articleId: string, readerId: string | null): Promise<ArticlePage> {
    const [row] = await this.database
      .select({
        ...summaryColumns,
        body: articles.body,
        viewer: readerId === null ? sql<null>`NULL` : viewerOf(readerId),
      })
      .from(articles)
      .innerJoin(users, eq(users.id, articles.authorId))
      .where(isVisible(articleId, readerId));
    if (!row) throw noArticle();
    const latest = await readComments(this.database, articleId, { limit: commentsShown });
    return {
      ...summary(row),
      body: row.body,
      viewer: row.viewer,
      latestComments: latest.comments,
      olderComments: latest.next,
    };
  }

  /**
   * What was said to an article, the newest first. Two queries.
   * @throws NotFoundException as {@link page}.
   */
  async comments(articleId: string, readerId: string | null, range: CommentRange): Promise<CommentList> {
    const [found] = await this.database
      .select({ id: articles.id })
      .from(articles)
      .where(isVisible(articleId, readerId));
    if (!found) throw noArticle();
    return readComments(this.database, articleId, range);
  }

  private async list(
    which: SQL | undefined,
    order: typeof articles.publishedAt | typeof articles.createdAt,
    { limit, category, after }: ArticleRange,
  ): Promise<ArticleList> {
    const about = category === undefined ? undefined : eq(articles.category, category);
    const behind = after
      ? sql`(${order}, ${articles.id}) < (${after.at.toISOString()}::timestamptz, ${after.id})`
      : undefined;
    const rows = await this.database
      .select(summaryColumns)
      .from(articles)
      .innerJoin(users, eq(users.id, articles.authorId))
      .where(and(which, about, behind))
      .orderBy(desc(order), desc(articles.id))
      .limit(limit + 1);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      articles: shown.map(summary),
      next: last ? cursorOf({ at: last.publishedAt ?? last.createdAt, id: last.id }) : null,
    };
  }
}

/** The answer where an article is not there, or not there for who asks. */
export function noArticle(): NotFoundException {
  return new NotFoundException('There is no such article.');
}

type SummaryRow = Pick<ArticleSummary, 'id' | 'title' | 'category' | 'praises' | 'collects' | 'comments'> & {
  readonly createdAt: Date;
  readonly publishedAt: Date | null;
  readonly author: { readonly id: string; readonly name: string };
};

function summary({
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
