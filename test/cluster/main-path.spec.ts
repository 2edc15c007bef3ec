import { ActivityModule, ActivityService, Erasures, Exclusions, ModerationModule, RankService } from '@laurel/activity';
import { Ledger, Period, RollingBoard, type Transition } from '@laurel/leaderboard';
import { activityEnvironment } from '@laurel/settings';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { leaderboardContract } from '../support/leaderboard-contract';
import { layouts } from '../support/leaderboard-layouts';
import { keptBoard } from '../support/ledger';
import { ownCluster } from '../support/own-servers';
import { patient } from '../support/patient';
import { afterThisTest, dayMs, freshPrefix, ManualClock, mentions } from '../support';

const shards = 16;
const noon = Date.parse('2037-11-10T12:00:00Z');

describe('on a Redis Cluster of three masters', () => {
  const cluster = ownCluster();

  leaderboardContract(
    { redis: () => cluster.client, shards },
    layouts.filter(({ name }) => name === 'packed'),
  );

  it('sums a ledger’s rolling window, and keeps parts apart', async () => {
    const clock = new ManualClock(noon);
    const board = { ...keptBoard('day', 0), name: 'recent', partition: 'team' };
    const ledger = new Ledger(cluster.client, {
      ...{ prefix: freshPrefix(), shards, clock, boards: [board], ledgerRetentionMs: null },
    });
    await ledger.prepare();
    for (const back of [4, 2, 1, 0]) {
      clock.set(noon - back * dayMs);
      const grants = Array.from({ length: 120 }, (_, i): Transition => ({
        ...{ kind: 'grant', member: `user-${i}`, field: 'x', points: 10 ** back + i, occurredAtMs: clock.now() },
        partitions: { team: i % 2 === 0 ? 'even' : 'odd' },
      }));
      await ledger.apply(grants);
    }
    const rolling = new RollingBoard(cluster.client, ledger, { board: 'recent', days: 3, refreshMs: 1_000 });
    const odd = await rolling.reader(Period.of({ kind: 'rolling', days: 3 }, new Date(noon), 'UTC'), 'odd').top(100);
    expect(odd.map(({ member, score }) => [member, score])).toEqual(
      Array.from({ length: 60 }, (_, i) => [`user-${119 - 2 * i}`, 111 + 3 * (119 - 2 * i)]),
    );
    const parts: string[] = [];
    const today = Period.of('day', new Date(noon), 'UTC');
    for await (const part of ledger.periods.partitions('recent', today)) parts.push(part);
    expect(parts).toEqual(['even', 'odd']);
  });

  it('an app ranks what it records on all masters, without whom it excludes, and forgets whom it erases', async () => {
    const prefix = freshPrefix();
    const nodes = cluster.servers.nodes.map(({ host, port }) => `${host}:${port}`).join();
    const { redis, ...options } = activityEnvironment({ REDIS_CLUSTER_NODES: nodes, LAUREL_PREFIX: prefix });
    if (!redis) throw new Error('The environment names a Cluster.');
    const module = ActivityModule.forRoot({
      ...{ ...patient, ...options, redis, controllers: false as const, clock: new ManualClock(noon) },
      imports: [EventEmitterModule.forRoot(), ModerationModule],
    });
    const app = await NestFactory.createApplicationContext(module, { logger: false });
    afterThisTest(() => app.close());
    const [activity, ranks] = [app.get(ActivityService), app.get(RankService)];
    const crowd = Array.from({ length: 40 }, (_, n) => `user ${n}`);
    const outcomes = await activity.record(
      crowd.flatMap((userId, n) =>
        Array.from({ length: n + 1 }, (_, page) => ({ userId, action: 'view', subject: `page ${page}` })),
      ),
    );
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['granted']));
    for (const node of cluster.client.nodes('master')) expect(await node.dbsize()).toBeGreaterThan(20);
    const best = [...crowd].reverse();
    const shown = async (board: string) => {
      const { entries } = await ranks.standings(board, { limit: 100, offset: 0 });
      expect(entries.map(({ rank }) => rank)).toEqual(entries.map((_, i) => i + 1));
      return entries.map(({ userId }) => userId);
    };
    for (const board of ['day', 'week', 'month', 'all']) expect(await shown(board)).toEqual(best);
    expect((await ranks.standing('day', 'user 30')).entry).toMatchObject({ rank: 10, score: 31 });

    await app.get(Exclusions).exclude('user 39', { reason: 'staff' });
    expect(await shown('day')).toEqual(best.slice(1));
    await app.get(Exclusions).include('user 39');
    expect(await shown('month')).toEqual(best);

    expect((await mentions(cluster.client, prefix, 'user 20')).length).toBeGreaterThan(3);
    await app.get(Erasures).erase('user 20');
    expect(await mentions(cluster.client, prefix, 'user 20')).toEqual([]);
    expect(await shown('all')).toEqual(best.filter((userId) => userId !== 'user 20'));
  });
});
