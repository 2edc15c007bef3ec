import { invalidArgument, scoreOutOfRange } from '../../errors/errors';
import { afterScore, beforeScore } from '../order/bound';
import type { BoardLayout } from './layout';
import type { PackedScore } from './packed';

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
    grouping: { by: 'score', unit, ...(most < Infinity && { most }) },
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
      return [String(points), Math.floor((atMs - packed.originMs) / packed.tickMs)];
    },
    written: (member, reply) => ({ element: member, score: Number(reply) }),
  };
}

/** @throws LeaderboardError `invalidArgument` where it is no number. */
export function checkedScore(score: number, name = 'score'): number {
  if (typeof score === 'number' && !Number.isNaN(score)) return score;
  throw invalidArgument(`${name} is ${String(score)}: use a number, infinite if you like.`);
}
