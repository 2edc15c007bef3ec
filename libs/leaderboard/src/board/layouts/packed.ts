import { invalidArgument, invalidOption, scoreOutOfRange } from '../../errors/errors';
import type { Period } from '../../time/period';
import { type Order, afterScore, beforeScore } from '../order/order';
import type { BoardLayout } from './layout';

/** An IEEE-754 double holds every whole number up to 2^53. */
const scoreBits = 53;

/** Where no period says otherwise, moments are kept from here on... */
const defaultOriginMs = Date.UTC(2020, 0, 1);
/** ...for this long; `all` periods begin in 1970 and get as much again. */
const defaultSpanMs = 64 * 366 * 86_400_000;

/** Points that every packed board has room for unless it asks for more. */
export const defaultMaxPoints = 1_000_000;

/** The options of packed scores. */
export interface PackedOptions {
  /** Moments are kept within it. Default: from 2020-01-01 for 64 years. */
  readonly period?: Pick<Period, 'start' | 'end'>;
  /** The most points it takes. Default 1,000,000. */
  readonly maxPoints?: number;
  readonly order?: Order;
}

/**
 * Points and the moment they were reached in one double of 53 honest bits:
 * `points * 2^timeBits + (2^timeBits - 1 - elapsed)`, so that of equal points the earlier stands higher (on ascending
 * boards `+ elapsed`). `elapsed` counts ticks since the period's start; the tick is the finest whole number of
 * milliseconds that leaves room for `maxPoints`: 1 ms for days, weeks and months.
 */
export class PackedScore {
  readonly originMs: number;
  /** Moments from here on are outside. */
  readonly endMs: number;
  readonly tickMs: number;
  /** 2^timeBits: scores of n points lie in [n * unit, (n + 1) * unit). */
  readonly unit: number;
  readonly timeBits: number;
  /** The most points it takes. */
  readonly maxPoints: number;
  readonly order: Order;

  constructor(options: PackedOptions = {}) {
    const { period, maxPoints = defaultMaxPoints, order = 'desc' } = options;
    if (!Number.isSafeInteger(maxPoints) || maxPoints < 1) {
      throw invalidOption(`maxPoints is ${maxPoints}: use a whole number from 1.`);
    }
    this.order = order;
    this.originMs = period ? period.start.getTime() : defaultOriginMs;
    this.endMs = period?.end?.getTime() ?? this.originMs + (period ? 2 : 1) * defaultSpanMs;
    const spanMs = this.endMs - this.originMs;
    const freeBits = timeBitsLeft(maxPoints);
    if (freeBits < 1) {
      throw invalidOption(`maxPoints is ${maxPoints}: no bit of 53 is left for the time; use at most ${2 ** 52 - 1}.`);
    }
    this.tickMs = Math.ceil(spanMs / 2 ** freeBits);
    this.timeBits = bitsFor(Math.ceil(spanMs / this.tickMs));
    this.unit = 2 ** this.timeBits;
    this.maxPoints = maxPoints;
  }

  /**
   * The score of `points` reached at `atMs`.
   * @throws LeaderboardError `scoreOutOfRange` where either does not fit; nothing wraps, nothing saturates.
   */
  encode(points: number, atMs: number): number {
    if (!Number.isInteger(points) || points < 0 || points > this.maxPoints) {
      throw scoreOutOfRange(`${points} points: this board holds whole points from 0 to ${this.maxPoints}.`);
    }
    if (!(atMs >= this.originMs && atMs < this.endMs)) {
      throw scoreOutOfRange(
        `The moment ${atMs} lies outside this board's time, ${new Date(this.originMs).toISOString()} to ${new Date(this.endMs).toISOString()}.`,
      );
    }
    const tick = this.tickOf(atMs);
    return points * this.unit + (this.order === 'desc' ? this.unit - 1 - tick : tick);
  }

