import type { Transition } from '@laurel/leaderboard';
import type { ResolvedLimit } from '../limits/limit';
import { transitionLimit } from '../limits/transition-limit';
import { codeOfField } from './ledger-field';
import type { ResolvedRule } from './rule';

/** A leaderboard as far as rules know it: which actions count on it. */
interface CountingBoard {
  readonly name: string;
  readonly actions?: readonly string[] | undefined;
}

/** What the module must know to turn an activity of one action into a transition; made once, shared by all. */
export interface RuleEntry {
  readonly rule: ResolvedRule;
  /** What all transitions of the rule have in common. The engine knows lists of boards by their identity. */
  readonly common: Pick<Transition, 'points' | 'boards' | 'onceInDays' | 'limits'>;
}

/** The rules in force, looked up by action or by the code that ledgers know them by. */
export class RuleBook {
  /** Every action that has a rule, in the order of the rules. */
  readonly actions: readonly string[];
  private readonly byAction: ReadonlyMap<string, RuleEntry>;
  private readonly actionsByCode: ReadonlyMap<string, string>;

  constructor(
    rules: readonly ResolvedRule[],
    leaderboards: readonly CountingBoard[],
    limits: readonly ResolvedLimit[] = [],
  ) {
    this.actions = rules.map(({ action }) => action);
    this.byAction = new Map(
      rules.map((rule) => [rule.action, Object.freeze(entryOf(rule, leaderboards, limits))] as const),
    );
    this.actionsByCode = new Map(rules.map(({ code, action }) => [code, action] as const));
  }

  /** The entry of an action, if any rule names it. */
  find(action: string): RuleEntry | undefined {
    return this.byAction.get(action);
  }

  /** The action of a ledger's field; the code itself where its rule has gone. */
  actionOfField(field: string): string {
    const code = codeOfField(field);
    return this.actionsByCode.get(code) ?? code;
  }
}

function entryOf(
  rule: ResolvedRule,
  leaderboards: readonly CountingBoard[],
  limits: readonly ResolvedLimit[],
): RuleEntry {
  const counting = leaderboards.filter(({ actions }) => actions === undefined || actions.includes(rule.action));
  const own = limits.filter(({ action }) => action === rule.action);
  return {
    rule,
    common: Object.freeze({
      points: rule.points,
      ...(counting.length < leaderboards.length && { boards: counting.map(({ name }) => name) }),
      ...(rule.days > 1 && { onceInDays: rule.days }),
      ...(own.length > 0 && { limits: own.map((limit) => transitionLimit(limit, rule.code)) }),
    }),
  };
}
