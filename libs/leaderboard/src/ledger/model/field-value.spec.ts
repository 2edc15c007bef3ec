import { fullValue, longValue, shortValue, type StandingValue } from './field-value';

const day = 20_777;
const grant: StandingValue = { points: 2, version: 1, ms: day * 86_400_000 + 1, sequence: 0 };

describe('a value of the short form', () => {
  it('is a whole number that Redis stores in four bytes, for the points of the default rules', () => {
    const last = { ...grant, points: 10, ms: (day + 1) * 86_400_000 + 43_199_999 };
    expect(Number(shortValue(last, day))).toBeLessThan(2 ** 31);
    expect(longValue(shortValue(last, day), day)).toBe(fullValue(last));
  });

  it.each<Partial<StandingValue>>([
    { points: 0 },
    { points: 55 },
    { points: 1_759, version: 32 },
    { version: 2 },
    { sequence: 1 },
    { sequence: 900_000 },
    { ms: day * 86_400_000 - 50_400_000 },
  ])('holds %j in at most 19 digits', (more) => {
    const value = { ...grant, ...more };
    const short = shortValue(value, day);
    expect(short).toMatch(/^\d{1,19}$/);
    expect(BigInt(short)).toBeLessThan(2n ** 63n);
    expect(longValue(short, day)).toBe(fullValue(value));
  });

  it('tells the latest grant behind the first, where they differ', () => {
    const first = shortValue({ ...grant, sequence: 3 }, day);
    expect(longValue(`${first}+5`, day)).toBe(`2;${grant.ms + 5};;;${grant.ms}.3`);
    expect(longValue(`${shortValue(grant, day)}+0.7`, day)).toBe(`2;${grant.ms}.7;;;${grant.ms}`);
  });

  it.each<Partial<StandingValue>>([
    { points: 1_760 },
    { version: 33 },
    { sequence: 1_000_000 },
    { ms: day * 86_400_000 - 50_400_001 },
    { ms: day * 86_400_000 + 129_600_000 },
  ])('does not fit %j, which stays in full', (more) => {
    const value = { ...grant, ...more };
    expect(shortValue(value, day)).toBe(fullValue(value));
    expect(longValue(fullValue(value), day)).toBe(fullValue(value));
  });
});
