import { ConflictException, Inject, Injectable } from '@nestjs/common';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { DATABASE, type Database } from '../database/database';
import { articles, submissions, users } from '../database/schema';
import { takeTurn } from '../database/take-turn';
import { pageOf, type PageRange } from '../input/page-cursor';
import { Outbox } from '../outbox/outbox';
import { summaryOf } from '../profiles/user-summary';
import type { DecidedSubmission, SubmissionList } from './submission.responses';
import { noSubmission, setOnline } from './publication';

/** A moderator's decision. */
export type Verdict = { readonly decision: 'approved' } | { readonly decision: 'refused'; readonly reason: string };

/** Articles that wait to be reviewed, and what moderators make of them. */
@Injectable()
export class SubmissionsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Those that wait, the oldest first. One query. */
  async waiting({ limit, after }: PageRange): Promise<SubmissionList> {
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
    const { shown, next } = pageOf(rows, limit, (row) => ({ at: row.submittedAt, id: row.id }));
    const waiting = shown.map(({ article, author, ...row }) => ({
      id: row.id,
      submittedAt: row.submittedAt.toISOString(),
      article: { ...article, author: summaryOf(author) },
    }));
    return { submissions: waiting, next };
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
    const { articleId } = named;
    return this.outbox.transaction(async (transaction, announce) => {
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
      const decided = { decision, decidedAt, reason };
      await transaction.update(submissions).set(decided).where(eq(submissions.id, submissionId));
      if (decision === 'approved') await setOnline(transaction, announce, { article, turn, isOnline: true });
      return { id: submissionId, articleId, decision, decidedAt: decidedAt.toISOString() };
    });
  }
}
