import type { Transition, TransitionLimit } from '@laurel/leaderboard';
import type { FieldLaw } from '@laurel/leaderboard/internals';
import { unitsOf } from '../points/decimals';
import { codeOfField } from './ledger-field';
import type { ResolvedLimit } from './limit';
import { beginOf, endOf, type ResolvedRule, type RuleWorth, withPoints, worthsOf } from './rule';

/** Whether the count is the user's or the owner's. */
export type TallySide = 'given' | 'received';

/** How often an action was done by users, or done to what is theirs: `given:comment`, `received:praise`. */
export type Tally = `${TallySide}:${string}`;

/** A leaderboard as far as counting knows it. */
export interface CountingBoard {
  readonly name: string;
  /** Undefined: all. */
  readonly actions: readonly string[] | undefined;
  readonly tallies: readonly Tally[];
}

/** Whether `text` is a {@link Tally} of one of the actions. */
export function isTally(text: unknown, actions: readonly string[]): text is Tally {
  const [, action] = typeof text === 'string' ? (/^(?:given|received):(.*)$/s.exec(text) ?? []) : [];
  return action !== undefined && actions.includes(action);
}

/** The action that a tally counts. */
export function actionOfTally(tally: Tally): string {
  return tally.slice(tally.indexOf(':') + 1);
}

/** The ledger's board on which a leaderboard's tally is kept, by the code that the rules give its action. */
export function tallyBoard(leaderboard: string, tally: Tally, rules: readonly ResolvedRule[]): string {
  const { code = '' } = rules.find(({ action }) => action === actionOfTally(tally)) ?? {};
  return `${leaderboard}.${tally.startsWith('given:') ? 'g' : 'r'}.${code}`;
}

/**
 * The tallies of these leaderboards that an action counts on: `given` for who does it, `received` for whose it is done
 * to.
 */
function talliesOf(leaderboards: readonly CountingBoard[], side: TallySide, rule: ResolvedRule): string[] {
  const tally: Tally = `${side}:${rule.action}`;
  return leaderboards.flatMap(({ name, tallies }) =>
    tallies.includes(tally) ? [tallyBoard(name, tally, [rule])] : [],
  );
}

/** A ledger as far as rules know it: which actions count on its boards, and what they are worth there. */
export interface CountingLedger {
  readonly points: Readonly<Record<string, number>> | null;
  readonly leaderboards: readonly CountingBoard[];
  /** Of the points. Default 0. */
  readonly decimals?: number;
}

/** A rule's points at a moment, in one ledger. */
interface LedgerWorth {
  /** The common part of all its transitions there. */
  readonly share: Pick<Transition, 'points' | 'version'>;
  /** The owner's gift; null: nothing, not even a count. */
  readonly ownerPoints: number | null;
}

/** The data that turns an activity of one action into a transition; made once, shared by all. */
export interface RuleEntry {
  readonly rule: ResolvedRule;
  /**
   * Its points for an activity of a moment, for each ledger in order; null: the action counts on none of its boards.
   * One is not, at least.
   */
  readonly at: (this: void, ms: number) => readonly (LedgerWorth | null)[];
  /** Whether it ever gives the owner of the subject points, not a count alone. */
  readonly givesOwners: boolean;
  /** Whether its limits ask for the subject's owner, whom ledgers keep then. */
  readonly namesOwner: boolean;
}

/** The laws of a rule's fields in one ledger: of who does it, and of the owner of what it is done to. */
type RuleLaws = Readonly<Record<TallySide, FieldLaw>>;

/** One set of rules and limits, looked up by action or by the code that ledgers know them by. It never changes. */
export class RuleBook {
  /** Every action that has a rule, in the order of the rules. */
  readonly actions: readonly string[];
  /** Of points, which transitions have as whole units. */
  readonly decimals: number;
  private readonly byAction: ReadonlyMap<string, RuleEntry>;
  private readonly actionsByCode: ReadonlyMap<string, string>;
  /** For each ledger, by codes of rules. */
  private readonly laws: readonly ReadonlyMap<string, RuleLaws>[];

  /** @param versions that the ledgers gave to these rules, in their order. Default: what they were built with. */
  constructor(
    readonly rules: readonly ResolvedRule[],
    private readonly ledgers: readonly CountingLedger[],
    /** Every limit, in the order of the options. */
    readonly limits: readonly ResolvedLimit[] = [],
    private readonly versions: readonly number[] = [],
  ) {
    this.actions = rules.map(({ action }) => action);
    this.decimals = ledgers[0]?.decimals ?? 0;
    this.byAction = new Map(rules.map((rule) => [rule.action, Object.freeze(this.entryOf(rule))] as const));
    this.actionsByCode = new Map(rules.map(({ code, action }) => [code, action] as const));
    this.laws = ledgers.map((ledger) => {
      return new Map(rules.map((rule) => [rule.code, this.lawsOf(withPoints(rule, ledger.points), ledger)]));
    });
  }

  /** The same rules and points on other leaderboards of the ledgers. */
  on(ledgers: readonly CountingLedger[]): RuleBook {
    const counting = ledgers.map((ledger, i) => ({ ...ledger, points: this.ledgers[i]?.points ?? null }));
    return new RuleBook(this.rules, counting, this.limits, this.versions);
  }

  /** The entry of an action, if any rule names it. */
  find(action: string): RuleEntry | undefined {
    return this.byAction.get(action);
  }