  /**
   * The score of whatever points a ledger adds up to, on a descending board: beyond 2^53 the time loses the bits that
   * points need, as in add-board.lua.
   */
  sumAt(points: number, tick: number): number {
    const [sum, time] = [points * this.unit, this.unit - 1 - tick];
    const exponent = sum === 0 ? 0 : Math.floor(Math.log2(Math.abs(sum))) + 1;
    return sum + (time - (time % 2 ** Math.max(0, exponent - 53)));
  }

  /** The tick of a moment; a moment outside of the time that is kept is at its first tick or its last. */
  tickOf(ms: number): number {
    return Math.floor((Math.min(Math.max(ms, this.originMs), this.endMs - 1) - this.originMs) / this.tickMs);
  }

  /** The points in `score`; below zero where a ledger has taken more than was given. */
  points(score: number): number {
    return Math.floor(score / this.unit);
  }

  /** The tick in `score`. */
  tick(score: number): number {
    const time = score - this.points(score) * this.unit;
    return this.order === 'desc' ? this.unit - 1 - time : time;
  }

  /** The moment in `score`, in milliseconds, at most a tick before the true one. */
  reachedAtMs(score: number): number {
    return this.originMs + this.tick(score) * this.tickMs;
  }
}

/** How many bits are left for the time beside so many points. */
export function timeBitsLeft(maxPoints: number): number {
  return scoreBits - bitsFor(maxPoints + 1);
}

/** How many bits tell `values` values apart. */
function bitsFor(values: number): number {
  return Math.max(1, (values - 1).toString(2).length);
}

/**
 * How boards of {@link PackedScore}s are read: equal points are equal scores, whenever they were reached.
 * @param most the most points that show, above zero and below: who has more shows as many, and stands by all points.
 */
export function packedLayout(packed: PackedScore, most = Infinity): BoardLayout {
  const { unit, order } = packed;
  const pointsIn = (raw: number): number => Math.min(Math.max(packed.points(raw), -most), most);
  // Packed scores are whole: the least and the greatest raw score that can show so many points.
  const least = (points: number): number => (points > most ? Infinity : points <= -most ? -Infinity : points * unit);
  const greatest = (points: number): number =>
    points < -most ? -Infinity : points >= most ? Infinity : (points + 1) * unit - 1;
  const [best, last] = order === 'desc' ? [greatest, least] : [least, greatest];
  return {
    id: `packed-${packed.timeBits}-${packed.tickMs}-${packed.originMs}`,
    order,
    grouping: { by: 'score', unit, most },
    dimensions: 0,
    read: (line) => ({
      member: line.element,
      score: pointsIn(line.score),
      reachedAt: new Date(packed.reachedAtMs(line.score)),
    }),
    group: (line) => pointsIn(line.score),
    groupOf: (points) => checkedScore(points),
    beforeGroup: (line) => beforeScore(best(pointsIn(line.score))),
    between(min, max) {
      // Between two neighbouring whole points there is nothing.
      const [from, to] = [Math.ceil(checkedScore(min, 'min')), Math.floor(checkedScore(max, 'max'))];
      const [first, final] = order === 'desc' ? [to, from] : [from, to];
      return { from: beforeScore(best(first)), to: afterScore(last(final)) };
    },
    writing: { layout: 'packed', shape: unit, maxPoints: packed.maxPoints },
    argument(points, update, atMs) {
      if (update === 'increment' && !Number.isSafeInteger(points)) {
        throw scoreOutOfRange(`${points} points: this board is incremented by whole points.`);
      }
      packed.encode(update === 'increment' ? 0 : points, atMs);
      return [String(points), packed.tickOf(atMs)];
    },
    written: (member, value) => ({ element: member, score: Number(value) }),
  };
}

/** @throws LeaderboardError `invalidArgument` where it is no number. */
export function checkedScore(score: number, name = 'score'): number {
  if (typeof score === 'number' && !Number.isNaN(score)) return score;
  throw invalidArgument(`${name} is ${String(score)}: use a number, infinite if you like.`);
}
