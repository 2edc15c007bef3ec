import fc from 'fast-check';
import { factIn, factText, join, nothing, type Fact, type Grant } from './fact';

const day = 24_000;
const dayMs = 86_400_000;

/** Few moments, so that most of them meet. */
const moment = fc.record({
  ms: fc.oneof(
    fc.nat(3).map((ms) => day * dayMs + ms),
    fc.integer({ min: (day - 2) * dayMs, max: (day + 3) * dayMs }),
  ),
  sequence: fc.oneof(fc.nat(2), fc.nat(2 ** 40)),
});

/** What is asked follows from the moment: two grants of one moment are the same. */
const grant = moment.map(({ ms, sequence }): Grant => {
  const draw = (ms * 7 + sequence) % 1_000;
  const points = draw < 20 ? -1 - draw : draw < 500 ? draw : draw * 2 ** 40;
  return { ms, sequence, points, version: 1 + (draw % 40), gift: draw % 3 === 0 ? null : draw % 3 };
});

const heard = fc.oneof(
  grant.map((one): Fact => ({ ...nothing, first: one, last: one, owner: '{"b":o\nb}' })),
  moment.map((revoke): Fact => ({ ...nothing, revoke })),
  fc.nat(9).map((turn): Fact => ({ ...nothing, turn })),
);

const joined = (all: readonly Fact[]): Fact => all.reduce(join, nothing);

describe('a fact', () => {
  it('is the same in whatever order, and however often, its parts are heard', () => {
    const orders = fc
      .array(heard, { minLength: 1, maxLength: 8 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })));
    fc.assert(
      fc.property(orders, fc.nat(8), ([all, again], at) => {
        expect(joined(again)).toEqual(joined(all));
        expect(joined([...all, ...all])).toEqual(joined(all));
        expect(join(joined(all.slice(0, at)), joined(all.slice(at)))).toEqual(joined(all));
      }),
    );
  });

  it('has the owner that was named first, to whom what names nobody, or another, gives as much', () => {
    const of = (owner: string | null, ms: number, gift: number | null): Fact => {
      const one = { ms: day * dayMs + ms, sequence: 0, points: 1, version: 1, gift };
      return { ...nothing, first: one, last: one, owner };
    };
    const fact = joined([of(null, 2, null), of('ann', 3, 5), of('bob', 1, 7)]);
    expect(fact).toMatchObject({ owner: 'ann', first: { gift: 5 }, last: { gift: 5 } });
    expect(joined([fact, of('ann', 4, null)])).toMatchObject({ first: { gift: 5 }, last: { gift: null } });
  });

  it('is read as it was written, on its day and on none', () => {
    const notes = fc.record({
      parts: fc.option(fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true })),
      note: fc.string(),
      day: fc.nat(30_000),
    });
    fc.assert(
      fc.property(fc.array(heard, { maxLength: 6 }), fc.option(notes), fc.constantFrom(day, -1), (all, more, of) => {
        const fact = { ...joined(all), ...more };
        expect(factIn(factText(fact, of), of)).toEqual(fact);
      }),
    );
  });

  it.each([
    [3, 1, 0],
    [1_759, 32, 28_000],
  ])('of a grant of %d points by rules %d is one number that Redis keeps as such', (points, version, sequence) => {
    const one = { ms: day * dayMs + 5_000, sequence, points, version, gift: null };
    const text = factText({ ...nothing, first: one, last: one }, day);
    expect(text).toMatch(/^[1-9]\d{0,18}$/);
    expect(BigInt(text)).toBeLessThan(2n ** 63n);
  });

  it.each(['garbage', '5;x', '5;1;.x', '--1;2', '5v2', '1e3;5', ';1', '1:2', '5;;;x', '5;;;;{}', '\u0000'])(
    'is not read from %j',
    (text) => {
      expect(factIn(text, day)).toBeNull();
    },
  );
});
