import { CommentCancelledEvent, CommentEvent } from '@laurel/activity';
import { Period } from '@laurel/leaderboard';
import { ForbiddenException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { and, desc, eq, gte, lt } from 'drizzle-orm';
import { DATABASE, type Database, type Transaction } from '../database/database';
import { comments, users } from '../database/schema';
import { takeTurn } from '../database/take-turn';
import { pageOf, type PageRange } from '../input/page-cursor';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';
import { Outbox } from '../outbox/outbox';
import { type Named, summaryOf } from '../profiles/user-summary';
import { articleActivity } from '../subjects/article-activity';
import type { CommentList, CommentView } from './comment.responses';

type CommentRow = typeof comments.$inferSelect;

/** A comment to be made. */
export interface NewComment {
  readonly articleId: string;
  readonly authorId: string;
  readonly body: string;
}

/** Comments on articles. */
@Injectable()
export class CommentsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly outbox: Outbox,
    @Inject(COMMUNITY_OPTIONS) private readonly options: CommunityOptions,
  ) {}

  /** An article's comments, the newest first. One query. */
  async list(articleId: string, { limit, after }: PageRange): Promise<CommentList> {
    const rows = await this.database
      .select({ comment: comments, author: { id: users.id, name: users.name } })
      .from(comments)
      .innerJoin(users, eq(users.id, comments.authorId))
      .where(and(eq(comments.articleId, articleId), after ? lt(comments.id, after.id) : undefined))
      .orderBy(desc(comments.id))
      .limit(limit + 1);
    const { shown, next } = pageOf(rows, limit, ({ comment }) => ({ at: comment.createdAt, id: comment.id }));
    return { comments: shown.map(({ comment, author }) => viewOf(comment, author)), next };
  }

  /** @throws NotFoundException if no such article is online. */
  async create({ articleId, authorId, body }: NewComment): Promise<CommentView> {
    return this.outbox.transaction(async (transaction, announce) => {
      const article = await articleActivity(transaction, articleId);
      const turn = await takeTurn(transaction, 'comment', articleId, authorId);
      const [comment] = await transaction
        .insert(comments)
        .values({ articleId, authorId, body, createdAt: turn.occurredAt })
        .returning();
      const [author] = await transaction.select().from(users).where(eq(users.id, authorId));
      await announce(new CommentEvent({ userId: authorId, ...article, ...turn }));
      return viewOf(comment as CommentRow, author as Named);
    });
  }

  /**
   * Deletes a comment of the user's own. Comments count once a day on each article: only deleting the user's last one
   * of that day there takes the points back.
   * @throws NotFoundException, ForbiddenException for another user's comment.
   */
  async delete(commentId: string, userId: string): Promise<void> {
    await this.outbox.transaction(async (transaction, announce) => {
      const [found] = await transaction.select().from(comments).where(eq(comments.id, commentId));
      if (!found) throw noComment();
      if (found.authorId !== userId) throw new ForbiddenException('Only its author deletes a comment.');
      const turn = await takeTurn(transaction, 'comment', found.articleId, userId);
      const [deleted] = await transaction.delete(comments).where(eq(comments.id, commentId)).returning();
      // Deleted twice at once: the other was first.
      if (!deleted) throw noComment();
      if (await this.isOneOfMore(transaction, deleted)) return;
      const { articleId, createdAt: grantedAt } = deleted;
      const article = await articleActivity(transaction, articleId, false);
      await announce(new CommentCancelledEvent({ userId, ...article, grantedAt, ...turn }));
    });
  }

  /** Whether its author has others of the same day on the same article; days are cut as the ledger cuts them. */
  private async isOneOfMore(transaction: Transaction, { articleId, authorId, createdAt }: CommentRow) {
    const { timezone = 'UTC' } = this.options.activity;
    const { start, end } = Period.of('day', createdAt, timezone);
    const others = and(
      eq(comments.authorId, authorId),
      eq(comments.articleId, articleId),
      gte(comments.createdAt, start),
      lt(comments.createdAt, end as Date),
    );
    return (await transaction.$count(comments, others)) > 0;
  }
}

function noComment(): NotFoundException {
  return new NotFoundException('There is no such comment.');
}

function viewOf({ id, body, createdAt }: CommentRow, author: Named): CommentView {
  return { id, body, author: summaryOf(author), createdAt: createdAt.toISOString() };
}
