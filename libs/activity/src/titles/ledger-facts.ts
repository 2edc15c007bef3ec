import type { LedgerDay } from '@laurel/leaderboard';
import { cached, dayMs, isAdjustmentField } from '@laurel/leaderboard/internals';
import type { Ledgers } from '../core/ledgers/ledgers';
import { ownerFieldPrefix, receivedIn } from '../core/rules/ledger-field';
import type { RuleBook } from '../core/rules/rule-book';
import type { FactsQuery, KnownFacts, TitleCounts } from './title-facts';

/** The most days whose ledgers are read. */
const maxDays = 31;

/** Of how many days hours are told. */
const hourDays = 7;

/**
 * The facts of each user in the ledgers of the period's days up to `lastMs`, as far as needed and all of those days are
 * kept. One round trip a shard.
 */
export async function ledgerFacts(
  ledgers: Ledgers,
  book: RuleBook,
  asked: FactsQuery,
  userIds: readonly string[],
): Promise<Pick<KnownFacts, 'counts' | 'hours'>[]> {
  const days = daysOf(ledgers, asked);
  if (!days) return userIds.map(() => ({ counts: null, hours: null }));
  const { ledger, settings } = asked.query.leaderboard;
  const { from, last, withCounts, hoursFrom } = days;
  const hourAt = localHours(settings.timezone);
  const found = await ledger.history.ofMembers(userIds, from, last);
  return found.map((own) => {
    const lately = hoursFrom === null ? null : own.filter(({ date }) => date >= hoursFrom);
    return { counts: withCounts ? countsOf(own, book) : null, hours: lately && hoursOf(lately, hourAt) };
  });
}

/** Of which days what is told; `hoursFrom`: the first day that hours are told of, null: they are not. */
function daysOf(ledgers: Ledgers, { query: { leaderboard, period }, needs, lastMs }: FactsQuery) {
  const { periods } = leaderboard.ledger;
  if (lastMs < period.start.getTime()) return null;
  const last = periods.dayOf(lastMs);
  const first = periods.dayOf(period.start.getTime());
  // Noon of the first of them: no change of the zone's clocks leads to another day.
  const lately = periods.dayOf(Math.max(period.start.getTime(), last.start.getTime() - (hourDays - 1.5) * dayMs));
  const length = (Date.parse(last.key) - Date.parse(first.key)) / dayMs + 1;
  const isCounted = length <= maxDays && period.kind !== 'hour';
  const withCounts = needs.has('counts') && isCounted && ledgers.keeps(first);
  const hoursFrom = needs.has('hours') && ledgers.keeps(lately) ? lately.key : null;
  if (!withCounts && hoursFrom === null) return null;
  return { from: withCounts ? first : lately, last, withCounts, hoursFrom };
}

/** How often each action stands in the ledgers. */
export function countsOf(
  days: readonly LedgerDay[],
  rules: Pick<RuleBook, 'actionOfCode' | 'actionOfField'>,
): TitleCounts {
  // Codes of rules that have gone stand for themselves: none may meet what objects inherit.
  const given = Object.create(null) as Record<string, number>;
  for (const { field, version } of days.flatMap(({ fields }) => fields)) {
    if (version === null || !isOwnDoing(field)) continue;
    const action = rules.actionOfField(field);
    given[action] = (given[action] ?? 0) + 1;
  }
  return { given, received: receivedIn(days, rules) };
}

/** How many of the user's own standing actions were granted in each hour of the day. */
export function hoursOf(days: readonly LedgerDay[], hourAt: (ms: number) => number): number[] {
  const hours = new Array<number>(24).fill(0);
  for (const { field, version, grantedAtMs } of days.flatMap(({ fields }) => fields)) {
    if (version === null || grantedAtMs === null || !isOwnDoing(field)) continue;
    const hour = hourAt(grantedAtMs);
    hours[hour] = (hours[hour] ?? 0) + 1;
  }
  return hours;
}

/** Whether a field is the user's own action: no grant to an owner, and no adjustment. */
function isOwnDoing(field: string): boolean {
  return !field.startsWith(ownerFieldPrefix) && !isAdjustmentField(field);
}

/** Zones differ by multiples of a quarter of an hour, and change at such moments. */
const quarterMs = 900_000;

/** A week has 672 quarters. */
const maxQuarters = 20_000;

const byZone = new Map<string, (ms: number) => number>();

/**
 * Finds the hour, 0 to 23, of moments in a zone. A zone is asked once for each quarter of an hour: that takes
 * microseconds.
 */
export function localHours(timeZone: string): (ms: number) => number {
  return cached(byZone, timeZone, () => {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', hourCycle: 'h23' });
    const hours = new Map<number, number>();
    return (ms) => cached(hours, Math.floor(ms / quarterMs), () => Number(format.format(ms)), maxQuarters);
  });
}
