import { Leaders } from './leaders';

const standing = (n: number) => ({
  ...{ userId: `u${n}`, points: (n * 7) % 31, reachedAtMs: (n * 5) % 3, rankNow: n, pointsNow: 1 },
});

it.each([1, 5, 100])('leaders are the best %d of many, in order, equals by time and then by id', (count) => {
  const leaders = new Leaders(count);
  const all = Array.from({ length: 200 }, (_, i) => standing(i + 1));
  for (const one of all) leaders.add(one);
  const ordered = all
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points || a.reachedAtMs - b.reachedAtMs || (a.userId < b.userId ? 1 : -1));
  expect(leaders.all()).toEqual(ordered.slice(0, count));
});
