import { SharedReads } from './timed-cache';

describe('SharedReads', () => {
  let now = 0;
  const clock = { now: () => now };
  beforeEach(() => {
    now = 1_000;
  });
  const begin = ({ ttlMs = 500, maxWeight = 500 } = {}) => new SharedReads<number>({ clock, ttlMs, maxWeight });
  const give = (value: number) => () => Promise.resolve(value);

  it('reads once for all who wait, and for those who come while the copy is young, from the start of the read', async () => {
    const cache = begin();
    const ends: ((value: number) => void)[] = [];
    const read = () => new Promise<number>((resolve) => ends.push(resolve));
    const waiting = [cache.read('a', read), cache.read('a', read), cache.read('a', read)];
    expect(cache.peek('a')).toBeUndefined();
    now += 499;
    ends[0]?.(7);
    expect(await Promise.all(waiting)).toEqual([7, 7, 7]);
    expect(await cache.read('a', read)).toBe(7);
    expect([cache.peek('a'), cache.peek('b'), ends.length]).toEqual([7, undefined, 1]);
    now += 1;
    expect(cache.peek('a')).toBeUndefined();
    void cache.read('a', read);
    now += 500;
    void cache.read('a', read);
    expect(ends).toHaveLength(3);
  });

  it('keeps no copy of a failure', async () => {
    const cache = begin();
    await expect(cache.read('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.read('a', give(1))).toBe(1);
  });

  it('reads every time where copies may be 0 ms old', async () => {
    const cache = begin({ ttlMs: 0 });
    let reads = 0;
    const read = () => Promise.resolve((reads += 1));
    expect(await Promise.all([cache.read('a', read), cache.read('a', read)])).toEqual([1, 2]);
  });

  it('does not keep a copy for longer when the clock is set back', async () => {
    const cache = begin();
    expect(await cache.read('a', give(1))).toBe(1);
    now -= 10_000;
    expect(await cache.read('a', give(2))).toBe(2);
  });

  it('forgets the oldest copies past its bound', async () => {
    const cache = begin();
    for (let i = 0; i < 501; i += 1) await cache.read(`page ${i}`, give(i));
    expect(await cache.read('page 500', give(-1))).toBe(500);
    expect(await cache.read('page 0', give(-1))).toBe(-1);
    expect(cache.weight).toBe(500);
  });

  it('keeps no more than may be kept by weight', async () => {
    const cache = begin({ maxWeight: 100 });
    for (const weight of [40, 40, 30]) await cache.read(`of ${weight}, ${cache.weight}`, give(weight), weight);
    expect(cache.weight).toBe(70);
    await expect(cache.read('fails', () => Promise.reject(new Error('away')), 30)).rejects.toThrow('away');
    expect(cache.weight).toBe(70);
    await cache.read('more than may be kept', give(1), 1_000);
    await cache.read('the next', give(1), 1);
    expect(cache.weight).toBe(1);
  });

  it('lets go of all that is too old, whatever is asked next, and while nobody asks', async () => {
    jest.useFakeTimers();
    try {
      const cache = begin();
      for (let i = 0; i < 100; i += 1) await cache.read(`page ${i}`, give(i));
      now += 499;
      jest.advanceTimersByTime(5_000);
      await cache.read('young', give(1));
      expect(cache.weight).toBe(101);
      now += 1;
      await cache.read('young', give(2));
      expect(cache.weight).toBe(1);
      now += 499;
      jest.advanceTimersByTime(1_000);
      expect([cache.weight, jest.getTimerCount()]).toEqual([0, 0]);
    } finally {
      jest.useRealTimers();
    }
  });
});
