import { TightestEdges } from './tightest-edges';

const countsKept = (edges: TightestEdges) => edges.kept.map(({ count }) => count).sort((a, b) => a - b);

function added(counts: readonly number[], most: number, min = 2): TightestEdges {
  const edges = new TightestEdges(most, min);
  for (const [i, count] of counts.entries()) edges.add({ from: `a${i}`, to: `b${i}`, count });
  return edges;
}

describe('the tightest pairs', () => {
  it('are all that reach the least count, while they are few', () => {
    const edges = added([1, 5, 2, 3], 10);
    expect([countsKept(edges), edges.count]).toEqual([[2, 3, 5], 3]);
  });

  it('stay, and the loosest go, where there are more than are kept', () => {
    const edges = added([2, 9, 3, 8, 4, 7, 5, 6, 2, 3, 10], 4);
    expect(countsKept(edges)).toEqual([8, 9, 10]);
    expect(edges.count).toBe(11);
  });

  it('are the first, where all are as tight', () => {
    const edges = added(Array<number>(100).fill(3), 10);
    expect(edges.kept.map(({ from }) => from)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
    expect(edges.count).toBe(100);
  });
});
