import { ConflictException, ForbiddenException, Inject, Injectable } from '@nestjs/common';
import { and, desc, eq, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { Category } from '../categories/categories';
import type { CommentList } from '../comments/comment.responses';
import { CommentsService } from '../comments/comments.service';
import { DATABASE, type Database, type Transaction } from '../database/database';
import { articles, submissions, users } from '../database/schema';
import { takeTurn } from '../database/take-turn';
import { pageOf, type PageRange } from '../input/page-cursor';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';
import { Outbox } from '../outbox/outbox';
import { Outcomes } from '../outcomes/outcomes';
import { noArticle } from '../subjects/article-activity';
import type { ArticleDraft, ArticleText } from './article.dto';
import type { ArticleList, ArticlePage } from './article.responses';
import { articleSummaryOf, summaryColumns, viewerOf } from './article.rows';
import { forgetSubmission, lastSubmission, setOnline } from './publication';

const commentsShown = 50;

/** Which articles, how many, and behind which. */
export interface ArticleRange extends PageRange {
  /** Default: of all. */
  readonly category?: Category | undefined;
}

/** Articles: drafts, what is online, and an article's page. */
@Injectable()
export class ArticlesService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly outcomes: Outcomes,
    @Inject(COMMUNITY_OPTIONS) private readonly options: CommunityOptions,
    private readonly commentsService: CommentsService,
  ) {}

  /** Articles that are online, the newest first; of one author if `authorId` is given. One query. */
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
   * @throws NotFoundException if there is no such article, or if it is a draft of another user than `readerId`.
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
    const latest = await this.commentsService.list(articleId, { limit: commentsShown });
    return { ...articleSummaryOf(row), latestComments: latest.comments, olderComments: latest.next };
  }

  /**
   * An article's comments, the newest first. Two queries.
   * @throws NotFoundException as {@link page}.
   */
  async comments(articleId: string, readerId: string | null, range: PageRange): Promise<CommentList> {
    const [found] = await this.database
      .select({ id: articles.id })
      .from(articles)
      .where(isVisible(articleId, readerId));
    if (!found) throw noArticle();
    return this.commentsService.list(articleId, range);
  }

  /** Writes a draft and returns its id. Only its author sees a draft, and it earns nothing yet. */
  async draft(authorId: string, { title, body, category }: ArticleDraft): Promise<string> {
    const [row] = await this.database
      .insert(articles)
      .values({ authorId, title, body, category })
      .returning({ id: articles.id });
    return (row as { id: string }).id;
  }

  /**
   * Rewrites a draft. What was approved is so no longer.
   * @throws NotFoundException for another user's draft, ForbiddenException for another user's published article,
   * ConflictException for an article that is online or waits to be reviewed.
   */
  async rewrite(articleId: string, userId: string, { title, body }: ArticleText): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const { article } = await ownTurn(transaction, articleId, userId);
      if (article.publishedAt !== null) throw new ConflictException('It is online: take it offline first.');
      const last = await lastSubmission(transaction, articleId);
      if (last?.decision === null) throw new ConflictException('It waits to be reviewed: take it back first.');
      await transaction.update(articles).set({ title, body }).where(eq(articles.id, articleId));
      await forgetSubmission(transaction, articleId, 'approved');
    });
  }

  /**
   * Puts an article online and announces it; again, it does nothing. Where articles are reviewed, one that was not
   * approved is handed in instead.
   * @throws NotFoundException for another user's draft, ForbiddenException for another user's published article.
   */
  publish(articleId: string, userId: string): Promise<void> {
    return this.outbox.transaction(async (transaction, announce) => {
      const { article, turn } = await ownTurn(transaction, articleId, userId);
      if (article.publishedAt !== null) return;
      const last = await lastSubmission(transaction, articleId);
      if (this.options.reviewsArticles && last?.decision !== 'approved') {
        this.outcomes.postpone();
        if (last?.decision !== null)
          await transaction.insert(submissions).values({ articleId, submittedAt: turn.occurredAt });
        return;
      }
      await forgetSubmission(transaction, articleId, null);
      await setOnline(transaction, announce, { article, turn, isOnline: true });
    });
  }

  /**
   * Takes an article offline, so that it is a draft again, and announces it, so that its points go; or takes back what
   * waits to be reviewed; again, it does nothing. Put online once more, it earns them anew.
   * @throws NotFoundException, ForbiddenException as {@link publish}.
   */
  withdraw(articleId: string, userId: string): Promise<void> {
    return this.outbox.transaction(async (transaction, announce) => {
      const { article, turn } = await ownTurn(transaction, articleId, userId);
      await forgetSubmission(transaction, articleId, null);
      if (article.publishedAt !== null) await setOnline(transaction, announce, { article, turn, isOnline: false });
    });
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
    const place = ({ id, publishedAt, createdAt }: (typeof rows)[number]) => ({ at: publishedAt ?? createdAt, id });
    const { shown, next } = pageOf(rows, limit, place);
    return { articles: shown.map(articleSummaryOf), next };
  }
}

/**
 * The user's own article, in its turn to go online or offline.
 * @throws NotFoundException for another user's draft, ForbiddenException for another user's published article.
 */
async function ownTurn(transaction: Transaction, articleId: string, userId: string) {
  const turn = await takeTurn(transaction, 'publish', articleId);
  const [article] = await transaction.select().from(articles).where(eq(articles.id, articleId));
  if (!article || (article.publishedAt === null && article.authorId !== userId)) throw noArticle();
  if (article.authorId !== userId) throw new ForbiddenException('Only its author changes an article.');
  return { article, turn };
}

/** Matches the article if it is online or a draft of the reader's own. */
function isVisible(articleId: string, readerId: string | null): SQL | undefined {
  const mine = readerId === null ? undefined : eq(articles.authorId, readerId);
  return and(eq(articles.id, articleId), or(isNotNull(articles.publishedAt), mine));
}
