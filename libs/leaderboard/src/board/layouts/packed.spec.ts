import { Period } from '../../time/period';
import { PackedScore } from './packed';

const outOfRange = expect.objectContaining({ code: 'scoreOutOfRange' });
const november = Period.parse('month', '2026-11', 'UTC');

describe.each(['desc', 'asc'] as const)('PackedScore, %s', (order) => {
  // 32 bits keep every millisecond of November: 21 are left.
  const packed = new PackedScore({ period: november, order, maxPoints: 2 ** 21 - 1 });
  const moments = [packed.originMs, packed.originMs + 1, Date.UTC(2026, 10, 20, 8, 12, 1, 123), packed.endMs - 2];
  const better = (a: number, b: number): boolean => (order === 'desc' ? a > b : a < b);

  it('fills 53 bits and not one more', () => {
    const first = packed.encode(packed.maxPoints, packed.originMs);
    const last = packed.encode(packed.maxPoints, packed.endMs - 1);
    expect(Math.max(first, last)).toBeLessThan(2 ** 53);
    expect(Math.max(first, last)).toBeGreaterThan(2 ** 53 - packed.unit);
    expect(packed.encode(0, packed.originMs)).toBeGreaterThanOrEqual(0);
  });

  it.each([0, 1, 2, packed.maxPoints - 1, packed.maxPoints])(
    'keeps %d points and every millisecond apart',
    (points) => {
      for (const atMs of moments) {
        const [earlier, later] = [packed.encode(points, atMs), packed.encode(points, atMs + 1)];
        expect(better(earlier, later)).toBe(true);
        expect([packed.points(earlier), packed.reachedAtMs(earlier)]).toEqual([points, atMs]);
        expect([packed.points(later), packed.reachedAtMs(later)]).toEqual([points, atMs + 1]);
      }
    },
  );

  it('takes so many points and not one more, and reads what has more', () => {
    const million = new PackedScore({ period: november, order, maxPoints: 1_000_000 });
    expect(million.points(million.encode(1_000_000, million.originMs))).toBe(1_000_000);
    expect(() => million.encode(1_000_001, million.originMs)).toThrow(outOfRange);
    expect(million.points(packed.encode(2_000_000, packed.originMs))).toBe(2_000_000);
  });

  it('refuses what does not fit: nothing wraps, nothing saturates', () => {
    for (const points of [-1, 0.5, NaN, Infinity, packed.maxPoints + 1]) {
      expect(() => packed.encode(points, packed.originMs)).toThrow(outOfRange);
    }
    for (const atMs of [packed.originMs - 1, packed.endMs, NaN])
      expect(() => packed.encode(1, atMs)).toThrow(outOfRange);
  });
});

describe('PackedScore without a period', () => {
  it.each(['day', 'week', 'month'] as const)('keeps a %s to the millisecond beside a million points', (kind) => {
    const packed = new PackedScore({ period: Period.of(kind, november.start, 'UTC') });
    expect(packed.tickMs).toBe(1);
    expect(2 ** 53 / packed.unit).toBeGreaterThan(1_000_000);
  });

  it('keeps a year to 4 ms and all time to half a second', () => {
    const tickMs = (kind: 'year' | 'all') => new PackedScore({ period: Period.of(kind, november.start, 'UTC') }).tickMs;
    expect(tickMs('year')).toBe(4);
    expect(tickMs('all')).toBeLessThan(500);
  });

  it('keeps 64 years from 2020 at the finest tick that leaves a million points', () => {
    const packed = new PackedScore();
    expect(packed.originMs).toBe(Date.UTC(2020, 0, 1));
    expect(packed.endMs).toBeGreaterThanOrEqual(Date.UTC(2084, 0, 1));
    expect(2 ** 53 / packed.unit).toBeGreaterThan(1_000_000);
    expect((packed.endMs - packed.originMs) / (packed.tickMs - 1)).toBeGreaterThan(packed.unit);
    const at = Date.UTC(2026, 10, 20);
    expect(at - packed.reachedAtMs(packed.encode(5, at))).toBeLessThan(packed.tickMs);
  });

  it.each([0, -1, 1.5, NaN, 2 ** 53])('refuses room for %d points', (maxPoints) => {
    expect(() => new PackedScore({ maxPoints })).toThrow(expect.objectContaining({ code: 'invalidOption' }));
  });
});
