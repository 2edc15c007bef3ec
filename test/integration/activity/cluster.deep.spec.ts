import { systemClock } from '@laurel/leaderboard';
import clusterKeySlot from 'cluster-key-slot';
import { Cluster } from 'ioredis';
import { ActivityService, Reviews, type Rule } from '@laurel/activity';
import { SubjectDeletions } from '@laurel/activity/moderation';
import { Ledgers, type RedisNode } from '@laurel/activity/internals';
import { ownCluster } from '../../support/own-servers';
import { runCli } from '../../support/run-cli';
import { freshPrefix, stopTinyApps, TinyApp, waitUntil, withKey } from './support';

// What was acknowledged is on disk: otherwise Redis may put off a write while the disk is busy.
const cluster = ownCluster({ args: ['--appendfsync', 'always'] });

const start = (prefix = freshPrefix()) =>
  TinyApp.start({ options: { redis: { nodes: cluster.servers.nodes }, prefix } });

/** User n has n % 7 points. */
const users = Array.from({ length: 60 }, (_, n) => ({ userId: `user ${n}`, score: n % 7 }));
const views = users.flatMap(({ userId, score }) =>
  Array.from({ length: score }, (_, page) => ({ userId, action: 'view', subject: `${page}` })),
);
const scores = users
  .map(({ score }) => score)
  .filter((score) => score > 0)
  .sort((a, b) => b - a);

const scoresOf = async (app: TinyApp) => (await app.page('/ranks/day?limit=100')).map(([, , score]) => score);

describe('an app on a Redis Cluster', () => {
  it('takes back what a subject earned, and what a puppet gave, on all masters', async () => {
    const rules: Rule[] = [{ action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 3 }] }];
    const app = await TinyApp.start({
      options: { redis: { nodes: cluster.servers.nodes }, prefix: freshPrefix(), rules },
    });
    const praises = ['pup', ...users.slice(0, 20).map(({ userId }) => userId)].flatMap((userId) =>
      ['bob', 'cid', 'dan'].map((ownerId) => ({ userId, action: 'praise', subject: `of:${ownerId}`, ownerId })),
    );
    const from = new Date(systemClock.now() - 1_000).toISOString();
    await app.nest.get(ActivityService).record(praises);
    const score = (userId: string) => app.score(userId, 'month');
    const reviews = app.nest.get(Reviews);
    const { id } = await reviews.hold({ userId: 'pup', reason: 'a puppet', from });
    expect((await reviews.void(id)).voided).toMatchObject({ grants: 3, gifts: { grants: 3, points: 9, owners: 3 } });
    expect(await Promise.all(['bob', 'cid', 'dan'].map(score))).toEqual([60, 60, 60]);
    const deletions = app.nest.get(SubjectDeletions);
    const receipt = await deletions.delete('of:cid');
    await waitUntil(async () => (await deletions.find(receipt.id)).state === 'done');
    expect((await deletions.find(receipt.id)).taken).toEqual({ grants: 40, points: 100 });
    expect(await Promise.all(['bob', 'cid', 'dan', 'user 1'].map(score))).toEqual([60, 0, 60, 4]);
    expect(await app.differences()).toEqual([]);
  });

  it('spreads users over 16 shards by a client of its own, and stays in those that data lies in', async () => {
    const { host, port } = cluster.servers.nodes[0] as RedisNode;
    const client = new Cluster([{ host, port }]);
    const starting = (prefix: string, shards?: number) =>
      TinyApp.start({ options: { redis: { client }, prefix, ...(shards !== undefined && { shards }) } });
    const inShards = async (app: TinyApp, shards: number) => {
      expect(app.nest.get(Ledgers).main.shards).toBe(shards);
      await app.nest.get(ActivityService).record(views);
      expect(await scoresOf(app)).toEqual(scores);
    };
    await inShards(await starting(freshPrefix()), 16);
    const begunInOne = freshPrefix();
    await inShards(await starting(begunInOne, 1), 1);
    await inShards(await starting(begunInOne), 1);
    await stopTinyApps();
    await client.quit();
  });

  it('does not begin in one shard by a client that takes a node for all of Redis, but where that is configured', async () => {
    const prefix = freshPrefix();
    const { url } = await cluster.servers.masterOf(clusterKeySlot(`{${prefix}}:layout`));
    const starting = (shards?: number) =>
      TinyApp.start({ options: { redis: { url }, prefix, ...(shards !== undefined && { shards }) } });
    await expect(starting()).rejects.toMatchObject({
      code: 'shardCountMismatch',
      message: expect.stringContaining('name the Cluster in redis.nodes (REDIS_CLUSTER_NODES)'),
    });
    const env = { REDIS_URL: url, LAUREL_PREFIX: prefix };
    expect((await runCli(['import', '-'], { env })).err).toContain('a node of a Redis Cluster');
    const app = await starting(1);
    expect(app.nest.get(Ledgers).main.shards).toBe(1);
  });

  it('takes rules that are posted, and tells what was given, what is left and what was refused', async () => {
    const prefix = freshPrefix();
    const [one, two] = [await start(prefix), await start(prefix)];
    const rules = [{ action: 'view', points: 3, revocable: false, code: 'v' }];
    const limits = [{ type: 'daily', action: 'view', max: 1 }];
    expect(await one.post('/activity/rules', { rules, limits }, withKey)).toMatchObject({ body: { version: 2 } });
    const revision = async () => (await two.get<{ revision: number }>('/activity/rules', withKey)).body.revision;
    await waitUntil(async () => (await revision()) === 1);
    const { body } = await two.record(...['1', '2'].map((subject) => ({ userId: 'ada', action: 'view', subject })));
    expect(body.results).toMatchObject([{ points: 3 }, { outcome: 'limited', refusal: { limit: 'view-daily' } }]);
    const of = async (path: string) => (await one.get<object>(path, withKey)).body;
    expect(await of('/activity/users/ada/quota')).toMatchObject({ limits: [{ used: 1, left: 0 }] });
    expect(await of('/activity/users/ada/ledger')).toMatchObject({ lines: [{ subject: '1', points: 3, version: 2 }] });
    await waitUntil(async () => JSON.stringify(await of('/activity/refusals')).includes('"reason":"view-daily"'));
  });
});
