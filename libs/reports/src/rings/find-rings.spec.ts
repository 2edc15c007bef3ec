import { findRings, type GivenEdge } from './find-rings';

const options = { allUpTo: 5, top: 100, maxSteps: 1_000_000 };
const edge = (from: string, to: string, count = 5): GivenEdge => ({ from, to, count });
const cycle = (users: string, count = 5): GivenEdge[] =>
  [...users].map((user, i) => edge(user, users[(i + 1) % users.length] as string, count));
const ringsOf = (edges: readonly GivenEdge[]) => findRings(edges, options).rings.map(({ users }) => users.join(''));

describe('findRings', () => {
  it('finds longer rings by each pair that is on no shorter one, and none where somebody gives nothing on', () => {
    const loose = [edge('a', 'x'), edge('y', 'a'), edge('x', 'z'), edge('a', 'a')];
    expect(ringsOf([...cycle('abcdef'), ...loose])).toEqual(['abcdef']);
    expect(ringsOf([...cycle('hgabcdef'), edge('b', 'a'), ...loose])).toEqual(['ab', 'abcdefhg']);
    expect(ringsOf([...cycle('abcdefg'), edge('b', 'd')])).toEqual(['abdefg', 'abcdefg']);
    expect(ringsOf([...cycle('abcdefgh'), edge('c', 'k'), ...cycle('ijklmnop')])).toEqual(['abcdefgh', 'ijklmnop']);
  });

  it('tells in which direction, how often, and how tight', () => {
    const { rings } = findRings([edge('b', 'c', 4), edge('c', 'a', 7), edge('a', 'b', 9)], options);
    expect(rings).toEqual([{ users: ['a', 'b', 'c'], counts: [9, 4, 7], least: 4 }]);
  });

  it('finds every cycle of a clique of five: 10 pairs, 20 of three, 30 of four, 24 of five', () => {
    const clique = [...'abcde'].flatMap((a) => [...'abcde'].filter((b) => b !== a).map((b) => edge(a, b)));
    const { rings, total, isPartial } = findRings(clique, options);
    expect([2, 3, 4, 5].map((length) => rings.filter(({ users }) => users.length === length).length)).toEqual([
      10, 20, 30, 24,
    ]);
    expect({ total, isPartial }).toEqual({ total: 84, isPartial: false });
  });

  it('keeps the tightest of many', () => {
    const pairs = Array.from({ length: 50 }, (_, i) => [edge(`a${i}`, `b${i}`, i + 1), edge(`b${i}`, `a${i}`, 99)]);
    const { rings, total } = findRings(pairs.flat(), { ...options, top: 3 });
    expect(rings.map(({ least }) => least)).toEqual([50, 49, 48]);
    expect(total).toBe(50);
  });

  it('ends after so many steps, and says so', () => {
    const users = Array.from({ length: 60 }, (_, i) => `u${i}`);
    const clique = users.flatMap((a) => users.filter((b) => b !== a).map((b) => edge(a, b)));
    expect(findRings(clique, { ...options, maxSteps: 10_000 })).toMatchObject({ isPartial: true });
  });

  it('counts the ways back as well, and finds pairs before it looks for longer rings', () => {
    // Everybody gives to the star, who gives to nobody: no step leads anywhere, but many ways lead back from it.
    const crowd = Array.from({ length: 2_000 }, (_, i) => `u${i}`);
    const edges = crowd.flatMap((user, i) => [
      edge(user, 'star'),
      ...[1, 7, 77].map((step) => edge(user, crowd[(i + step) % crowd.length] as string)),
    ]);
    const pair = [edge('y', 'z', 9), edge('z', 'y', 9)];
    const found = findRings([...edges, ...pair], { ...options, allUpTo: 50, maxSteps: 100_000 });
    expect(found).toMatchObject({ isPartial: true, rings: [{ users: ['y', 'z'], least: 9 }] });
  });
});
