import fc from 'fast-check';
import { decodeDouble, encodeDouble, lettersADouble } from './lexical-layout';

const double = fc.double({ noNaN: true });

describe('a double as letters', () => {
  it('comes back as it was, -0 as 0', () => {
    fc.assert(
      fc.property(double, fc.boolean(), (number, inverse) => {
        const text = encodeDouble(number, inverse);
        expect(text).toHaveLength(lettersADouble);
        expect(Object.is(decodeDouble(text, inverse), number === 0 ? 0 : number)).toBe(true);
      }),
    );
  });

  it('sorts as the numbers do, or the other way round', () => {
    fc.assert(
      fc.property(double, double, (a, b) => {
        expect(encodeDouble(a, false) < encodeDouble(b, false)).toBe(a < b);
        expect(encodeDouble(a, true) > encodeDouble(b, true)).toBe(a < b);
      }),
    );
  });
});
