import { isAdjustmentField, maxPartitionBytes } from '@laurel/leaderboard/internals';
import { announcedAction, eventNameOf } from '../activity/activity';
import { identifier } from '../activity/checks';
import { pointsWithin } from '../points/decimals';
import { moment, momentIn } from '../schema/moment';
import {
  type EntriesOf,
  flag,
  isObject,
  list,
  made,
  object,
  optional,
  type Schema,
  text,
  whole,
  word,
} from '../schema/schema';
import { ownerFieldPrefix } from './ledger-field';
import { beginOf, endOf, type ResolvedRule, type Rule, type RuleGrant, type RulePlace, type RuleSpan } from './rule';

/** The module would record its own announcements. */
const action = made(
  text(/^[a-z][a-z0-9_-]{0,23}$/, '1 to 24 of a-z, 0-9, "-" and "_", a letter first'),
  (name, place) =>
    name === announcedAction
      ? place.refuse(name, `the module itself emits "${eventNameOf(name)}"; choose another`)
      : name,
);

/** The range of an action's points. 0: it is recorded, counted and limited, but moves no points. */
export function actionPoints(decimals: number): Schema<number> {
  return pointsWithin(decimals, { min: -1_000_000, max: 1_000_000 });
}

const named = {
  min: 1,
  advice: 'name at least one leaderboard, or leave it out',
  unique: [{ advice: 'name it once' }],
};

const grant = (decimals: number) =>
  object({
    to: word(['owner']),
    points: actionPoints(decimals),
    leaderboards: optional(list(text(/^[a-z0-9_-]{1,32}$/, 'the name of a leaderboard'), named)),
  } satisfies EntriesOf<RuleGrant>);

/** The key of a partition. */
export const partitionKey = text(
  /^[A-Za-z][A-Za-z0-9_-]{0,31}$/,
  '1 to 32 of letters, digits, "-" and "_", a letter first',
);

const parts = list(identifier(maxPartitionBytes), { min: 1, max: 1_000 });
const place = made(
  object({ partition: partitionKey, only: optional(parts), except: optional(parts) } satisfies EntriesOf<RulePlace>),
  (read, at) => (read.only || read.except ? read : at.refuse(read, 'give it only, except, or both')),
);
/** The partitions for which a rule or a leaderboard counts. */
export const places = optional(list(place, { max: 10 }), []);

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
const ruleSpans = (decimals: number): Schema<readonly RuleSpan[]> =>
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

const days = whole(1, 31);

/** How often a subject counts. */
const once: Schema<'day' | 'ever' | 'each' | { readonly days: number }> = (given, place) =>
  isObject(given) ? object({ days })(given, place) : word(['day', 'ever', 'each'])(given, place);

const fields = (decimals: number) =>
  object(
    {
      action,
      points: actionPoints(decimals),
      revocable: flag,
      once: optional(once),
      days: optional(days, 1),
      ownSubject: optional(word(['ignore', 'count']), 'count'),
      where: places,
      grants: optional(list(grant(decimals), { max: 1, advice: 'give an owner one grant' }), []),
      during: optional(ruleSpans(decimals), []),
      code: optional(text(/^[a-z0-9]{1,8}$/, '1 to 8 of a-z and 0-9')),
    } satisfies EntriesOf<Rule>,
    { allowed: '{ "action": …, "points": …, "revocable": … }', unknown: () => 'is unknown: a rule has' },
  );

const rule = (decimals: number): Schema<ResolvedRule> =>
  made(fields(decimals), (read, place) => {
    const { once: often, code = read.action.replace(/[^a-z0-9]/g, '').slice(0, 8), ...others } = read;
    if (isAdjustmentField(`${code}:`) || ownerFieldPrefix === `${code}:`) {
      return place.property('code').refuse(code, 'it is reserved for ledgers; choose another');
    }
    if (often !== undefined && read.days > 1) {
      return place.property('once').refuse(often, 'the rule has days too; give one of the two');
    }
    const unowned = read.grants.length > 0 ? -1 : read.during.findIndex((span) => span.ownerPoints !== undefined);
    if (unowned >= 0) {
      const at = place.property('during').item(unowned).property('ownerPoints');
      return at.refuse(read.during[unowned]?.ownerPoints, 'the rule gives owners nothing; give it grants');
    }
    const inDays = typeof often === 'object' ? often.days : read.days;
    return Object.freeze({
      ...others,
      code,
      days: inDays,
      ...((often === 'ever' || often === 'each') && { once: often }),
    });
  });

/** Rules, from whichever source, with every default filled in. */
export const rulesSchema = (decimals: number) =>
  list(rule(decimals), {
    ...{ min: 1, max: 100 },
    unique: [
      { property: 'action', advice: 'give an action one rule' },
      { property: 'code', advice: 'give one of the two a code of its own' },
    ],
  });
