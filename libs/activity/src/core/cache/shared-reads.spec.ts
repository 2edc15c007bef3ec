import { SharedReads } from './shared-reads';

/** A read that ends when a test says so. */
function heldRead() {
  let reads = 0;
  const ends: ((value: number) => void)[] = [];
  const read = () => {
    reads += 1;
    return new Promise<number>((resolve) => ends.push(resolve));
  };
  return { read, ends, count: () => reads };
}

describe('SharedReads', () => {
  let now = 0;
  const clock = { now: () => now };
  beforeEach(() => {
    now = 1_000;
  });

  it('reads once for all who wait, and for those who come while the copy is young', async () => {
    const cache = new SharedReads<number>({ clock, ttlMs: 500, maxWeight: 500 });
    const { read, ends, count } = heldRead();
    const waiting = [cache.read('a', read), cache.read('a', read), cache.read('a', read)];
    ends[0]?.(7);
    expect(await Promise.all(waiting)).toEqual([7, 7, 7]);
    now += 499;
    expect(await cache.read('a', read)).toBe(7);
    expect(count()).toBe(1);
    now += 1;
    void cache.read('a', read);
    expect(count()).toBe(2);
  });

  it('tells without waiting what a read has given, while the copy is young', async () => {
    const cache = new SharedReads<number>({ clock, ttlMs: 500, maxWeight: 500 });
    const { read, ends } = heldRead();
    const waiting = cache.read('a', read);
    expect(cache.peek('a')).toBeUndefined();
    ends[0]?.(7);
    await waiting;
    expect([cache.peek('a'), cache.peek('b')]).toEqual([7, undefined]);
    now += 500;
    expect(cache.peek('a')).toBeUndefined();
  });

  it('counts the age from the start of the read', () => {
    const cache = new SharedReads<number>({ clock, ttlMs: 500, maxWeight: 500 });
    const { read, count } = heldRead();
    void cache.read('a', read);
    now += 500;
    void cache.read('a', read);
    expect(count()).toBe(2);
  });

  it('keeps no copy of a failure', async () => {
    const cache = new SharedReads<number>({ clock, ttlMs: 500, maxWeight: 500 });
    await expect(cache.read('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.read('a', () => Promise.resolve(1))).toBe(1);
  });

  it('reads every time where copies may be 0 ms old', async () => {
    const cache = new SharedReads<number>({ clock, ttlMs: 0, maxWeight: 500 });
    let reads = 0;
    const read = () => Promise.resolve((reads += 1));
    expect(await Promise.all([cache.read('a', read), cache.read('a', read)])).toEqual([1, 2]);
  });

  it('does not keep a copy for longer when the clock is set back', async () => {
    const cache = new SharedReads<number>({ clock, ttlMs: 500, maxWeight: 500 });
    expect(await cache.read('a', () => Promise.resolve(1))).toBe(1);
    now -= 10_000;
    expect(await cache.read('a', () => Promise.resolve(2))).toBe(2);
  });

  it('forgets the oldest copies past its bound', async () => {
    const cache = new SharedReads<number>({ clock, ttlMs: 500, maxWeight: 500 });
    for (let i = 0; i < 501; i += 1) await cache.read(`page ${i}`, () => Promise.resolve(i));
    expect(await cache.read('page 500', () => Promise.resolve(-1))).toBe(500);
    expect(await cache.read('page 0', () => Promise.resolve(-1))).toBe(-1);
    expect(cache.weight).toBe(500);
  });

  it('keeps no more than may be kept by weight', async () => {
    const cache = new SharedReads<number>({ clock, ttlMs: 500, maxWeight: 100 });
    for (const weight of [40, 40, 30])
      await cache.read(`of ${weight}, ${cache.weight}`, () => Promise.resolve(weight), weight);
    expect(cache.weight).toBe(70);
    await expect(cache.read('fails', () => Promise.reject(new Error('away')), 30)).rejects.toThrow('away');
    expect(cache.weight).toBe(70);
    await cache.read('more than may be kept', () => Promise.resolve(1), 1_000);
    await cache.read('the next', () => Promise.resolve(1), 1);
    expect(cache.weight).toBe(1);
  });

  it('lets go of all that is too old, whatever is asked next', async () => {
    const cache = new SharedReads<number>({ clock, ttlMs: 500, maxWeight: 500 });
    for (let i = 0; i < 100; i += 1) await cache.read(`page ${i}`, () => Promise.resolve(i));
    now += 499;
    await cache.read('young', () => Promise.resolve(1));
    expect(cache.weight).toBe(101);
    now += 1;
    await cache.read('young', () => Promise.resolve(2));
    expect(cache.weight).toBe(1);
  });

  it('lets go of what is too old while nobody asks', async () => {
    jest.useFakeTimers();
    try {
      const cache = new SharedReads<number>({ clock, ttlMs: 500, maxWeight: 500 });
      await cache.read('a', () => Promise.resolve(1));
      jest.advanceTimersByTime(5_000);
      expect(cache.weight).toBe(1);
      now += 500;
      jest.advanceTimersByTime(1_000);
      expect(cache.weight).toBe(0);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
