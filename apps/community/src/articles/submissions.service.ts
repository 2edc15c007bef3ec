import { ConflictException, Inject, Injectable } from '@nestjs/common';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { DATABASE, type Database, type Transaction } from '../database/database';
import { articles, submissions, users } from '../database/schema';
import { takeTurn } from '../database/take-turn';
import { cursorOf, type PageCursor } from '../input/page-cursor';
import { type Announce, Outbox } from '../outbox/outbox';
import { summaryOf } from '../profiles/user-summary';
import { setOnline } from './set-online';
import type { DecidedSubmission, SubmissionList } from './submission.responses';
import { noSubmission } from './submissions';

/** What a moderator decides. */
export type Verdict = { readonly decision: 'approved' } | { readonly decision: 'refused'; readonly reason: string };

/** Articles that wait to be reviewed, and what moderators make of them. */
@Injectable()
export class SubmissionsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Those that wait, the oldest first. One query. */
  async waiting({
    limit,
    after,
  }: {
    readonly limit: number;
    readonly after: PageCursor | null;
  }): Promise<SubmissionList> {
    const { id, submittedAt } = submissions;
    const behind = after
      ? sql`(${submittedAt}, ${id}) > (${after.at.toISOString()}::timestamptz, ${after.id})`
      : undefined;
    const { title, category, body } = articles;
    const rows = await this.database
      .select({
        id,
        submittedAt,
        article: { id: articles.id, title, category, body },
        author: { id: users.id, name: users.name },
      })
      .from(submissions)
      .innerJoin(articles, eq(articles.id, submissions.articleId))
      .innerJoin(users, eq(users.id, articles.authorId))
      .where(and(isNull(submissions.decision), behind))
      .orderBy(asc(submittedAt), asc(id))
      .limit(limit + 1);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      submissions: shown.map(({ article, author, ...row }) => ({
        id: row.id,
        submittedAt: row.submittedAt.toISOString(),
        article: { ...article, author: summaryOf(author) },
      })),
      next: last ? cursorOf({ at: last.submittedAt, id: last.id }) : null,
    };
  }

  /**
   * Approves or refuses an article, once: of moderators who decide at once the first one does. What is approved goes
   * online and is announced in the same transaction.
   * @throws NotFoundException where it was taken back, ConflictException where it is decided.
   */
  async decide(submissionId: string, verdict: Verdict): Promise<DecidedSubmission> {
    const [named] = await this.database
      .select({ articleId: submissions.articleId })
      .from(submissions)
      .where(eq(submissions.id, submissionId));
    if (!named) throw noSubmission();
    return this.outbox.transaction((transaction, announce) =>
      decideInTurn(transaction, announce, { submissionId, verdict, ...named }),
    );
  }
}

interface Deciding {
  readonly submissionId: string;
  readonly articleId: string;
  readonly verdict: Verdict;
}

async function decideInTurn(
  transaction: Transaction,
  announce: Announce,
  { submissionId, articleId, verdict }: Deciding,
): Promise<DecidedSubmission> {
  const turn = await takeTurn(transaction, 'publish', articleId);
  const [found] = await transaction
    .select({ article: articles, decision: submissions.decision })
    .from(submissions)
    .innerJoin(articles, eq(articles.id, submissions.articleId))
    .where(eq(submissions.id, submissionId))
    // Waits for an erasure of the author, which takes both with it.
    .for('no key update', { of: articles });
  if (!found) throw noSubmission();
  const { article, decision: before } = found;
  if (before !== null) throw new ConflictException(`Another moderator was faster: it is ${before}.`);
  if (article.publishedAt !== null) throw new ConflictException('It is online already.');
  const { decision } = verdict;
  const reason = decision === 'refused' ? verdict.reason : null;
  const decidedAt = turn.occurredAt;
  await transaction.update(submissions).set({ decision, decidedAt, reason }).where(eq(submissions.id, submissionId));
  if (decision === 'approved') await setOnline(transaction, announce, { article, turn, isOnline: true });
  return { id: submissionId, articleId, decision, decidedAt: decidedAt.toISOString() };
}
