import type { Transition, TransitionLimit } from '@laurel/leaderboard';
import type { LedgerCount, PreparedLimit } from '@laurel/leaderboard/internals';
import { unitsOf } from '../points/decimals';
import { beginningsOf, type CountingBoard } from './board-counts';
import { talliesOf } from './tally';
import type { ResolvedLimit } from './limit';
import type { LimitedActivity } from './limit-type';
import { countsOf, transitionLimit } from './transition-limit';
import { codeOfField } from './ledger-field';
import type { ResolvedRule } from './rule';

/** A ledger as far as rules know it: which actions count on its boards, and what they are worth there. */
interface CountingLedger {
  readonly points: Readonly<Record<string, number>> | null;
  readonly leaderboards: readonly CountingBoard[];
  /** Of the points. Default 0. */
  readonly decimals?: number;
}

/** What all transitions of a rule have in common in one ledger. The engine knows lists of boards by their identity. */
export type RuleShare = Pick<
  Transition,
  'points' | 'boards' | 'beginnings' | 'onceInDays' | 'limits' | 'counts' | 'version'
>;

/** What the module must know to turn an activity of one action into a transition; made once, shared by all. */
export interface RuleEntry {
  readonly rule: ResolvedRule;
  /** For each ledger, in their order; null where the action counts on none of its boards. One is not, at least. */
  readonly shares: readonly (RuleShare | null)[];
  /** What prepares an activity's limits of the app's own types, in the order of its limits. */
  readonly prepare: readonly ((activity: LimitedActivity) => PreparedLimit)[];
  /** What the owner of the subject is given; null: nothing. */
  readonly owner: OwnerEntry | null;
  /** Where owners lose what a rule of the action has given them, this one or one before it. */
  readonly takenFromOwner: OwnerEntry['shares'];
}

/** As a {@link RuleEntry}'s, for the owner of the subject: no limits, these are the giver's. */
export interface OwnerEntry {
  readonly points: number;
  readonly shares: readonly (RuleShare | null)[];
}

/** Limits in the configuration's form, and in the engine's. */
interface BookLimit {
  readonly limit: ResolvedLimit;
  readonly onTransition: TransitionLimit;
}

/** One set of rules and limits, looked up by action or by the code that ledgers know them by. It never changes. */
export class RuleBook {
  /** Every action that has a rule, in the order of the rules. */
  readonly actions: readonly string[];
  /** Every limit, in the order of the options. */
  readonly limits: readonly BookLimit[];
  /** What daily limits count, of all actions: each transition says so. */
  readonly counts: readonly LedgerCount[] | undefined;
  /** For each ledger, which fields count on its boards: one object, which every transition names. */
  private readonly beginnings: readonly NonNullable<Transition['beginnings']>[];
  private readonly byAction: ReadonlyMap<string, RuleEntry>;
  private readonly actionsByCode: ReadonlyMap<string, string>;
  /** Of points, which transitions have as whole units. */
  readonly decimals: number;

  /** @param versions that the ledgers gave to these rules, in their order. Default: what they were built with. */
  constructor(
    readonly rules: readonly ResolvedRule[],
    ledgers: readonly CountingLedger[],
    limits: readonly ResolvedLimit[] = [],
    private readonly versions: readonly number[] = [],
  ) {
    this.actions = rules.map(({ action }) => action);
    this.decimals = ledgers[0]?.decimals ?? 0;
    this.limits = limits.map((limit) => ({ limit, onTransition: transitionLimit(limit, rules, this.decimals) }));
    this.counts = countsOf(this.limits.map(({ onTransition }) => onTransition));
    this.beginnings = ledgers.map(({ leaderboards }) => beginningsOf(leaderboards, rules));
    this.byAction = new Map(rules.map((rule) => [rule.action, Object.freeze(this.entryOf(rule, ledgers))] as const));
    this.actionsByCode = new Map(rules.map(({ code, action }) => [code, action] as const));
  }

  /** The entry of an action, if any rule names it. */
  find(action: string): RuleEntry | undefined {
    return this.byAction.get(action);
  }

