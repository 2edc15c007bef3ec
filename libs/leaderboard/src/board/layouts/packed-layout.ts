import { invalidArgument, scoreOutOfRange } from '../../errors/errors';
import { afterScore, beforeScore } from '../order/bound';
import type { BoardLayout } from './layout';
import type { PackedScore } from './packed';

/** How boards of {@link PackedScore}s are read: equal points are equal scores, whenever they were reached. */
export function packedLayout(packed: PackedScore): BoardLayout {
  const { unit, order } = packed;
  // Packed scores are whole: the best and the last raw score that so many points can have.
  const best = (points: number): number => (order === 'desc' ? (points + 1) * unit - 1 : points * unit);
  const last = (points: number): number => (order === 'desc' ? points * unit : (points + 1) * unit - 1);
  return {
    id: `packed-${packed.timeBits}-${packed.tickMs}-${packed.originMs}`,
    order,
    grouping: { by: 'score', unit },
    dimensions: 0,
    read: (line) => ({
      member: line.element,
      score: packed.points(line.score),
      reachedAt: new Date(packed.reachedAtMs(line.score)),
    }),
    group: (line) => packed.points(line.score),
    groupOf: checkedScore,
    beforeGroup: (line) => beforeScore(best(packed.points(line.score))),
    between(min, max) {
      checkedBounds(min, max);
      // Between two neighbouring whole points there is nothing.
      const [least, most] = [clamp(Math.ceil(min)), clamp(Math.floor(max))];
      const [first, final] = order === 'desc' ? [most, least] : [least, most];
      return { from: beforeScore(best(first)), to: afterScore(last(final)) };
    },
    writing: { layout: 'packed', shape: unit, maxPoints: packed.maxPoints },
    argument(points, update, atMs) {
      if (update === 'increment' && !Number.isSafeInteger(points)) {
        throw scoreOutOfRange(`${points} points: this board is incremented by whole points.`);
      }
      packed.encode(update === 'increment' ? 0 : points, atMs);
      return [String(points), Math.floor((atMs - packed.originMs) / packed.tickMs)];
    },
    written: (member, reply) => ({ element: member, score: Number(reply) }),
  };

  /** One point outside what the board holds stands for everything there. */
  function clamp(points: number): number {
    return Math.min(Math.max(points, -packed.capacity - 1), packed.capacity + 1);
  }
}

/** @throws LeaderboardError `invalidArgument` where it is no number. */
export function checkedScore(score: number): number {
  if (typeof score === 'number' && !Number.isNaN(score)) return score;
  throw invalidArgument(`score is ${String(score)}: use a number, infinite if you like.`);
}

/** @throws LeaderboardError `invalidArgument` where a bound is no number. */
export function checkedBounds(min: number, max: number): void {
  for (const [name, bound] of Object.entries({ min, max })) {
    if (typeof bound === 'number' && !Number.isNaN(bound)) continue;
    throw invalidArgument(`${name} is ${String(bound)}: use a number, infinite if you like.`);
  }
}
