/** `desc`: the highest score is first. `asc`: the lowest. */
export type Order = 'desc' | 'asc';

/** One line of a sorted set, as Redis holds it. */
export interface Line {
  readonly score: number;
  /** The member, or on lexical boards its vector and the member. */
  readonly element: string;
}

/** Compares two strings by the bytes of their UTF-8, as Redis does; `<` on strings compares UTF-16 units. */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return byteOrder(x) - byteOrder(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above U+FFFF: they move behind the units from U+E000 to U+FFFF. */
function byteOrder(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** The order in which lines stand on a board: negative where `a` stands ahead of `b`. */
export function boardOrder(order: Order): (a: Line, b: Line) => number {
  const ascending = (a: Line, b: Line): number => a.score - b.score || compareBytes(a.element, b.element);
  return order === 'asc' ? ascending : (a, b) => ascending(b, a);
}
