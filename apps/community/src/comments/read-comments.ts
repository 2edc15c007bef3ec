import { and, desc, eq, lt } from 'drizzle-orm';
import type { Database } from '../database/database';
import { comments, users } from '../database/schema';
import { cursorOf, type PageCursor } from '../http/page-cursor';
import { summaryOf } from '../users/user-summary';
import type { CommentList } from './comment.responses';

/** How many comments, and behind which. */
export interface CommentRange {
  readonly limit: number;
  readonly after?: PageCursor | null;
}

/** An article's comments, the newest first. One query. */
export async function readComments(
  database: Database,
  articleId: string,
  { limit, after }: CommentRange,
): Promise<CommentList> {
  const rows = await database
    .select({
      id: comments.id,
      body: comments.body,
      createdAt: comments.createdAt,
      author: { id: users.id, name: users.name },
    })
    .from(comments)
    .innerJoin(users, eq(users.id, comments.authorId))
    .where(and(eq(comments.articleId, articleId), after ? lt(comments.id, after.id) : undefined))
    .orderBy(desc(comments.id))
    .limit(limit + 1);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    comments: shown.map(({ author, createdAt, ...comment }) => ({
      ...comment,
      author: summaryOf(author),
      createdAt: createdAt.toISOString(),
    })),
    next: last ? cursorOf({ at: last.createdAt, id: last.id }) : null,
  };
}
