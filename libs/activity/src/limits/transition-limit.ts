import type { TransitionLimit } from '@laurel/leaderboard';
import { ledgerFieldPrefix } from '../rules/ledger-field';
import type { ResolvedLimit } from './limit';

/** The engine's form of a limit on the action whose ledger fields begin with `code`. */
export function transitionLimit(limit: ResolvedLimit, code: string): TransitionLimit {
  const { name, max } = limit;
  if (limit.type === 'daily') return { type: 'daily', name, max, fieldPrefix: ledgerFieldPrefix(code) };
  return {
    type: 'sliding',
    name: limit.name,
    max,
    windowMs: limit.windowMs,
    per: limit.per === 'subject' ? 'field' : 'member',
  };
}
