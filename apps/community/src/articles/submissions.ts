import { NotFoundException } from '@nestjs/common';
import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Transaction } from '../database/database';
import { type Decision, submissions } from '../database/schema';

/** A submission, as far as it decides what may be done next. */
export interface SubmissionState {
  readonly id: string;
  /** Null: it waits. */
  readonly decision: Decision | null;
}

/** The last submission of an article; undefined where it has none. */
export async function lastSubmission(
  transaction: Transaction,
  articleId: string,
): Promise<SubmissionState | undefined> {
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
