import { adjustmentIn, isAdjustmentField, standsSinceMs } from '../../ledger';

/** A board on which fields count. */
export interface CountingBoard {
  readonly name: string;
  readonly isTally: boolean;
  /** What the fields begin with that count there; null: all. */
  readonly beginnings: readonly string[] | null;
}

/** What a page of a ledger has beside fields. */
const total = /^[=+@]/;

/** What a field, its value in full, adds to a board and since when: the twin of `worthOf` of include/standing.lua. */
export function worthOf(
  field: string,
  value: string,
  { name, isTally, beginnings }: CountingBoard,
): { readonly points: number; readonly sinceMs: number | null } {
  if (isAdjustmentField(field)) {
    const { changes, atMs } = adjustmentIn(value);
    const own = Object.entries(changes).filter(([where]) => where === name || where.startsWith(`${name}/`));
    const points = isTally ? 0 : own.reduce((sum, [, change]) => sum + change, 0);
    return { points, sinceMs: points > 0 && field !== 'adjust:' ? atMs : null };
  }
  const none = { points: 0, sinceMs: null };
  if (field === '' || total.test(field)) return none;
  if (beginnings && !beginnings.some((beginning) => field.startsWith(beginning))) return none;
  const found = standsSinceMs(value);
  if (!found) return none;
  const points = isTally ? Number(found.isCounting) : found.points;
  return { points, sinceMs: points !== 0 ? found.sinceMs : null };
}
