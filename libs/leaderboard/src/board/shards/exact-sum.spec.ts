import fc from 'fast-check';
import { ExactSum } from './exact-sum';

function sumOf(numbers: readonly number[]): number {
  const sum = new ExactSum();
  for (const number of numbers) sum.add(number);
  return sum.value;
}

describe('an exact sum', () => {
  it('is rounded once, whatever is added in between', () => {
    expect(sumOf([])).toBe(0);
    expect(sumOf([-0, -0])).toBe(0);
    expect(sumOf(new Array<number>(10).fill(0.1))).toBe(1);
    expect(sumOf([1e308, 1e308, -1e308, 5e-324, -1e308])).toBe(5e-324);
    expect(sumOf([2 ** 53, 1, 2 ** -1074])).toBe(2 ** 53 + 2);
    expect(sumOf([2 ** 53, 1])).toBe(2 ** 53);
    expect(sumOf([Number.MAX_SAFE_INTEGER, 2, 2, -0.5])).toBe(2 ** 53 + 2);
    expect(sumOf([Number.MAX_VALUE, 2 ** 969])).toBe(Number.MAX_VALUE);
    expect(sumOf([-Number.MAX_VALUE, -(2 ** 970)])).toBe(-Infinity);
    expect(sumOf(new Array<number>(5_000).fill(Number.MAX_VALUE))).toBe(Infinity);
    expect([sumOf([Infinity, 1]), sumOf([Infinity, -Infinity, 1])]).toEqual([Infinity, NaN]);
  });

  it('of two doubles is what the processor gives, and of any the same in each order', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(fc.property(double, double, (a, b) => sumOf([a, b]) === a + b));
    fc.assert(
      fc.property(fc.array(double), (numbers) => {
        expect(sumOf([...numbers].reverse())).toBe(sumOf(numbers));
        expect(sumOf([...numbers, ...numbers.map((number) => -number), 1])).toBe(1);
      }),
    );
  });
});
