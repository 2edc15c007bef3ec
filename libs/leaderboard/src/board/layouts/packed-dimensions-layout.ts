import type { BoardLayout } from './layout';
import type { PackedScore } from './packed';
import type { PackedDimensions } from './packed-dimensions';
import { packedLayout } from './packed-layout';

/** How packed boards of several numbers an entry are read: as packed boards are, their points taken apart. */
export function packedDimensionsLayout(
  dimensions: PackedDimensions,
  packed: PackedScore,
): BoardLayout<readonly number[]> {
  const points = packedLayout(packed);
  return {
    ...points,
    dimensions: dimensions.count,
    id: `${points.id}-${dimensions.description}`,
    read(line) {
      const { member, score, reachedAt } = points.read(line);
      return { member, score: dimensions.unpack(score), reachedAt };
    },
    groupOf: (numbers) => dimensions.pack(numbers, 'invalidArgument'),
    between: (min, max) => points.between(dimensions.atLeast(min), dimensions.atMost(max)),
    writing: { ...points.writing, maxPoints: dimensions.description },
    argument(numbers, update, atMs) {
      const change = update === 'increment' ? dimensions.change(numbers) : null;
      const [score, time] = points.argument(change === null ? dimensions.pack(numbers) : 0, update, atMs);
      return [change ?? score, time];
    },
  };
}
