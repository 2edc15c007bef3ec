import type { LedgerAdjustment } from '../model/ledger.types';

/** The prefix of adjustments' fields; no other field may have it. */
const fieldPrefix = 'adjust:';

/** The ledger's field of an adjustment: `id` is the caller's own naming, 1 to 57 bytes. */
export function adjustmentField(id: string): string {
  return fieldPrefix + id;
}

/** Whether a field is an adjustment's, or one for points that an adjustment gave back. */
export function isAdjustmentField(field: string): boolean {
  return field.startsWith(fieldPrefix);
}

/** The id in an adjustment's field; empty if the field gives back what was taken twice. */
export function adjustmentId(field: string): string {
  return field.slice(fieldPrefix.length);
}

/** The change of each board as adjustments.lua writes it: `day=-5,month=-50`. */
export function changesIn(text: string): Readonly<Record<string, number>> {
  if (text === '') return {};
  return Object.fromEntries(
    text.split(',').map((part) => {
      const cut = part.indexOf('=');
      return [part.slice(0, cut), Number(part.slice(cut + 1))];
    }),
  );
}

/** The adjustment in a ledger's value. */
export function adjustmentIn(value: string): LedgerAdjustment {
  const [, at, asked, changes = '', note = ''] = /^[^;]*;(\d+)[^;]*;;;(-?\d+);([^;]*);(.*)$/s.exec(value) ?? [];
  return { asked: Number(asked), changes: changesIn(changes), atMs: Number(at), note };
}
