import { Cluster, Redis } from 'ioredis';
import { Leaderboard } from './leaderboard/leaderboard';
import { Ledger } from './ledger/ledger';
import { readStoredSettings } from './ledger/settings/stored-settings';
import { Resharding } from './operations/resharding/resharding';
import { RollingBoard } from './rolling/rolling-board';

const boards = [{ name: 'day', period: 'day', retentionMs: null, latenessMs: 0 }] as const;
const plain = new Redis({ lazyConnect: true });
const prefixed = {
  'a Redis': new Redis({ lazyConnect: true, keyPrefix: 'app:' }),
  'a Cluster': new Cluster([{ host: 'a', port: 1 }], { lazyConnect: true, keyPrefix: 'app:' }),
  'nodes of a Cluster': new Cluster([{ host: 'a', port: 1 }], {
    lazyConnect: true,
    redisOptions: { keyPrefix: 'app:' },
  }),
};

describe.each(Object.entries(prefixed))('a client with a keyPrefix, %s', (_, redis) => {
  const ledger = new Ledger(plain, { boards });
  const window = { board: 'day', days: 7, refreshMs: 1_000 };

  it.each([
    ['Ledger', /use a client without one, and the option prefix/, () => new Ledger(redis, { boards })],
    ['Leaderboard', /begin key with it/, () => new Leaderboard(redis, { key: 'runs' })],
    ['Resharding', /prefix of the ledger/, () => new Resharding(redis, { prefix: 'lr', shards: 2 })],
    ['RollingBoard', /prefix of the ledger/, () => new RollingBoard(redis, ledger, window)],
  ])('is refused by %s, which says what to use instead', (_name, message, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'invalidOption' }));
    expect(make).toThrow(message);
    expect(make).toThrow(/keyPrefix "app:"/);
  });

  it('is refused where stored settings are asked for', async () => {
    await expect(readStoredSettings(redis, 'lr')).rejects.toMatchObject({ code: 'invalidOption' });
  });
});
