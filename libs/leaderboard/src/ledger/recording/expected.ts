import type { BoardPeriod } from '../periods/calendar';
import { worth } from './difference';
import type { BoardsOf } from './latest';
import { ledgerFields, type Judging, type MemberLedger } from './member-ledger';

/** What an entry of a member should be. */
export interface ExpectedEntry {
  readonly period: BoardPeriod;
  points: number;
  /** The latest moment since when anything of it stands. */
  sinceMs: number;
}

/** What every entry of a member should be, of all facts, by the key of the board on the first shard. */
export function expectedEntries(
  ledger: MemberLedger,
  { lastDay }: Judging,
  boardsOf: BoardsOf,
): Map<string, ExpectedEntry> {
  const entries = new Map<string, ExpectedEntry>();
  const days = ledger.daysBetween(0, lastDay);
  ledger.wantDays(days);
  for (const day of days) {
    const facts = [...ledger.facts(day)];
    if (facts.length >= ledgerFields) for (const page of ledger.pagesLaterThan(day, () => -1)) facts.push(...page);
    ledger.wantRevokes(facts.map(([name]) => name));
    for (const [name, { parts }] of facts) {
      const counted = ledger.counted(day, name);
      if (!counted) continue;
      for (const period of boardsOf(day, name, parts)) {
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
  return entries;
}
