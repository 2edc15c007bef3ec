import type { LimitConfig } from './limit';
import type { ResolvedRules } from './rules-document';

/**
 * The rules and limits as ledgers keep them beside their version: the same ones give the same text, however they were
 * listed. Without limits it is the list of rules alone.
 */
export function rulesText({ rules, limits }: ResolvedRules): string {
  const inOrder = [...rules].sort((a, b) => (a.action < b.action ? -1 : 1));
  const list = inOrder.map(({ action, points, revocable, days, once, ownSubject, where, grants, during, code }) => ({
    action,
    points,
    revocable,
    days,
    ...(once && { once }),
    ownSubject,
    // Rules that know of none keep their version; likewise those without a `once` or spans.
    ...(where.length > 0 && { where }),
    ...(grants.length > 0 && { grants }),
    ...(during.length > 0 && { during }),
    code,
  }));
  if (limits.length === 0) return JSON.stringify(list);
  const byName = [...limits].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ config }) => inKeyOrder(config));
  return JSON.stringify({ rules: list, limits: byName });
}

function inKeyOrder(limit: LimitConfig): object {
  return Object.fromEntries(Object.entries(limit).sort(([a], [b]) => (a < b ? -1 : 1)));
}
