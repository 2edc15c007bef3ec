import { RequestCounts } from './request-counts';

describe('RequestCounts', () => {
  const countsOf = (counts: RequestCounts, keys: string) => [...keys].map((key) => counts.add(key).count);

  it('counts the requests of each key in a window that begins with its first', () => {
    const nowMs = jest.spyOn(performance, 'now').mockReturnValue(0);
    const counts = new RequestCounts(60_000, 10);
    expect(counts.add('a')).toEqual({ count: 1, endsInMs: 60_000 });
    nowMs.mockReturnValue(20_000);
    expect(countsOf(counts, 'bab')).toEqual([1, 2, 2]);
    nowMs.mockReturnValue(59_999);
    expect(counts.add('a')).toEqual({ count: 3, endsInMs: 1 });
    nowMs.mockReturnValue(60_000);
    expect(counts.add('a')).toEqual({ count: 1, endsInMs: 60_000 });
    expect(counts.add('b')).toEqual({ count: 3, endsInMs: 20_000 });
    nowMs.mockRestore();
  });

  it('forgets the key whose window began first where there are too many', () => {
    expect(countsOf(new RequestCounts(60_000, 3), 'abcabcdbca')).toEqual([1, 1, 1, 2, 2, 2, 1, 3, 3, 1]);
  });
});
