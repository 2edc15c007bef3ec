import { momentIn } from '../schema/moment';

/** The points of an action, and how often it counts. */
export interface Rule {
  /** The action's name: 1 to 24 of `a-z`, `0-9`, `-` and `_`, a letter first. */
  readonly action: string;
  /**
   * Its points: whole, or with `decimals`, at most 1,000,000. Negative points are taken, for spam. With 0, the activity
   * is recorded but moves only tallies, and only limits that name its action apply. Set 0 to retire an action: revokes
   * still take back what it gave before.
   */
  readonly points: number;
  /** Whether the points can be taken back. A revoke of an action that cannot is `ignored`. */
  readonly revocable: boolean;
  /**
   * How often a subject counts: once a `day`; once in so many `{ days }`, 1 to 31; once for `ever` (after a revoke it
   * may count again); or `each` time, by the `id` of its activities. @defaultValue `day`
   */
  readonly once?: 'day' | { readonly days: number } | 'ever' | 'each';
  /** The same as `once: { days }`. @defaultValue `1` */
  readonly days?: number;
  /**
   * Whether the action counts on the user's own subject (the activity names its owner, or the subject is a user,
   * `user:42`): with `ignore` it does not. @defaultValue `count`
   */
  readonly ownSubject?: 'ignore' | 'count';
  /** Partitions for which it counts: `[{ partition: 'category', except: ['spam'] }]`. @defaultValue any */
  readonly where?: readonly RulePlace[];
  /** Points for others: at most one `{ to: 'owner', points, leaderboards? }`. @defaultValue none */
  readonly grants?: readonly RuleGrant[];
  /**
   * Other points during spans of time, by the moment of the activity, not of its arrival. At most 100 spans, which do
   * not overlap. @defaultValue none
   */
  readonly during?: readonly RuleSpan[];
  /**
   * The action's name in ledgers: 1 to 8 of `a-z` and `0-9`; short codes save memory. It must never change
   * while ledgers live. @defaultValue the first 8 of the action's letters and digits
   */
  readonly code?: string;
}

/** For which values of one of its `partitions` an activity counts: by a rule, others are `ignored`. */
export interface RulePlace {
  /** Their key: `category`. */
  readonly partition: string;
  /** These alone; an activity without a value does not count. @defaultValue any */
  readonly only?: readonly string[];
  /** All but these. @defaultValue none */
  readonly except?: readonly string[];
}

/** The points of an action for another user than the one who does it. */
export interface RuleGrant {
  /** The owner of the subject: the `ownerId` of the activity; if the subject is a user, `user:42`, that user. */
  readonly to: 'owner';
  /**
   * As {@link Rule.points}, in the owner's ledger and on the boards of the action, whenever the activity counts. 0:
   * receipts are only counted.
   */
  readonly points: number;
  /**
   * The leaderboards on which the points count, and no others, whatever their `actions`: for a ranking of authors.
   * @defaultValue those that take the action
   */
  readonly leaderboards?: readonly string[];
}

/** A time in which an action gives otherwise: a weekend of double points, a campaign. */
export interface RuleSpan {
  /** Its first moment: `2026-12-05T00:00:00+08:00`, with `Z` or an offset. @defaultValue it has always been */
  readonly from?: string;
  /** The first moment after it, as `from`. Give one of the two at least. @defaultValue it never ends */
  readonly until?: string;
  /** The action's points meanwhile, as {@link Rule.points}. */
  readonly points: number;
  /** The owner's points meanwhile, if the rule `grants` them any. @defaultValue as usual */
  readonly ownerPoints?: number;
}

/** A {@link Rule} with every default filled in: without a `once`, a subject counts once in its `days`. */
export type ResolvedRule = Required<Omit<Rule, 'once'>> & { readonly once?: 'ever' | 'each' };

/** The points of a rule at one moment, for the user and for the subject's owner. */
export interface RuleWorth {
  readonly points: number;
  /** Undefined: nothing, not even a count. */
  readonly ownerPoints: number | undefined;
}

/** The first moment of a span, and the first after it. */
export const beginOf = ({ from }: RuleSpan): number => (from === undefined ? -Infinity : momentIn(from));
export const endOf = ({ until }: RuleSpan): number => (until === undefined ? Infinity : momentIn(until));

/** All that a rule ever gives: what it usually does, then in each of its spans. */
export function worthsOf({ points, grants, during }: ResolvedRule): readonly RuleWorth[] {
  const ownerPoints = grants[0]?.points;
  return [{ points, ownerPoints }, ...during.map((span) => ({ ownerPoints, ...span }))];
}

/** A rule with a ledger's own points of its action, which hold at all times. */
export function withPoints(rule: ResolvedRule, own: Readonly<Record<string, number>> | null): ResolvedRule {
  const points = own?.[rule.action];
  if (points === undefined) return rule;
  return { ...rule, points, during: rule.during.map((span) => ({ ...span, points })) };
}
