import type { TransitionResult } from '@laurel/leaderboard';
import type { Outcome, Refusal } from '../activity/activity';
import type { LimitFault } from '../extensions/outcome-observer';
import { maxFaultLength } from './limit-faults';
import type { Answered } from './recorders';

/** An outcome, and the limits that failed over it: they concern operators alone. */
export interface Judged extends Outcome {
  readonly faults?: readonly LimitFault[];
}

/**
 * One outcome of what the ledgers answered: the module's own says what became of the activity, or, where that one is
 * closed or was not asked, the first that is open; scores and boards are those of all. What refused it elsewhere is told
 * where nothing refused it there.
 */
export function outcomeOf(answered: Answered): Judged {
  const results = answered.filter((result) => result !== null);
  const first = results.reduce((before, result) => (before.outcome === 'closed' ? result : before));
  // The usual case is handed on as it is.
  if (results.length === 1 && isUnrefused(first)) return first;
  const faults = results.flatMap(({ refusal }) => faultOf(refusal));
  const late = results.flatMap((result) => result.late ?? []);
  const reason = first.reason ?? results.find(isRefused)?.reason;
  return {
    outcome: first.outcome,
    points: first.points,
    scores: Object.assign({}, ...results.map(({ scores }) => scores)) as Outcome['scores'],
    boards: Object.assign({}, ...results.map(({ boards }) => boards)) as Outcome['boards'],
    ...(late.length > 0 && { late }),
    ...(reason !== undefined && { reason }),
    ...refusalOf(first.refusal ?? results.find(({ refusal }) => refusal !== undefined)?.refusal),
    ...(faults.length > 0 && { faults }),
  };
}

function isUnrefused(result: TransitionResult): result is TransitionResult & { readonly refusal?: never } {
  return result.refusal === undefined;
}

function isRefused({ outcome }: TransitionResult): boolean {
  return outcome === 'limited' || outcome === 'rejected';
}

function faultOf(refusal: TransitionResult['refusal']): readonly LimitFault[] {
  const { limit, fault } = refusal ?? {};
  return limit === undefined || fault === undefined ? [] : [{ limit, fault: fault.slice(0, maxFaultLength) }];
}

function refusalOf(refusal: TransitionResult['refusal']): { readonly refusal?: Refusal } {
  if (!refusal) return {};
  const { limit, allowedAgainAtMs } = refusal;
  const allowedAgainAt = allowedAgainAtMs === null ? null : new Date(allowedAgainAtMs).toISOString();
  return { refusal: { limit, allowedAgainAt } };
}
