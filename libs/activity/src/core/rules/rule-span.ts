import { pointsWithin } from '../points/decimals';
import { moment, momentIn } from '../schema/moment';
import { type EntriesOf, list, made, object, optional, type Schema } from '../schema/schema';
import type { ResolvedRule, RuleSpan } from './rule';

/** The range of an action's points. 0: it is recorded, counted and limited, but moves no points. */
export function actionPoints(decimals: number): Schema<number> {
  return pointsWithin(decimals, { min: -1_000_000, max: 1_000_000 });
}

/** The points of a rule at one moment, for the user and for the subject's owner. */
export interface RuleWorth {
  readonly points: number;
  /** Undefined: nothing, not even a count. */
  readonly ownerPoints: number | undefined;
}

const beginOf = ({ from }: RuleSpan): number => (from === undefined ? -Infinity : momentIn(from));
const endOf = ({ until }: RuleSpan): number => (until === undefined ? Infinity : momentIn(until));

/** A rule's points, made by `make`, by the moment of an activity: a span contains its begin, not its end. */
export function byMoment<Made>(rule: ResolvedRule, make: (worth: RuleWorth) => Made): (ms: number) => Made {
  const [usual, ...spans] = worthsOf(rule).map(make) as [Made, ...Made[]];
  const bounds = rule.during.map((span) => [beginOf(span), endOf(span)] as const);
  if (spans.length === 0) return () => usual;
  return (ms) => spans[bounds.findIndex(([fromMs, untilMs]) => fromMs <= ms && ms < untilMs)] ?? usual;
}

/** All that a rule ever gives: what it usually does, then in each of its spans. */
export function worthsOf({ points, grants, during }: ResolvedRule): readonly RuleWorth[] {
  const ownerPoints = grants[0]?.points;
  return [{ points, ownerPoints }, ...during.map((span) => ({ ownerPoints, ...span }))];
}

const span = (decimals: number) =>
  made(
    object({
      from: optional(moment),
      until: optional(moment),
      points: actionPoints(decimals),
      ownerPoints: optional(actionPoints(decimals)),
    } satisfies EntriesOf<RuleSpan>),
    (read, place) => {
      const { from, until, ...worth } = read;
      if (from === undefined && until === undefined) return place.refuse(read, 'give it from, until, or both');
      if (beginOf(read) >= endOf(read)) return place.property('until').refuse(until, 'let it be after from');
      const inUtc = (at: string) => new Date(momentIn(at)).toISOString();
      return Object.freeze({
        ...(from !== undefined && { from: inUtc(from) }),
        ...(until !== undefined && { until: inUtc(until) }),
        ...worth,
      });
    },
  );

/** The spans of a rule, the earliest first. They do not overlap. */
export const ruleSpans = (decimals: number): Schema<readonly RuleSpan[]> =>
  made(list(span(decimals), { max: 100 }), (read, place) => {
    const order = read.map((one, index) => ({ one, index })).sort((a, b) => beginOf(a.one) - beginOf(b.one));
    for (const [i, { one, index }] of order.entries()) {
      const before = order[i - 1];
      if (!before || beginOf(one) >= endOf(before.one)) continue;
      const advice = `it begins before the end of during[${before.index}]; let spans follow one another`;
      return place.item(index).property('from').refuse(one.from, advice);
    }
    return Object.freeze(order.map(({ one }) => one));
  });
