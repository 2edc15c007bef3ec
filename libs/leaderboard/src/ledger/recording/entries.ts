import { chunksOf, groupBy } from '../../lists/lists';
import type { Fact } from '../facts/fact';
import { type BoardPeriod, isOfHours } from '../periods/calendar';
import { worth } from './judge';
import type { MemberLedger } from './member-ledger';
import { eachTogether } from './view';

/** The expected entry of a member. */
export interface ExpectedEntry {
  readonly period: BoardPeriod;
  points: number;
  /** The latest moment since when anything of it stands. */
  sinceMs: number;
}

/** By all facts, a member's entries by their boards' first keys, the days with facts, and those with own grants. */
export function expectedOf(ledger: MemberLedger) {
  const { firstDay, lastDay } = ledger.judging;
  ledger.wantAlways();
  const inMemory = ledger.daysBetween(firstDay, lastDay);
  if (!ledger.view.hashes.has(ledger.oldKey)) ledger.view.wantThere(inMemory.map((day) => ledger.ledgerKey(day)));
  const all = ledger.daysBetween(0, lastDay).filter((day) => !ledger.isGone(day));
  ledger.wantDays(all);
  const facts = all.map((day) => [day, ledger.everyFact(day)] as const).filter(([, fields]) => fields.length > 0);
  const named = facts.flatMap(([day, fields]) => fields.map(([name]) => ({ day, name })));
  // All days are read: nothing else has to tell on which of them a field lies.
  for (const [name, own] of groupBy(named, (one) => one.name))
    ledger.view.spans.set(name, own.map(({ day }) => day).join(' '));
  const entries = new Map<string, ExpectedEntry>();
  for (const [day, fields] of facts) {
    for (const [name, { parts }] of fields) {
      const counted = ledger.counted(day, name);
      if (!counted) continue;
      for (const period of ledger.boardsOf(day, name, parts, counted.sinceMs).periods) {
        const points = worth(counted, period.board.tallyOf != null);
        if (points === 0) continue;
        const [key = ''] = period.keys;
        const entry = entries.get(key) ?? { period, points: 0, sinceMs: 0 };
        entry.points += points;
        entry.sinceMs = Math.max(entry.sinceMs, counted.sinceMs);
        entries.set(key, entry);
      }
    }
  }
  // Grants that count once for ever are noted on the days of their revokes too.
  const isGranted = (day: number, name: string, fact: Fact) =>
    ledger.isOwn(name) && fact.first !== null && (ledger.isOfDay(day, name) || (ledger.dayOf(fact) ?? 0) <= day);
  const granted = facts.filter(([day, fields]) => fields.some(([name, fact]) => isGranted(day, name, fact)));
  return { entries, days: facts.map(([day]) => day), grantDays: granted.map(([day]) => day) };
}

/** How many days are read together. */
const daysAtOnce = 8;

/** The latest moment since when anything of a member stands on a board, null: nothing; from the latest day back. */
export function latestOn(ledger: MemberLedger, { board, period, keys: [key] }: BoardPeriod): number | null {
  const isOn = (day: number, name: string, { parts }: Fact, sinceMs: number) =>
    ledger.boardsOf(day, name, parts, sinceMs).periods.some(({ keys: [other] }) => other === key);
  const { calendar, firstDay, packedBefore } = ledger.judging;
  const isTally = board.tallyOf != null;
  let latest: number | null = null;
  const consider = (day: number, name: string, fact: Fact) => {
    if (!isOn(day, name, fact, period.start.getTime())) return;
    const counted = ledger.counted(day, name);
    if (isOfHours(board) && !(counted && isOn(day, name, fact, counted.sinceMs))) return;
    if (worth(counted, isTally) !== 0) latest = Math.max(latest ?? 0, counted?.sinceMs ?? 0);
  };
  const considerAll = (day: number, facts: ReadonlyMap<string, Fact>) =>
    eachTogether(facts, ([name, fact]) => consider(day, name, fact));
  const first = calendar.dayOf(period.start.getTime()).number;
  const last = period.end ? calendar.dayOf(period.end.getTime() - 1).number : Infinity;
  for (const [name, fact] of ledger.allAlways()) {
    const day = ledger.dayOf(fact);
    if (day !== null && day >= first && day <= last) consider(day, name, fact);
  }
  const inMemory = ledger.daysBetween(Math.max(first, firstDay), last).reverse();
  for (const days of together()) {
    ledger.wantDays(days);
    for (const day of days) {
      if (latest !== null && !ledger.hasBeyond && latest >= (calendar.dayNumbered(day)?.endMs ?? 0)) return latest;
      considerAll(day, ledger.facts(day));
      for (const page of ledger.pagesLaterThan(day, () => latest ?? -1)) considerAll(day, page);
    }
  }
  return latest;

  /** The days from the latest on: two nearly always tell. */
  function* together(): Generator<readonly number[]> {
    yield inMemory.slice(0, 2);
    const others = inMemory.slice(2);
    if (others.length > daysAtOnce) {
      ledger.view.wantThere(others.map((day) => ledger.ledgerKey(day)));
      if (others.some((day) => day < packedBefore)) ledger.view.wantAll(ledger.oldKey);
    }
    yield* chunksOf(others, daysAtOnce);
    yield* chunksOf(ledger.daysBetween(first, Math.min(last, firstDay - 1)).reverse(), daysAtOnce);
  }
}
