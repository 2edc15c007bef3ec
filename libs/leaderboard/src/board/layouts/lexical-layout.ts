import { LeaderboardError, type LeaderboardErrorCode, scoreOutOfRange } from '../../errors/errors';
import { type Bound, type Order, beforeLine } from '../order/order';
import type { BoardLayout } from './layout';

/** One number of a score of several. */
export interface Dimension {
  readonly name: string;
  /** Which of two values is better. Default: the board's own order. */
  readonly order?: Order;
}

/** How boards of several numbers an entry are read: all at score 0, ordered by the bytes of vector and member. */
export function lexicalLayout(dimensions: readonly Dimension[], order: Order): BoardLayout<readonly number[]> {
  const inverse = dimensions.map((dimension) => (dimension.order ?? order) !== order);
  const length = lettersADouble * dimensions.length;
  const names = dimensions.map(({ name }) => name).join(', ');

  function vectorOf(numbers: readonly number[], code: LeaderboardErrorCode): string {
    // JavaScript callers have no compiler to keep them to the type.
    const given: readonly unknown[] = Array.isArray(numbers) ? numbers : [];
    if (given.length !== dimensions.length || !given.every((one) => typeof one === 'number' && !Number.isNaN(one))) {
      throw new LeaderboardError(code, `A score of this board is a list of ${dimensions.length} numbers: ${names}.`);
    }
    return numbers.map((number, d) => encodeDouble(number, inverse[d] as boolean)).join('');
  }

  const numbersIn = (vector: string): number[] =>
    inverse.map((against, d) => decodeDouble(vector.slice(d * lettersADouble, (d + 1) * lettersADouble), against));
  // Elements of a vector are longer than it, and smaller than the next text of its length.
  const lower = (vector: string): Bound => beforeLine({ score: 0, element: vector });
  const upper = (vector: string): Bound => beforeLine({ score: 0, element: successor(vector) });
  const [before, after] = order === 'desc' ? [upper, lower] : [lower, upper];

  return {
    id: `lexical-${inverse.map((against) => (against ? '-' : '+')).join('')}`,
    order,
    grouping: { by: 'prefix', length },
    dimensions: dimensions.length,
    read: ({ element }) => ({ member: element.slice(length), score: numbersIn(element), reachedAt: null }),
    group: ({ element }) => element.slice(0, length),
    groupOf: (numbers) => vectorOf(numbers, 'invalidArgument'),
    beforeGroup: ({ element }) => before(element.slice(0, length)),
    between(min, max) {
      const [least, most] = [vectorOf(min, 'invalidArgument'), vectorOf(max, 'invalidArgument')];
      return order === 'desc' ? { from: before(most), to: after(least) } : { from: before(least), to: after(most) };
    },
    writing: { layout: 'lexical', shape: inverse.map((against) => (against ? '-' : '+')).join(''), maxPoints: 0 },
    argument(numbers) {
      const vector = vectorOf(numbers, 'scoreOutOfRange');
      if (numbers.every(Number.isFinite)) return [vector, 0];
      throw scoreOutOfRange(`[${numbers.join(', ')}]: this board holds finite numbers.`);
    },
    written: (member, vector) => ({ score: 0, element: vector + member }),
  };
}

/** The next text of the same length, its last letter moved on by one: letters end long before bytes do. */
function successor(vector: string): string {
  return vector.slice(0, -1) + String.fromCharCode(vector.charCodeAt(vector.length - 1) + 1);
}

/** 64 letters of ASCII that sort as bytes as they count. */
const letters = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** Letters that one double takes: 64 bits at 6 bits a letter, the last of 4. */
export const lettersADouble = 11;

const allBits = 0xffff_ffff_ffff_ffffn;
const signBit = 0x8000_0000_0000_0000n;
const memory = new DataView(new ArrayBuffer(8));

/** `number` as letters that sort as numbers do, or `inverse`; -0 is 0. The include `vector.lua` writes the same. */
export function encodeDouble(number: number, inverse: boolean): string {
  memory.setFloat64(0, number === 0 ? 0 : number);
  let bits = memory.getBigUint64(0);
  bits ^= bits >= signBit ? allBits : signBit;
  if (inverse) bits ^= allBits;
  bits <<= 2n;
  let text = '';
  for (let shift = 60n; shift >= 0n; shift -= 6n) text += letters[Number((bits >> shift) & 63n)] as string;
  return text;
}

/** The number that {@link encodeDouble} wrote. */
export function decodeDouble(text: string, inverse: boolean): number {
  let bits = 0n;
  for (const letter of text) bits = (bits << 6n) | BigInt(letters.indexOf(letter));
  bits >>= 2n;
  if (inverse) bits ^= allBits;
  bits ^= bits >= signBit ? signBit : allBits;
  memory.setBigUint64(0, bits);
  return memory.getFloat64(0);
}
