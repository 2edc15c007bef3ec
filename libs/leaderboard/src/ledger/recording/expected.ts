import { groupBy } from '../../lists/lists';
import type { Fact } from '../facts/fact';
import { isAdjustmentField } from '../facts/adjustment';
import type { BoardPeriod } from '../periods/calendar';
import { worth } from './difference';
import type { Judging } from './member-facts';
import { boardsOfField, type MemberLedger } from './member-ledger';

/** The expected entry of a member. */
export interface ExpectedEntry {
  readonly period: BoardPeriod;
  points: number;
  /** The latest moment since when anything of it stands. */
  sinceMs: number;
}

/**
 * What a member should have, of all facts: entries by the key of the board on the first shard; the days of which there
 * are facts, the earliest first; and those among them with grants of the member's own. Reads all of the member's days.
 */
export function expectedOf(ledger: MemberLedger, judging: Judging) {
  ledger.wantAlways();
  if (!ledger.view.wholes.has(ledger.oldKey)) {
    const { firstDay, lastDay } = judging;
    const inMemory = Array.from({ length: lastDay - firstDay + 1 }, (_, i) => ledger.ledgerKey(firstDay + i));
    ledger.view.wantThere(inMemory);
  }
  const all = ledger.daysBetween(0, judging.lastDay).filter((day) => !ledger.isGone(day));
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
      for (const period of boardsOfField(judging, day, name, parts).periods) {
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
  const isOwn = (name: string) => !ledger.isGift(name) && !isAdjustmentField(name);
  // Grants that count once for ever are noted on the days of their revokes too.
  const isGranted = (day: number, name: string, fact: Fact) =>
    isOwn(name) && fact.first !== null && (ledger.isOfDay(day, name) || (ledger.dayOf(fact) ?? 0) <= day);
  const granted = facts.filter(([day, fields]) => fields.some(([name, fact]) => isGranted(day, name, fact)));
  return { entries, days: facts.map(([day]) => day), grantDays: granted.map(([day]) => day) };
}
