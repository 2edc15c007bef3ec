import { scoreOutOfRange } from '../../errors/errors';
import { afterScore, beforeScore } from '../order/bound';
import type { BoardLayout } from './layout';
import type { Order } from '../order/line';
import { checkedScore } from './packed-layout';

/** How boards are read whose raw score is the score: any finite number, no time. */
export function plainLayout(order: Order): BoardLayout {
  return {
    id: 'plain',
    order,
    grouping: { by: 'score', unit: 0 },
    dimensions: 0,
    read: (line) => ({ member: line.element, score: line.score, reachedAt: null }),
    group: (line) => line.score,
    groupOf: (score) => checkedScore(score),
    beforeGroup: (line) => beforeScore(line.score),
    between(min, max) {
      const [least, most] = [checkedScore(min, 'min'), checkedScore(max, 'max')];
      const [first, final] = order === 'desc' ? [most, least] : [least, most];
      return { from: beforeScore(first), to: afterScore(final) };
    },
    writing: { layout: 'plain', shape: 0, maxPoints: 0 },
    argument(score) {
      if (Number.isFinite(score)) return [String(score), 0];
      throw scoreOutOfRange(`The score ${String(score)}: this board holds any finite number.`);
    },
    written: (member, reply) => ({ element: member, score: Number(reply) }),
  };
}
