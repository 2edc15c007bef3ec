import { chunksOf } from '../../lists/lists';
import type { Fact } from '../facts/fact';
import type { BoardPeriod } from '../periods/calendar';
import { worth } from './difference';
import type { Judging } from './member-facts';
import { boardsOfField, type MemberLedger } from './member-ledger';
import { eachTogether } from './view';

/** How many days are read together. */
const daysAtOnce = 8;

/**
 * The latest moment since when anything of a member stands on a board; null: nothing does. Reads days from the latest
 * on until one tells: only what has no day may be later than the end of its day.
 */
export function latestOn(
  ledger: MemberLedger,
  { board, period, keys: [key] }: BoardPeriod,
  judging: Judging,
): number | null {
  const { calendar, firstDay, lastDay, packedBefore } = judging;
  const isTally = board.tallyOf != null;
  let latest: number | null = null;
  const consider = (day: number, name: string, fact: Fact) => {
    if (!boardsOfField(judging, day, name, fact.parts).periods.some(({ keys: [other] }) => other === key)) return;
    const counted = ledger.counted(day, name);
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
  const inMemory: number[] = [];
  for (let day = Math.min(last, lastDay); day >= Math.max(first, firstDay); day -= 1) inMemory.push(day);
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
    const isOlder = (day: number) => day >= first && day < firstDay && day <= last;
    if (first < firstDay) yield* chunksOf(ledger.oldDays().filter(isOlder).reverse(), daysAtOnce);
  }
}
