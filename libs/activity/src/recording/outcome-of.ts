import type { TransitionResult } from '@laurel/leaderboard';
import type { Outcome, Refusal } from '../activity/activity';
import type { LimitFault } from '../extensions/outcome-observer';
import { maxFaultLength } from './limit-faults';
import type { Answered } from './recorders';

/**
 * One outcome of what the ledgers answered. It is the main ledger's or, where that one is closed or was not asked, that
 * of the first that is open; scores and boards are those of all. Where it was not refused, another's refusal is named.
 */
export function outcomeOf(answered: Answered): Outcome {
  const results = answered.filter((result) => result !== null);
  const first = results.reduce((before, result) => (before.outcome === 'closed' ? result : before));
  // The usual case is handed on as it is.
  if (results.length === 1 && isUnrefused(first)) return first;
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
  };
}

const none: readonly LimitFault[] = [];

/** The limits that failed over an activity: they concern operators alone. */
export function limitFaultsIn(answered: Answered): readonly LimitFault[] {
  let faults = none;
  for (const result of answered) {
    const { limit, fault } = result?.refusal ?? {};
    if (limit === undefined || fault === undefined) continue;
    faults = [...faults, { limit, fault: fault.slice(0, maxFaultLength) }];
  }
  return faults;
}

function isUnrefused(result: TransitionResult): result is TransitionResult & { readonly refusal?: never } {
  return result.refusal === undefined;
}

function isRefused({ outcome }: TransitionResult): boolean {
  return outcome === 'limited' || outcome === 'rejected';
}

function refusalOf(refusal: TransitionResult['refusal']): { readonly refusal?: Refusal } {
  if (!refusal) return {};
  const { limit, allowedAgainAtMs } = refusal;
  const allowedAgainAt = allowedAgainAtMs === null ? null : new Date(allowedAgainAtMs).toISOString();
  return { refusal: { limit, allowedAgainAt } };
}
