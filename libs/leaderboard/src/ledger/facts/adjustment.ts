/** The prefix of adjustments' fields; no other field may have it. */
const fieldPrefix = 'adjust:';

/** The ledger's field of an adjustment: `id` is the caller's own naming, 1 to 57 bytes. */
export function adjustmentField(id: string): string {
  return fieldPrefix + id;
}

/** Whether a field is an adjustment's. */
export function isAdjustmentField(field: string): boolean {
  return field.startsWith(fieldPrefix);
}

/** The id in an adjustment's field. */
export function adjustmentId(field: string): string {
  return field.slice(fieldPrefix.length);
}

/** The parts by which a field finds its boards; undefined: of an adjustment without, which counts on all of them. */
export function partsFor(field: string, parts: Readonly<Record<string, string>> | null = {}) {
  const isOfAll = isAdjustmentField(field) && !Object.keys(parts ?? {}).some((key) => key !== '');
  return isOfAll ? undefined : (parts ?? {});
}
