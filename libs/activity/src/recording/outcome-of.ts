import type { TransitionResult } from '@laurel/leaderboard';
import type { Outcome, Refusal } from '../activities/activity';
import type { Answered } from './recorders';

/**
 * One outcome of what the ledgers answered: the module's own says what became of the activity, or, where that one is
 * closed or was not asked, the first that is open; scores and boards are those of all.
 */
export function outcomeOf(answered: Answered): Outcome {
  const results = answered.filter((result) => result !== null);
  const first = results.reduce((before, result) => (before.outcome === 'closed' ? result : before));
  // The usual case is handed on as it is.
  if (results.length === 1 && isUnrefused(first)) return first;
  const late = results.flatMap((result) => result.late ?? []);
  return {
    outcome: first.outcome,
    points: first.points,
    scores: Object.assign({}, ...results.map(({ scores }) => scores)) as Outcome['scores'],
    boards: Object.assign({}, ...results.map(({ boards }) => boards)) as Outcome['boards'],
    ...(late.length > 0 && { late }),
    ...(first.reason !== undefined && { reason: first.reason }),
    ...refusalOf(first),
  };
}

function isUnrefused(result: TransitionResult): result is TransitionResult & { readonly refusal?: never } {
  return result.refusal === undefined;
}

function refusalOf({ refusal }: TransitionResult): { readonly refusal?: Refusal } {
  if (!refusal) return {};
  const { limit, allowedAgainAtMs } = refusal;
  const allowedAgainAt = allowedAgainAtMs === null ? null : new Date(allowedAgainAtMs).toISOString();
  return { refusal: { limit, allowedAgainAt } };
}
