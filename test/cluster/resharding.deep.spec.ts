import { Leaderboard, type LeaderboardOptions, type Score } from '@laurel/leaderboard';
import { runScript, shardOf, shardTags } from '@laurel/leaderboard/internals';
import { type RedisServer } from '@laurel/servers';
import clusterKeySlot from 'cluster-key-slot';
import { keys } from '../support/keys';
import { scripts } from '../support/scripts';
import { judgedBoard, members, reading, shards, writing, type Traffic } from '../support/cluster-traffic';
import { layouts, start } from '../support/leaderboard-operations';
import { ownCluster } from '../support/own-servers';
import { sampleOf } from '../support/sampled';
import { freshPrefix, ManualClock, waitUntil } from '../support';

type Case = [name: string, options: Partial<LeaderboardOptions<Score>>];

describe('while every slot of a board moves from one master to another', () => {
  const cluster = ownCluster({ masters: 3, replicas: 1 });

  /** How often the masters answered with an error of this name. */
  async function refusals(name: 'TRYAGAIN' | 'ASK' | 'MOVED'): Promise<number> {
    const stats = await Promise.all(cluster.client.nodes('master').map((node) => node.info('errorstats')));
    const counts = stats.map((text) => Number(new RegExp(`errorstat_${name}:count=(\\d+)`).exec(text)?.[1] ?? 0));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async function nextMaster(slot: number): Promise<RedisServer> {
    const masters = cluster.servers.servers.slice(0, 3);
    return masters[(masters.indexOf(await cluster.servers.masterOf(slot)) + 1) % masters.length] as RedisServer;
  }

  /**
   * Moves every slot of a key: one key, the others, and then the slot; in between the traffic goes on. Redis redirects
   * a read by ASK if its key has moved, and refuses a call by TRYAGAIN if only some of its keys have.
   */
  async function moveAll(key: string, traffic: Traffic, told: 'ASK' | 'TRYAGAIN'): Promise<void> {
    for (const slot of shardTags(shards).map((tag) => clusterKeySlot(keys.entries(key, tag)))) {
      await traffic.goesOn(1);
      const move = await cluster.servers.beginMove(slot, await nextMaster(slot));
      const before = await refusals(told);
      await move.moveKeys(1);
      if (told === 'ASK') {
        await traffic.goesOn(1);
        while ((await move.moveKeys(10)) > 0);
      }
      await traffic.until(`a call that is told ${told}`, async () => (await refusals(told)) > before);
      await move.finish(cluster.servers.running);
    }
    await traffic.goesOn(3);
    await traffic.stop();
  }

  describe.each([
    ...sampleOf([['plain', 'desc'] as const, ['packed', 'asc'] as const], 1),
    ['lexical', 'desc'] as const,
  ])('a %s leaderboard, %s', (layout, order) => {
    it('answers reads as the model does', async () => {
      const key = freshPrefix();
      const reads = reading(await judgedBoard(cluster.client, { key, layout, order }));
      const moved = await refusals('MOVED');
      await moveAll(key, reads, 'ASK');
      expect(await refusals('MOVED')).toBeGreaterThan(moved);
    });

    it('takes writes, those of a slot on its way when it has arrived', async () => {
      const key = freshPrefix();
      const writes = writing(await judgedBoard(cluster.client, { key, layout, order }));
      await moveAll(key, writes, 'TRYAGAIN');
    });
  });

  /** A board of one shard that expires one day. All its keys lie on a moving slot, and none has moved yet. */
  async function boardOnItsWay(options: Partial<LeaderboardOptions<Score>>, names: readonly string[]) {
    const key = freshPrefix();
    const clock = new ManualClock(start);
    const board = new Leaderboard<Score>(cluster.client, { key, clock, shards: 1, ...options });
    await board.expireAt(new Date('2100-01-01'));
    const score = options.layout ? [1, 2] : 1;
    await board.setMany(names.map((member) => ({ member, score })));
    const slot = clusterKeySlot(keys.entries(key, shardTags(1)[0] ?? ''));
    const move = await cluster.servers.beginMove(slot, await nextMaster(slot));
    return { board, clock, score, finish: () => move.finish(cluster.servers.running) };
  }

  describe.each([
    ['plain', {}],
    ['lexical', { layout: layouts.lexical }],
  ] as Case[])('a leaderboard (%s) that becomes empty on its way', (_, options) => {
    const everything = (board: Leaderboard<Score>) =>
      options.layout
        ? board.removeBetween([-Infinity, -Infinity], [Infinity, Infinity])
        : board.removeBetween(-Infinity, Infinity);

    it.each([
      ['the only one is removed', ['a'], (board) => board.remove('a')],
      ['all are removed', ['a', 'b', 'c'], (board) => board.remove('c', 'x', 'a', 'b', 'y')],
      ['the only one is removed by score', ['a'], everything],
      ['all are removed by their scores', ['a', 'b', 'c'], everything],
    ] as [string, string[], (board: Leaderboard<Score>) => Promise<number>][])('where %s', async (_, names, remove) => {
      const { board, finish } = await boardOnItsWay(options, names);
      expect(await remove(board)).toBe(names.length);
      await finish();
      expect(await board.size()).toBe(0);
    });

    it('takes another score of its only member', async () => {
      const { board, score, finish } = await boardOnItsWay(options, ['a']);
      await board.increment('a', score);
      await finish();
      const twice = options.layout ? [2, 4] : 2;
      expect(await board.top(9)).toMatchObject([{ member: 'a', score: twice }]);
    });

    it('keeps one where there is room for no other', async () => {
      const { board, score, finish } = await boardOnItsWay({ ...options, limit: 1 }, ['a']);
      const best = options.layout ? [3, 0] : 3;
      await board.setMany([
        { member: 'b', score: best },
        { member: 'c', score },
      ]);
      await finish();
      expect(await board.top(9)).toMatchObject([{ member: 'b', score: best }]);
    });
  });

  it.each([
    [
      'a merged board',
      (key) => {
        const own = { expiry: key('expiry'), replaced: key('replaced'), pairs: [key('draft'), key('board')] };
        return runScript(cluster.client, scripts.replacePart, own, { any: 1 });
      },
    ],
    [
      'the sum of closed days',
      (key) => {
        const own = { draft: key('draft'), board: key('board'), windows: key('windows'), changes: key('changes') };
        const rest = { replaced: key('replaced') };
        const args = { ttlMs: 60_000, erasures: '0' };
        return runScript(cluster.client, scripts.replaceWindow, { ...own, ...rest }, args);
      },
    ],
    [
      'a rolling window',
      (key) => {
        const own = { draft: key('draft'), board: key('board'), aside: key('aside'), excluded: key('excluded') };
        const rest = { windows: key('windows'), changes: key('changes'), replaced: key('replaced') };
        return runScript(cluster.client, scripts.replaceWindow, { ...own, ...rest }, { ttlMs: 60_000, erasures: '0' });
      },
    ],
  ] as [string, (key: (name: string) => string) => Promise<unknown>][])(
    '%s takes the place of the one before when its slot has arrived',
    async (_, replace) => {
      const key = (name: string) => `{${prefix}:1-0}:${name}`;
      const prefix = freshPrefix();
      await cluster.client.zadd(key('board'), '1', 'before');
      await cluster.client.zadd(key('aside'), '1', 'excluded before');
      await cluster.client.zadd(key('draft'), '2', 'after', '2', 'excluded');
      await cluster.client.zadd(key('excluded'), '1', 'excluded');
      await cluster.client.zadd(key('windows'), '1', 'another');
      await cluster.client.set(key('expiry'), String(Date.UTC(2100, 0, 1)));
      const slot = clusterKeySlot(key('board'));
      const move = await cluster.servers.beginMove(slot, await nextMaster(slot));
      const before = await refusals('TRYAGAIN');
      const replaced = replace(key);
      await waitUntil(async () => (await refusals('TRYAGAIN')) > before, { what: 'TRYAGAIN' });
      expect(await cluster.client.zrange(key('board'), '0', '-1')).toEqual(['before']);
      await move.finish(cluster.servers.running);
      expect(await replaced).toBe(1);
      expect(await cluster.client.zrange(key('board'), '0', '-1')).toContain('after');
      expect(await cluster.client.exists(key('draft'))).toBe(0);
    },
  );

  it('says so where a slot does not arrive within ten seconds, and takes the write when it has', async () => {
    const key = freshPrefix();
    const { engine } = await judgedBoard(cluster.client, { key, layout: 'plain', order: 'desc' });
    const tag = shardTags(shards)[0] ?? '';
    const slot = clusterKeySlot(keys.entries(key, tag));
    const member = members.find((name) => shardOf(name, shards) === 0) ?? '';
    const move = await cluster.servers.beginMove(slot, await nextMaster(slot));
    await move.moveKeys(1);
    const message = `No master of the Redis Cluster serves the slot of {${key}:${tag}} now: it has been moving for 10 s.`;
    const refused = { code: 'unavailable', message: `${message} Try again in a moment.` };
    await expect(engine.set(member, 1_000)).rejects.toMatchObject(refused);
    await move.finish(cluster.servers.running);
    await engine.set(member, 2_000);
    expect((await engine.top(1))[0]).toMatchObject({ member, score: 2_000 });
  });
});
