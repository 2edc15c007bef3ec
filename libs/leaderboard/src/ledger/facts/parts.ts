/** The parts that a board counts, of those that transitions name under a key. */
export interface PartsCounted {
  readonly partition: string;
  /** These alone, and nothing that names none. Default: any. */
  readonly only?: readonly string[];
  /** All but these. Default: none. */
  readonly except?: readonly string[];
}

/** Whether what names these parts counts by all of the lists. */
export function isCounted(where: readonly PartsCounted[], parts: Readonly<Record<string, string>>): boolean {
  return !where.some(({ partition, only, except }) => {
    const part = partIn(parts, partition);
    return part === null ? only : except?.includes(part) || only?.includes(part) === false;
  });
}

/** Own names alone: a key that objects inherit names no part. */
export function partIn(parts: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(parts, key) ? (parts[key] ?? null) : null;
}
