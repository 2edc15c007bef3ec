import { Estimator } from './estimator';

/** Settles what is under way. */
const turn = () => jest.advanceTimersByTimeAsync(0);

describe('a table that is read anew on a timer', () => {
  let now = 0;
  let reads = 0;
  let failure: Error | null = null;
  let hold: Promise<void> | null = null;
  const read = async () => {
    const read = ++reads;
    await hold;
    if (failure) throw failure;
    return `table ${read}`;
  };
  let estimator: Estimator<string>;
  beforeEach(() => {
    jest.useFakeTimers();
    [now, reads, failure, hold] = [5, 0, null, null];
    estimator = new Estimator(read, 1_000, { now: () => now });
  });
  afterEach(() => {
    estimator.close();
    jest.useRealTimers();
  });

  it('is read once for all who wait for it', async () => {
    expect(estimator.readAt).toBeNull();
    const waiting = await Promise.all([estimator.whenRead(), estimator.whenRead(), estimator.whenRead()]);
    expect(waiting).toEqual(['table 1', 'table 1', 'table 1']);
    expect([await estimator.whenRead(), estimator.readAt]).toEqual(['table 1', new Date(5)]);
    expect(reads).toBe(1);
  });

  it('is read anew while it is used, and dropped when nobody asks', async () => {
    await estimator.whenRead();
    now = 6;
    await jest.advanceTimersByTimeAsync(1_000);
    expect([await estimator.whenRead(), estimator.readAt]).toEqual(['table 2', new Date(6)]);
    await jest.advanceTimersByTimeAsync(3_000);
    expect([estimator.readAt, jest.getTimerCount(), reads]).toEqual([null, 0, 3]);
    expect(await estimator.whenRead()).toBe('table 4');
  });

  it('stays, at its age, where reading it anew fails', async () => {
    await estimator.whenRead();
    failure = new Error('away');
    now = 6;
    await jest.advanceTimersByTimeAsync(1_000);
    expect([await estimator.whenRead(), estimator.readAt, reads]).toEqual(['table 1', new Date(5), 2]);
    failure = null;
    await jest.advanceTimersByTimeAsync(1_000);
    expect([await estimator.whenRead(), estimator.readAt]).toEqual(['table 3', new Date(6)]);
  });

  it('says so where it cannot be read at first, and is tried again at the next call', async () => {
    failure = new Error('away');
    await expect(estimator.whenRead()).rejects.toThrow('away');
    expect(jest.getTimerCount()).toBe(0);
    failure = null;
    expect(await estimator.whenRead()).toBe('table 2');
  });

  it('is neither kept nor refreshed after it was closed, also where it is just being read', async () => {
    let release: () => void = () => undefined;
    hold = new Promise((resolve) => (release = resolve));
    const waiting = estimator.whenRead();
    await turn();
    estimator.close();
    release();
    expect(await waiting).toBe('table 1');
    expect([estimator.readAt, jest.getTimerCount()]).toEqual([null, 0]);
  });
});
