import { shardOf, shardTags } from '@laurel/leaderboard';
import { startRedisCluster, type RedisCluster, type RedisServer } from '@laurel/servers';
import clusterKeySlot from 'cluster-key-slot';
import { Cluster } from 'ioredis';
import { keys } from '../../libs/leaderboard/src/keys';
import { judgedBoard, members, reading, shards, writing, type Traffic } from '../support/cluster-traffic';
import { JudgedLedger, recording } from '../support/ledger-traffic';
import { freshPrefix } from '../support/redis';
import { announceSeed } from '../support/seed';

describe('while every slot of a board moves from one master to another', () => {
  let servers: RedisCluster;
  let client: Cluster;
  beforeAll(async () => {
    announceSeed();
    servers = await startRedisCluster({ masters: 3, replicas: 1 });
    client = new Cluster([...servers.nodes]);
  });
  afterAll(async () => {
    client.disconnect();
    await servers.kill();
  });

  /** How often the masters answered with an error of this name. */
  async function refusals(name: 'TRYAGAIN' | 'ASK' | 'MOVED'): Promise<number> {
    const stats = await Promise.all(client.nodes('master').map((node) => node.info('errorstats')));
    const counts = stats.map((text) => Number(new RegExp(`errorstat_${name}:count=(\\d+)`).exec(text)?.[1] ?? 0));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async function nextMaster(slot: number): Promise<RedisServer> {
    const masters = servers.servers.slice(0, 3);
    return masters[(masters.indexOf(await servers.masterOf(slot)) + 1) % masters.length] as RedisServer;
  }

  /**
   * Moves every slot of a key: one key, the others, and then the slot; in between the traffic goes on. Reads go on all the
   * while, each sent on by ASK where its key has gone; what needs several keys, some here and some there, is told TRYAGAIN.
   */
  async function moveAll(key: string, traffic: Traffic, told: 'ASK' | 'TRYAGAIN'): Promise<void> {
    for (const slot of shardTags(shards).map((tag) => clusterKeySlot(keys.entries(key, tag)))) {
      await traffic.goesOn(1);
      const move = await servers.beginMove(slot, await nextMaster(slot));
      const before = await refusals(told);
      await move.moveKeys(1);
      if (told === 'ASK') {
        await traffic.goesOn(1);
        while ((await move.moveKeys(10)) > 0);
      }
      await traffic.until(`a call that is told ${told}`, async () => (await refusals(told)) > before);
      await move.finish(servers.running);
    }
    await traffic.goesOn(3);
    await traffic.stop();
  }

  describe.each([
    ['plain', 'desc'],
    ['packed', 'asc'],
    ['packed dimensions', 'desc'],
    ['lexical', 'desc'],
  ] as const)('a %s leaderboard, %s', (layout, order) => {
    it('answers reads as the model does', async () => {
      const key = freshPrefix();
      const reads = reading(await judgedBoard(client, { key, layout, order }));
      const moved = await refusals('MOVED');
      await moveAll(key, reads, 'ASK');
      expect(await refusals('MOVED')).toBeGreaterThan(moved);
    });

    it('takes writes, those of a slot on its way when it has arrived', async () => {
      const key = freshPrefix();
      const writes = writing(await judgedBoard(client, { key, layout, order }));
      await moveAll(key, writes, 'TRYAGAIN');
    });
  });

  it('a ledger judges and counts as the model does', async () => {
    const prefix = freshPrefix();
    const judged = new JudgedLedger(client, prefix);
    await judged.ledger.prepare();
    await moveAll(prefix, recording(judged), 'TRYAGAIN');
  });

  it('says so where a slot does not arrive within ten seconds, and takes the write when it has', async () => {
    const key = freshPrefix();
    const { engine } = await judgedBoard(client, { key, layout: 'plain', order: 'desc' });
    const tag = shardTags(shards)[0] ?? '';
    const slot = clusterKeySlot(keys.entries(key, tag));
    const member = members.find((name) => shardOf(name, shards) === 0) ?? '';
    const move = await servers.beginMove(slot, await nextMaster(slot));
    await move.moveKeys(1);
    const message = `No master of the Redis Cluster serves the slot of {${key}:${tag}} now: it has been moving for 10 s.`;
    const refused = { code: 'unavailable', message: `${message} Try again in a moment.` };
    await expect(engine.set(member, 1_000)).rejects.toMatchObject(refused);
    await move.finish(servers.running);
    await engine.set(member, 2_000);
    expect((await engine.top(1))[0]).toMatchObject({ member, score: 2_000 });
  });
});
