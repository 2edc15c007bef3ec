import clusterKeySlot from 'cluster-key-slot';
import { maxShards, shardOf, shardTags } from './shard';
import { keys } from './keys';

describe('shards', () => {
  it.each([
    [8, 3, 4],
    [16, 3, 7],
    [16, 4, 4],
    [32, 4, 8],
    [64, 3, 30],
  ])(
    'spreads the keys of %d shards over %d masters, at most %d on one, whatever the prefix',
    (shards, masters, most) => {
      for (let length = 1; length <= 64; length++) {
        const counts = new Array<number>(masters).fill(0);
        for (const tag of shardTags(shards)) {
          // Masters own runs of slots.
          const slot = clusterKeySlot(keys.board(`${length}`.padEnd(length, 'lr'), tag, 'day', '2026-11-20'));
          const master = Math.floor((slot * masters) / 16_384);
          counts[master] = (counts[master] as number) + 1;
        }
        expect(Math.max(...counts)).toBeLessThanOrEqual(most);
      }
    },
  );

  it('gives each of three masters five or six of sixteen shards of the prefix that an app has by itself', () => {
    const masters = shardTags(16).map((tag) => Math.floor((clusterKeySlot(`{lr:${tag}}:x`) * 3) / 16_384));
    expect([0, 1, 2].map((master) => masters.filter((one) => one === master).length).sort()).toEqual([5, 5, 6]);
  });

  it('gives every shard its own tag, and different counts never the same', () => {
    const all = [1, 2, 3, 8, 16, 64, 100].flatMap((shards) => shardTags(shards));
    expect(new Set(all).size).toBe(all.length);
  });

  it.each([2, 8, 16])('spreads members evenly over %d shards', (shards) => {
    for (const name of [
      (i: number) => `${i}`,
      (i: number) => `user-${i}`,
      (i: number) => `${'0'.repeat(30)}${i * 97}`,
    ]) {
      const counts = new Array<number>(shards).fill(0);
      for (let i = 0; i < 20_000; i++) {
        const shard = shardOf(name(i), shards);
        counts[shard] = (counts[shard] as number) + 1;
      }
      const mean = 20_000 / shards;
      // Six standard deviations of a fair throw.
      for (const count of counts) expect(Math.abs(count - mean)).toBeLessThan(6 * Math.sqrt(mean));
    }
  });

  it('never moves a member: stored boards depend on it', () => {
    expect(['', '1', 'user-1', '\u{1F3C6}', '{}'].map((member) => shardOf(member, 16))).toEqual([11, 0, 3, 8, 3]);
    expect(shardOf('anyone', 1)).toBe(0);
  });

  it.each([0, -1, 1.5, NaN, maxShards + 1])('refuses %d shards', (shards) => {
    expect(() => shardTags(shards)).toThrow(expect.objectContaining({ code: 'invalidOption' }));
  });

  it('keeps all keys of a tag in one slot, whatever the member', () => {
    const [tag = ''] = shardTags(16);
    const slots = ['a', '{b}', '}{', '{', 'a:b\n', '{lr:x}'].flatMap((member) => [
      clusterKeySlot(keys.ledger('lr', tag, '20261120', member)),
      clusterKeySlot(keys.revokes('lr', tag, member)),
      clusterKeySlot(keys.page('lr', tag, '20261120', 'a0', member)),
      clusterKeySlot(keys.board('lr', tag, 'day', '2026-11-20')),
    ]);
    expect(new Set(slots).size).toBe(1);
  });
});
