import { LeaderboardError, type LeaderboardErrorCode, invalidOption, scoreOutOfRange } from '../../errors/errors';
import type { Dimension } from './lexical-layout';
import { checkedNumbers } from './numbers';
import type { Order } from '../order/line';

/** One small whole number of a packed board's scores. */
export interface PackedDimension extends Dimension {
  /** The most it holds, from 0. */
  readonly max: number;
}

/** An IEEE-754 double holds every whole number up to 2^53; one bit at least is the time's. */
const scoreBits = 53;

/**
 * Several whole numbers side by side in the points of a packed score, the first in the highest bits; one that runs
 * against the board's order as its max less its value. Points then compare as the numbers do, one after the other.
 */
export class PackedDimensions {
  /** The most that points can be. */
  readonly maxPoints: number;
  /** As the writing script reads them; tells boards of other dimensions apart. */
  readonly description: string;
  private readonly fields: readonly { name: string; max: number; size: number; against: boolean }[];
  private readonly names: string;

  /** How many there are. */
  get count(): number {
    return this.fields.length;
  }

  /**
   * @throws LeaderboardError `invalidOption` where a maximum is malformed, or the dimensions leave no bit for the time.
   */
  constructor(dimensions: readonly PackedDimension[], order: Order) {
    this.fields = dimensions.map(({ name, max, order: own = order }) => {
      if (!Number.isSafeInteger(max) || max < 1) {
        throw invalidOption(`dimension "${name}": max is ${max}; use a whole number from 1.`);
      }
      return { name, max, size: 2 ** bitsOf(max), against: own !== order };
    });
    this.names = dimensions.map(({ name }) => name).join(', ');
    const bits = dimensions.map(({ max }) => bitsOf(max));
    const used = bits.reduce((total, own) => total + own, 0);
    if (used >= scoreBits) {
      const each = dimensions.map(({ name }, d) => `${name} ${bits[d]}`).join(', ');
      throw invalidOption(
        `dimensions: they use ${used} bits (${each}) of ${scoreBits}, at least one of which keeps the time: ` +
          'lower a max, or use the lexical layout.',
      );
    }
    this.maxPoints = 2 ** used - 1;
    this.description = this.fields.map(({ max, size, against }) => `${size}:${max}:${against ? '-' : '+'}`).join(',');
  }

  /** @throws LeaderboardError with `code` where a number does not fit its dimension. */
  pack(numbers: readonly number[], code: LeaderboardErrorCode = 'scoreOutOfRange'): number {
    const given = checkedNumbers(numbers, this.fields.length, this.names, code);
    return this.fields.reduce((points, { name, max, size, against }, d) => {
      const value = given[d] as number;
      if (!Number.isInteger(value) || value < 0 || value > max) {
        throw new LeaderboardError(code, `${name} is ${value}: this board holds whole numbers from 0 to ${max} there.`);
      }
      return points * size + (against ? max - value : value);
    }, 0);
  }

  /** The numbers in `points`. */
  unpack(points: number): number[] {
    const numbers: number[] = [];
    let rest = points;
    for (const { max, size, against } of [...this.fields].reverse()) {
      const value = rest % size;
      numbers.unshift(against ? max - value : value);
      rest = Math.floor(rest / size);
    }
    return numbers;
  }

  /** @throws LeaderboardError `scoreOutOfRange` unless there is a whole number for each dimension. */
  change(numbers: readonly number[]): string {
    const given = checkedNumbers(numbers, this.fields.length, this.names, 'scoreOutOfRange');
    if (given.every((by) => Number.isSafeInteger(by))) return given.join(',');
    throw scoreOutOfRange(`[${given.join(', ')}]: this board is incremented by whole numbers.`);
  }

  /**
   * The least points that come neither before `numbers` nor, for `atMost`, the most that do not come after them: any
   * numbers, also infinite ones and such as no entry can have.
   * @throws LeaderboardError `invalidArgument` where they are no score.
   */
  atLeast(numbers: readonly number[]): number {
    return this.edge(numbers, 'least');
  }

  /** See {@link atLeast}. */
  atMost(numbers: readonly number[]): number {
    return this.edge(numbers, 'most');
  }

  private edge(numbers: readonly number[], side: 'least' | 'most'): number {
    const given = checkedNumbers(numbers, this.fields.length, this.names, 'invalidArgument');
    // Points lie in [from, from + width) as far as the dimensions that were looked at say.
    let from = 0;
    let width = this.maxPoints + 1;
    for (const [d, { max, size, against }] of this.fields.entries()) {
      const own = against ? max - (given[d] as number) : (given[d] as number);
      const value = side === 'least' ? Math.ceil(own) : Math.floor(own);
      if (value < 0) return side === 'least' ? from : from - 1;
      if (value > max) return side === 'least' ? from + width : from + width - 1;
      width /= size;
      from += value * width;
      // Between two whole numbers: those that follow decide nothing.
      if (value !== own) return side === 'least' ? from : from + width - 1;
    }
    return from;
  }
}

/** How many bits hold 0 to `max`. */
function bitsOf(max: number): number {
  return max.toString(2).length;
}