  /** The action of a ledger's field; the code itself where its rule has gone. */
  actionOfField(field: string): string {
    return this.actionOfCode(codeOfField(field));
  }

  /** The action of a rule's code; the code itself where its rule has gone. */
  actionOfCode(code: string): string {
    return this.actionsByCode.get(code) ?? code;
  }

  private entryOf(rule: ResolvedRule, ledgers: readonly CountingLedger[]): RuleEntry {
    // Limits of all actions are of those that earn: what is retired takes no place from others.
    const earns = rule.points > 0 || ledgers.some(({ points }) => (points?.[rule.action] ?? 0) > 0);
    const own = this.limits.filter(({ limit: { action } }) => (action === null ? earns : action === rule.action));
    const limits = own.map(({ onTransition }) => onTransition);
    const shares = ledgers.map(({ leaderboards, points }, ledger) => {
      const beginnings = this.beginnings[ledger];
      const counting = leaderboards.filter(({ actions }) => actions === undefined || actions.includes(rule.action));
      const tallies = talliesOf(counting, 'given', rule);
      const version = this.versions[ledger];
      const share: RuleShare = {
        points: unitsOf(points?.[rule.action] ?? rule.points, this.decimals),
        ...((counting.length < leaderboards.length || tallies.length > 0) && {
          boards: [...counting.map(({ name }) => name), ...tallies],
        }),
        ...((rule.once === 'ever' || rule.days > 1) && { onceInDays: rule.once ? Infinity : rule.days }),
        ...(limits.length > 0 && { limits }),
        ...(this.counts && { counts: this.counts }),
        ...(beginnings && { beginnings }),
        ...(version !== undefined && { version }),
      };
      const received = talliesOf(counting, 'received', rule);
      const names = counting.map(({ name }) => name);
      const ownerBoards = names.length < leaderboards.length || received.length > 0 ? [...names, ...received] : null;
      const isTallied = received.length > 0;
      return { share: Object.freeze(share), counts: counting.length > 0, ownerBoards, isTallied };
    });
    // What counts nowhere is for the module's own ledger to answer.
    const isAnyCounting = shares.some(({ counts }) => counts);
    return {
      rule,
      shares: shares.map(({ share, counts }, ledger) => (counts || (!isAnyCounting && ledger === 0) ? share : null)),
      owner: ownerEntryOf(rule, shares, this.decimals),
      takenFromOwner: ownerShares(shares, 0, () => true),
      prepare: own.flatMap(({ limit }) => (limit.type === 'own' ? limit.prepare : [])),
    };
  }
}

/** What a rule comes to in one ledger. */
interface LedgerShare {
  readonly share: RuleShare;
  /** Whether any of its boards takes the action. */
  readonly counts: boolean;
  /** Those that take what owners are given; null: all. */
  readonly ownerBoards: readonly string[] | null;
  /** Whether it counts, beside a board, what owners receive. */
  readonly isTallied: boolean;
}

/** Where nothing but the count is kept, the module's own ledger keeps it, and those that have tallies of it. */
function ownerEntryOf({ grants }: ResolvedRule, shares: readonly LedgerShare[], decimals: number): OwnerEntry | null {
  const grant = grants.find(({ to }) => to === 'owner');
  if (!grant) return null;
  const points = unitsOf(grant.points, decimals);
  const keeps = ({ isTallied }: LedgerShare, ledger: number) => points !== 0 || ledger === 0 || isTallied;
  return Object.freeze({ points, shares: ownerShares(shares, points, keeps) });
}

function ownerShares(
  shares: readonly LedgerShare[],
  points: number,
  keeps: (one: LedgerShare, ledger: number) => boolean,
): OwnerEntry['shares'] {
  return shares.map((one, ledger) => {
    const { onceInDays, counts, beginnings, version } = one.share;
    if (!one.counts || !keeps(one, ledger)) return null;
    return Object.freeze({
      points,
      ...(one.ownerBoards && { boards: one.ownerBoards }),
      ...(onceInDays && { onceInDays }),
      ...(counts && { counts }),
      ...(beginnings && { beginnings }),
      ...(version !== undefined && { version }),
    });
  });
}
