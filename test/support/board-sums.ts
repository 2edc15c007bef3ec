import { Period, type Ledger } from '@laurel/leaderboard';

/**
 * A member's expected points on each board, by `board period`: those that stand in their ledgers, and those of
 * adjustments. For boards that accept every field.
 */
export async function boardSums(
  ledger: Ledger,
  member: string,
  fromMs: number,
  toMs: number,
): Promise<Record<string, number>> {
  const { timezone, boards } = ledger.settings;
  const [from, to] = [fromMs, toMs].map((ms) => Period.of('day', new Date(ms), timezone)) as [Period, Period];
  const sums: Record<string, number> = {};
  for (const { date, fields } of await ledger.history.days(member, from, to)) {
    const start = Period.parse('day', date, timezone).start;
    for (const { name, period } of boards) {
      const id = `${name} ${Period.nearest(period, start, timezone).key}`;
      for (const { points } of fields) if (points !== 0) sums[id] = (sums[id] ?? 0) + points;
    }
  }
  return sums;
}
