import type { ResolvedRule } from './rule';

/** The rules as ledgers keep them beside their version: the same rules give the same text, however they were listed. */
export function rulesText(rules: readonly ResolvedRule[]): string {
  const inOrder = [...rules].sort((a, b) => (a.action < b.action ? -1 : 1));
  return JSON.stringify(
    inOrder.map(({ action, points, revocable, days, ownSubject, code }) => ({
      action,
      points,
      revocable,
      days,
      ownSubject,
      code,
    })),
  );
}

/** Rules, and the version that ledgers remember what was granted by them with. */
export interface RuleVersion {
  /** From 1. The same rules have the same version, wherever and however often they are configured. */
  readonly version: number;
  /** When they were first used. */
  readonly since: Date;
  readonly rules: readonly ResolvedRule[];
}

/** The rules in a text of {@link rulesText}. */
export function rulesIn(text: string): readonly ResolvedRule[] {
  return JSON.parse(text) as readonly ResolvedRule[];
}
