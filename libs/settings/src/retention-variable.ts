import { anyDuration, type RetentionConfig } from '@laurel/activity/internals';
import { periodKinds } from '@laurel/leaderboard/internals';
import { variableError, wholeFrom } from './variables';

const dayMs = 86_400_000;
const kinds = [...periodKinds, 'ledger'] as const;
type Kind = (typeof kinds)[number];

const [shortest, longest] = anyDuration;

/**
 * How long each kind of board, and the ledgers, are kept, from `day=31,week=none,…` in days: `none` keeps a kind, and
 * alone it keeps all. Kinds that are not named keep the module's default.
 * @throws ActivityError `invalidOption`, naming the variable.
 */
export function retentionFrom(name: string, text: string): RetentionConfig {
  if (text === 'none') return Object.fromEntries(kinds.map((kind) => [kind, null]));
  const retention: Partial<Record<Kind, number | null>> = {};
  for (const part of text.split(',')) {
    const [, kind, days] = /^\s*(\w+)\s*=\s*(\w+)\s*$/.exec(part) ?? [];
    if (days === undefined || !isKind(kind) || kind in retention) {
      const allowed = `use none, or each at most once and separated by commas: ${kinds.join('=, ')}= and a number of days or none`;
      throw variableError(name, text, allowed);
    }
    const range = [shortest / dayMs, longest / dayMs] as const;
    retention[kind] = days === 'none' ? null : wholeFrom(`${kind} of ${name}`, days, range) * dayMs;
  }
  return retention;
}

function isKind(kind: string | undefined): kind is Kind {
  return kinds.includes(kind as Kind);
}