  /** The action of a ledger's field; the code itself if there is no such rule now. */
  actionOfField(field: string): string {
    return this.actionOfCode(codeOfField(field));
  }

  /** The action of a rule's code; the code itself if there is no such rule now. */
  actionOfCode(code: string): string {
    return this.actionsByCode.get(code) ?? code;
  }

  /** The law of what a ledger's fields of a code are; undefined where no rule has it. */
  lawOf(ledger: number, code: string, side: TallySide): FieldLaw | undefined {
    return this.laws[ledger]?.get(code)?.[side];
  }

  /** A ledger's leaderboards that take all actions. */
  boardsOfAll(ledger: number): readonly string[] {
    const { leaderboards = [] } = this.ledgers[ledger] ?? {};
    return leaderboards.flatMap(({ name, actions }) => (actions === undefined ? [name] : []));
  }

  /** The limits that a rule's activities are under: limits of all actions are of those alone that earn anything. */
  private limitsOf(rule: ResolvedRule): readonly TransitionLimit[] {
    const earns = worthsOf(rule).some(({ points }) => points > 0);
    const own = this.limits.filter(({ action }) => (action === null ? earns : action === rule.action));
    return own.map((limit) => limitOf(limit, rule));
  }

  private lawsOf(rule: ResolvedRule, { leaderboards }: CountingLedger): RuleLaws {
    const counting = leaderboards.filter((board) => takes(board, rule.action));
    const named = rule.grants[0]?.leaderboards;
    const receiving = named ? leaderboards.filter(({ name }) => named.includes(name)) : counting;
    const boardsOf = (boards: readonly CountingBoard[], tallies: readonly string[]) =>
      boards.length < leaderboards.length || tallies.length > 0
        ? [...boards.map(({ name }) => name), ...tallies]
        : undefined;
    const isForEver = rule.once === 'ever' || rule.once === 'each';
    return {
      given: {
        once: isForEver ? Infinity : rule.days,
        limits: this.limitsOf(rule),
        // Where it gives the owner alone something, the giver's own is worth nothing.
        boards: boardsOf(counting.length > 0 ? counting : receiving, talliesOf(counting, 'given', rule)),
      },
      received: { once: 1, limits: [], boards: boardsOf(receiving, talliesOf(counting, 'received', rule)) },
    };
  }

  private entryOf(rule: ResolvedRule): RuleEntry {
    return {
      rule,
      at: byMoment(rule, (worth) => this.worthOf(rule, worth)),
      givesOwners: givesOwners(rule),
      namesOwner: this.ledgers
        .flatMap(({ points }) => this.limitsOf(withPoints(rule, points)))
        .some((limit) => limit.type === 'own' || (limit.type === 'sliding' && limit.per === 'pair')),
    };
  }

  private worthOf(rule: ResolvedRule, worth: RuleWorth): readonly (LedgerWorth | null)[] {
    const [grant] = rule.grants;
    const isCounting = ({ leaderboards }: CountingLedger) => leaderboards.some((board) => takes(board, rule.action));
    // The module's own ledger answers activities that count nowhere.
    const isAnyCounting = this.ledgers.some(isCounting);
    return this.ledgers.map((ledger, i) => {
      const counts = isCounting(ledger);
      const gives = ledger.leaderboards.some(({ name }) => grant?.leaderboards?.includes(name));
      if (!counts && !gives && (isAnyCounting || i > 0)) return null;
      const version = this.versions[i];
      const points = counts || !gives ? unitsOf(ledger.points?.[rule.action] ?? worth.points, this.decimals) : 0;
      // Where nothing but the count is kept, the module's own ledger keeps it, and those that have tallies of it.
      const isKept = givesOwners(rule) || i === 0 || talliesOf(ledger.leaderboards, 'received', rule).length > 0;
      const given = !grant?.leaderboards || gives ? unitsOf(worth.ownerPoints ?? 0, this.decimals) : 0;
      return Object.freeze({
        share: Object.freeze({ points, ...(version !== undefined && { version }) }),
        ownerPoints: grant && (counts || gives) && isKept ? given : null,
      });
    });
  }
}

/** Whether an action counts on a leaderboard. */
function takes({ actions }: CountingBoard, action: string): boolean {
  return actions === undefined || actions.includes(action);
}

/** A limit of a rule's activities: an action worth nothing is counted where it stands, as nothing of it has points. */
export function limitOf({ onTransition, action }: ResolvedLimit, rule: ResolvedRule): TransitionLimit {
  if (onTransition.type !== 'daily' || onTransition.of !== 'grants' || action === null) return onTransition;
  return worthsOf(rule).some(({ points }) => points !== 0) ? onTransition : { ...onTransition, of: 'standing' };
}

function givesOwners(rule: ResolvedRule): boolean {
  return worthsOf(rule).some(({ ownerPoints = 0 }) => ownerPoints !== 0);
}

/** A rule's points, made by `make`, by the moment of an activity: a span contains its begin, not its end. */
export function byMoment<Made>(rule: ResolvedRule, make: (worth: RuleWorth) => Made): (ms: number) => Made {
  const [usual, ...spans] = worthsOf(rule).map(make) as [Made, ...Made[]];
  const bounds = rule.during.map((span) => [beginOf(span), endOf(span)] as const);
  if (spans.length === 0) return () => usual;
  return (ms) => spans[bounds.findIndex(([fromMs, untilMs]) => fromMs <= ms && ms < untilMs)] ?? usual;
}
