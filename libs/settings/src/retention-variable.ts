import { digits, longestMs, refused, type RetentionConfig, type Schema, whole } from '@laurel/activity/internals';
import { periodKinds } from '@laurel/leaderboard/internals';

const dayMs = 86_400_000;
const kinds = [...periodKinds, 'ledger'] as const;
type Kind = (typeof kinds)[number];

const allowed = `none, or each at most once and separated by commas: ${kinds.join('=, ')}= and a number of days or none`;
const daysKept = digits(whole(0, longestMs / dayMs));

/**
 * How long each kind of board, and the ledgers, are kept, from `day=31,week=none,…` in days: `none` keeps a kind, and
 * alone it keeps all. Kinds that are not named keep the module's default.
 */
export const retention: Schema<RetentionConfig> = (given, place) => {
  if (given === 'none') return Object.fromEntries(kinds.map((kind) => [kind, null]));
  const kept: Partial<Record<Kind, number | null>> = {};
  for (const part of String(given).split(',')) {
    const [, kind, text] = /^\s*(\w+)\s*=\s*(\w+)\s*$/.exec(part) ?? [];
    if (text === undefined || !isKind(kind) || kind in kept) return place.expect(given, allowed);
    const days = text === 'none' ? null : daysKept(text, place.part(kind));
    if (days === refused) return refused;
    kept[kind] = days && days * dayMs;
  }
  return kept;
};

function isKind(kind: string | undefined): kind is Kind {
  return kinds.includes(kind as Kind);
}
