import fc from 'fast-check';
import { compareBytes } from './order';

it('compareBytes orders text as the bytes of its UTF-8', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'é', '\uD7FF', '\uE000', '\uFFFD', '\u{10000}', '\u{10FFFF}'),
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
