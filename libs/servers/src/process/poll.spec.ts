import { poll } from './poll';

describe('poll', () => {
  it('gives back what it finds, however often it has to look', async () => {
    let looks = 0;
    const found = await poll(async () => Promise.resolve(++looks === 3 ? 'it' : undefined), {
      withinMs: 5_000,
      everyMs: 1,
    });
    expect(found).toBe('it');
    expect(looks).toBe(3);
  });

  it('takes an error for nothing found yet', async () => {
    let looks = 0;
    const probe = (): Promise<string> => (++looks < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve('it'));
    expect(await poll(probe, { withinMs: 5_000, everyMs: 1 })).toBe('it');
  });

  it('gives up when the time is over', async () => {
    expect(await poll(async () => Promise.resolve(undefined), { withinMs: 5, everyMs: 1 })).toBeUndefined();
  });

  it('gives up when there is nothing left to wait for', async () => {
    let looks = 0;
    const probe = async (): Promise<undefined> => Promise.resolve(void looks++);
    await poll(probe, { withinMs: 60_000, everyMs: 1, until: () => looks === 2 });
    expect(looks).toBe(2);
  });
});
