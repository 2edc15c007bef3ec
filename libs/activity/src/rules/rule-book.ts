import type { Transition } from '@laurel/leaderboard';
import type { LedgerFeed } from '../ledgers/ledger-feed';
import type { ResolvedLimit } from '../limits/limit';
import { transitionLimit } from '../limits/transition-limit';
import { codeOfField } from './ledger-field';
import type { ResolvedRule } from './rule';

/** A ledger as far as rules know it: which actions count on its boards, and what they are worth there. */
type CountingLedger = Pick<LedgerFeed, 'points'> & {
  readonly leaderboards: readonly Pick<LedgerFeed['leaderboards'][number], 'name' | 'actions'>[];
};

/** What all transitions of a rule have in common in one ledger. The engine knows lists of boards by their identity. */
export type RuleShare = Pick<Transition, 'points' | 'boards' | 'onceInDays' | 'limits'>;

/** What the module must know to turn an activity of one action into a transition; made once, shared by all. */
export interface RuleEntry {
  readonly rule: ResolvedRule;
  /** For each ledger, in their order; null where the action counts on none of its boards. One is not, at least. */
  readonly shares: readonly (RuleShare | null)[];
}

/** The rules in force, looked up by action or by the code that ledgers know them by. */
export class RuleBook {
  /** Every action that has a rule, in the order of the rules. */
  readonly actions: readonly string[];
  private readonly byAction: ReadonlyMap<string, RuleEntry>;
  private readonly actionsByCode: ReadonlyMap<string, string>;

  constructor(
    rules: readonly ResolvedRule[],
    ledgers: readonly CountingLedger[],
    limits: readonly ResolvedLimit[] = [],
  ) {
    this.actions = rules.map(({ action }) => action);
    this.byAction = new Map(rules.map((rule) => [rule.action, Object.freeze(entryOf(rule, ledgers, limits))] as const));
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

function entryOf(rule: ResolvedRule, ledgers: readonly CountingLedger[], limits: readonly ResolvedLimit[]): RuleEntry {
  const own = limits.filter(({ action }) => action === rule.action);
  const shares = ledgers.map(({ leaderboards, points }) => {
    const counting = leaderboards.filter(({ actions }) => actions === undefined || actions.includes(rule.action));
    const share: RuleShare = {
      points: points?.[rule.action] ?? rule.points,
      ...(counting.length < leaderboards.length && { boards: counting.map(({ name }) => name) }),
      ...(rule.days > 1 && { onceInDays: rule.days }),
      ...(own.length > 0 && { limits: own.map((limit) => transitionLimit(limit, rule.code)) }),
    };
    return { share: Object.freeze(share), counts: counting.length > 0 };
  });
  // What counts nowhere is for the module's own ledger to answer.
  const isAnyCounting = shares.some(({ counts }) => counts);
  return {
    rule,
    shares: shares.map(({ share, counts }, ledger) => (counts || (!isAnyCounting && ledger === 0) ? share : null)),
  };
}
