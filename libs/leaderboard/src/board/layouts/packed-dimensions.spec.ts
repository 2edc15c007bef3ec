import fc from 'fast-check';
import { PackedDimensions, type PackedDimension } from './packed-dimensions';
import { ScoreLayout } from './score-layout';

const orders = fc.constantFrom('desc' as const, 'asc' as const);
const number = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(-Infinity, Infinity, 0.5, -0, 6.5));

/** A board of a few small dimensions, and vectors of it. */
const made = fc
  .record({
    order: orders,
    dimensions: fc.array(fc.record({ max: fc.integer({ min: 1, max: 9 }), order: orders }), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .chain(({ order, dimensions }) => {
    const named = dimensions.map((one, d): PackedDimension => ({ name: `d${d}`, ...one }));
    const vector = fc.tuple(...named.map(({ max }) => fc.integer({ min: 0, max })));
    const bound = fc.tuple(...named.map(() => number));
    return fc.record({ order: fc.constant(order), dimensions: fc.constant(named), a: vector, b: vector, bound });
  });

type Made = typeof made extends fc.Arbitrary<infer T> ? T : never;

/** Negative where `a` lies below `b` in the board's order, number by number. */
function compare({ order, dimensions }: Made, a: readonly number[], b: readonly number[]): number {
  for (const [d, dimension] of dimensions.entries()) {
    const [x, y] = [a[d] as number, b[d] as number];
    if (x !== y) return x < y === (dimension.order === order) ? -1 : 1;
  }
  return 0;
}

describe('several numbers in one', () => {
  it('come back as they were, compare as they do, and stand between bounds as they do', () => {
    fc.assert(
      fc.property(made, (given) => {
        const { order, dimensions, a, b, bound } = given;
        const packed = new PackedDimensions(dimensions, order);
        const [x, y] = [packed.pack(a), packed.pack(b)];
        expect(packed.unpack(x)).toEqual(a);
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(packed.maxPoints);
        expect(Math.sign(x - y)).toBe(compare(given, a, b));
        expect(x >= packed.atLeast(bound)).toBe(compare(given, a, bound) >= 0);
        expect(x <= packed.atMost(bound)).toBe(compare(given, a, bound) <= 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('fill 52 bits to the last', () => {
    const dimensions = [
      { name: 'a', max: 2 ** 26 - 1 },
      { name: 'b', max: 2 ** 26 - 1, order: 'asc' as const },
    ];
    const packed = new PackedDimensions(dimensions, 'desc');
    expect(packed.pack([2 ** 26 - 1, 0])).toBe(2 ** 52 - 1);
    expect(packed.unpack(2 ** 52 - 2)).toEqual([2 ** 26 - 1, 1]);
  });

  it('are refused where no bit is left for the time, saying how many they use', () => {
    const dimensions = [
      { name: 'gold', max: 2 ** 30 },
      { name: 'minutes', max: 1000 },
      { name: 'tries', max: 4095 },
    ];
    expect(() => ScoreLayout.packed({ dimensions })).toThrow(
      'dimensions: they use 53 bits (gold 31, minutes 10, tries 12) of 53, at least one of which keeps the time',
    );
    for (const max of [0, -1, 1.5, NaN, 2 ** 53]) {
      expect(() => ScoreLayout.packed({ dimensions: [{ name: 'x', max }] })).toThrow('max is');
    }
    expect(() => ScoreLayout.packed({ dimensions: [] })).toThrow('use 1 to 256');
  });
});
