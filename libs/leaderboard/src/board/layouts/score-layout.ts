import { invalidOption, scoreOutOfRange } from '../../errors/errors';
import { type Order, type Score, afterScore, beforeScore } from '../order/order';
import type { BoardLayout } from './layout';
import { type Dimension, lexicalLayout } from './lexical-layout';
import { type PackedOptions, PackedScore, checkedScore, packedLayout } from './packed';

/** How a board keeps its scores; made by the functions of the same name, bound to an order by the board. */
export interface ScoreLayout<S extends Score = number> {
  readonly name: 'plain' | 'packed' | 'lexical';
  /** Bound to an order: what a board reads and writes with. The board calls it. */
  forOrder(order: Order): BoardLayout<S>;
}

/** The most dimensions of a board. */
const maxDimensions = 256;

/** The layouts: `ScoreLayout.plain()`, `.packed(…)`, `.lexical(…)`. */
export const ScoreLayout = {
  /** Any finite number; equal scores stand by member id. */
  plain(): ScoreLayout {
    return Object.freeze<ScoreLayout>({ name: 'plain', forOrder: plainLayout });
  },

  /**
   * Whole points and the moment they were reached, in one number: of equal points the earlier stands higher.
   * @throws LeaderboardError `invalidOption` where points and time do not fit 53 bits.
   */
  packed(options: Omit<PackedOptions, 'order'> = {}): ScoreLayout {
    new PackedScore(options);
    return Object.freeze<ScoreLayout>({
      name: 'packed',
      forOrder: (order) => packedLayout(new PackedScore({ ...options, order })),
    });
  },

  /**
   * Several numbers an entry, the first deciding, then the second: any finite doubles, each dimension with its own
   * order; one that is only named runs with the board's.
   * @throws LeaderboardError `invalidOption` unless there are 1 to 256 dimensions of different names.
   */
  lexical(options: { readonly dimensions: readonly (string | Dimension)[] }): ScoreLayout<readonly number[]> {
    const dimensions = checkedDimensions(
      options.dimensions.map((given) => (typeof given === 'string' ? { name: given } : given)),
    );
    return Object.freeze<ScoreLayout<readonly number[]>>({
      name: 'lexical',
      forOrder: (order) => lexicalLayout(dimensions, order),
    });
  },
};

function checkedDimensions(dimensions: readonly Dimension[]): readonly Dimension[] {
  const names = new Set(dimensions.map(({ name }) => name));
  if (dimensions.length < 1 || dimensions.length > maxDimensions || names.size < dimensions.length) {
    throw invalidOption(`dimensions: use 1 to ${maxDimensions} of different names.`);
  }
  for (const { name, order = 'desc' } of dimensions) {
    if (order === 'desc' || order === 'asc') continue;
    throw invalidOption(`dimension "${name}": order is "${String(order)}"; use desc or asc.`);
  }
  return dimensions;
}

/** How boards are read whose raw score is the score: any finite number, no time. */
export function plainLayout(order: Order): BoardLayout {
  return {
    id: 'plain',
    order,
    grouping: { by: 'score', unit: 0, most: Infinity },
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
    written: (member, value) => ({ element: member, score: Number(value) }),
  };
}
