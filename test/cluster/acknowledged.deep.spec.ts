import type { Outcome } from '@laurel/activity';
import type { RankPage } from '@laurel/activity/internals';
import { shardOf, shardTags } from '@laurel/leaderboard/internals';
import type { RedisServer } from '@laurel/servers';
import clusterKeySlot from 'cluster-key-slot';
import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { afterThisTest } from '../support/endings';
import { ownCluster } from '../support/own-servers';
import { apiKey, ask, freshPrefix, TestCommunity, waitUntil } from '../community/support';

/** What an app on a Cluster has where its environment does not say. */
const shards = 16;
const users = Array.from({ length: 24 }, (_, n) => `user ${n}`);

const slotOf = (prefix: string, userId: string): number =>
  clusterKeySlot(`{${prefix}:${shardTags(shards)[shardOf(userId, shards)] as string}}`);

/** Users who do one thing after the other, each until it is acknowledged. */
class Load {
  readonly sent = new Map<string, number>();
  readonly acknowledged = new Map<string, number>();
  refused = 0;
  private goes = true;
  private readonly done: Promise<unknown>;

  constructor(
    private readonly community: TestCommunity,
    users: readonly string[],
  ) {
    this.done = Promise.all(users.map((userId) => this.act(userId)));
    this.done.catch(() => (this.goes = false));
  }

  get count(): number {
    return [...this.acknowledged.values()].reduce((sum, one) => sum + one, 0);
  }

  /** Waits until so many more are acknowledged. */
  async goesOn(more: number): Promise<void> {
    const until = this.count + more;
    await waitUntil(() => this.count >= until || !this.goes, { withinMs: 60_000, what: `${more} more` });
  }

  async stop(): Promise<void> {
    this.goes = false;
    await this.done;
  }

  private async act(userId: string): Promise<void> {
    for (let page = 0; this.goes; page += 1) {
      this.sent.set(userId, page + 1);
      const events = [{ userId, action: 'view', subject: `page ${page}` }];
      while ((await this.send(events)) !== 200) {
        this.refused += 1;
        await delay(20);
      }
      this.acknowledged.set(userId, page + 1);
      await delay(2);
    }
  }

  private async send(events: readonly object[]): Promise<number> {
    const answer = await ask<{ results: Outcome[] }>(this.community.app, 'POST', '/activity/events', {
      token: apiKey,
      body: { events },
    });
    if (answer.status !== 200 && answer.status !== 503) throw new Error(`${answer.status}: ${answer.text}`);
    if (answer.status === 503) expect(answer.headers['retry-after']).toBeDefined();
    return answer.status;
  }
}

async function boardOf({ app }: TestCommunity): Promise<ReadonlyMap<string, number>> {
  const points = new Map<string, number>();
  for (let cursor: string | null = null; ;) {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await ask<RankPage>(app, 'GET', `/ranks/all?limit=100${more}`);
    for (const { userId, score } of body.entries) points.set(userId, score);
    if (body.next === null) return points;
    cursor = body.next;
  }
}

const own = ownCluster({ masters: 3, replicas: 1, nodeTimeoutMs: 1_000 });

/** A replica that hears nothing more of its master, which is then killed: the replica takes its place. */
async function failoverToOneBehind(slot: number, between: () => Promise<void>): Promise<void> {
  const master = await own.servers.masterOf(slot);
  const [replica] = (await own.servers.replicasOf(master)) as [RedisServer];
  process.kill(replica.pid, 'SIGSTOP');
  try {
    const admin = new Redis({ host: master.host, port: master.port });
    // What is on the way to it would be read later.
    await admin.call('CLIENT', 'KILL', 'TYPE', 'replica');
    admin.disconnect();
    await between();
  } finally {
    await master.kill();
    process.kill(replica.pid, 'SIGCONT');
  }
  await waitUntil(async () => (await own.servers.masterOf(slot)).port === replica.port, { withinMs: 60_000 });
  await own.servers.rejoin(master);
}

/** A failover, a slot of each of four users moved to another master, and another failover. */
async function disturb(prefix: string, load: Load): Promise<void> {
  const slots = users.slice(0, 4).map((userId) => slotOf(prefix, userId));
  await load.goesOn(200);
  const { killed } = await own.servers.failover(slots[0] as number);
  await load.goesOn(100);
  await own.servers.rejoin(killed);
  for (const slot of new Set(slots)) {
    const owner = await own.servers.masterOf(slot);
    const masters = await Promise.all([0, 8_000, 16_000].map((one) => own.servers.masterOf(one)));
    const other = masters.find(({ port }) => port !== owner.port) as RedisServer;
    const move = await own.servers.beginMove(slot, other);
    await move.moveKeys(3);
    await load.goesOn(20);
    await move.finish(own.servers.running);
  }
  await load.goesOn(100);
  const second = await own.servers.failover(slots[1] as number);
  await load.goesOn(100);
  await own.servers.rejoin(second.killed);
  await load.goesOn(100);
}

function compare(name: string, { sent, acknowledged, refused, count }: Load, board: ReadonlyMap<string, number>) {
  let [lost, doubled] = [0, 0];
  for (const [userId, number] of acknowledged) {
    lost += Math.max(0, number - (board.get(userId) ?? 0));
    doubled += Math.max(0, (board.get(userId) ?? 0) - (sent.get(userId) ?? 0));
  }
  process.stdout.write(`${name}: ${count} acknowledged, ${refused} refusals, ${lost} lost, ${doubled} doubled\n`);
  return { lost, doubled };
}

it('what was acknowledged, on a Redis Cluster of six nodes, is neither lost nor doubled by failovers and moving slots where the app waits for a replica', async () => {
  const prefix = freshPrefix();
  const community = await TestCommunity.start({
    redis: { nodes: own.servers.nodes },
    prefix,
    waitForReplicas: { replicas: 1, timeoutMs: 300 },
    recordTimeoutMs: 3_000,
    // Nothing is refused for being too much for a day.
    limits: [],
  });
  afterThisTest(() => community.stop());
  const load = new Load(community, users);
  afterThisTest(() => load.stop());
  await disturb(prefix, load);
  const slot = slotOf(prefix, users[0] as string);
  await failoverToOneBehind(slot, async () => {
    const held = users.filter((userId) => slotOf(prefix, userId) === slot);
    const before = held.map((userId) => load.acknowledged.get(userId));
    const refused = load.refused;
    await waitUntil(() => load.refused > refused, { withinMs: 60_000, what: 'a refusal' });
    const after = held.map((userId) => load.acknowledged.get(userId));
    // At most what was on its way.
    after.forEach((count, i) => expect((count ?? 0) - (before[i] ?? 0)).toBeLessThanOrEqual(1));
  });
  await load.goesOn(100);
  await load.stop();
  const board = await waitUntil(() => boardOf(community));
  expect(compare('waiting for a replica', load, board)).toEqual({ lost: 0, doubled: 0 });
});
