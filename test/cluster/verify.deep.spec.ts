import { ActivityModule, ActivityService } from '@laurel/activity';
import { activityEnvironment } from '@laurel/settings';
import { Ledger, Period, Resharding, systemClock, type LedgerOptions } from '@laurel/leaderboard';
import { shardOf, shardTags } from '@laurel/leaderboard/internals';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { NestFactory } from '@nestjs/core';
import clusterKeySlot from 'cluster-key-slot';
import { setTimeout as delay } from 'node:timers/promises';
import { keys } from '../support/keys';
import { differencesOf } from '../support/differences';
import { keptBoard } from '../support/ledger';
import { patient } from '../support/patient';
import { ownCluster } from '../support/own-servers';
import { runCli, type CliResult } from '../support/run-cli';
import { afterThisTest, freshPrefix, waitUntil } from '../support';

/** What an app on a Cluster has where its environment does not say. */
const appShards = 16;

describe('on a Redis Cluster of six nodes', () => {
  const cluster = ownCluster({ masters: 3, replicas: 1, nodeTimeoutMs: 1_000 });

  it('verify names what is wrong on each master, and rebuild puts it right under load, a failover in the middle', async () => {
    const prefix = freshPrefix();
    const nodes = cluster.servers.nodes.map(({ host, port }) => `${host}:${port}`).join();
    const env = { REDIS_CLUSTER_NODES: nodes, LAUREL_PREFIX: prefix };
    const { redis, ...environment } = activityEnvironment(env);
    if (!redis) throw new Error('The environment names a Cluster.');
    const module = ActivityModule.forRoot({
      // What a master that is killed has taken is never answered.
      ...{ ...patient, ...environment, redis, controllers: false as const, commandTimeoutMs: 5_000 },
      imports: [EventEmitterModule.forRoot()],
    });
    const app = await NestFactory.createApplicationContext(module, { logger: false });
    afterThisTest(() => app.close());
    const service = app.get(ActivityService);
    const run = (command: string, timeoutMs = patient.commandTimeoutMs): Promise<CliResult> =>
      runCli([command], { env: { ...env, LAUREL_COMMAND_TIMEOUT_MS: `${timeoutMs}` } });
    const users = Array.from({ length: 80 }, (_, n) => `user-${n}`);
    await service.record(
      users.flatMap((userId) => ['a', 'b'].map((subject) => ({ userId, action: 'praise', subject }))),
    );
    expect(await run('verify')).toMatchObject({ exitCode: 0, out: expect.stringMatching(/: 0 differences\.\n$/) });

    const tagOf = (userId: string) => shardTags(appShards)[shardOf(userId, appShards)] as string;
    const month = Period.of('month', new Date(systemClock.now()), 'UTC').key;
    const boardOf = (userId: string) => keys.board(prefix, tagOf(userId), 'month', month);
    const masters = new Set<number>();
    for (const userId of users) {
      await cluster.client.zrem(boardOf(userId), userId);
      masters.add((await cluster.servers.masterOf(clusterKeySlot(boardOf(userId)))).port);
    }
    expect(masters.size).toBe(3);
    await cluster.client.zrem(keys.firstDays(prefix, tagOf('user-5')), 'user-5');
    const { out, exitCode } = await run('verify');
    expect(exitCode).toBe(1);
    for (const userId of users) {
      expect(out).toContain(`month ${month} ${userId}: the ledgers add up to 4 points, there is no entry\n`);
    }
    expect(out).toMatch(/firstDays \S+ user-5: the first ledger is of \S+, the first day is not known\n/);
    expect(out).toMatch(/: 81 differences\.\n$/);

    let isOver = false;
    const recording = (async () => {
      for (let i = 0; !isOver; i += 1) {
        const activity = { userId: users[i % 80] as string, action: 'comment', subject: `c:${i}` };
        await waitUntil(() => service.record(activity), { withinMs: 60_000, what: 'recording' });
      }
    })();
    const slot = clusterKeySlot(boardOf('user-0'));
    const [, { killed }] = await Promise.all([
      run('rebuild', 5_000).catch(() => undefined),
      cluster.servers.failover(slot),
    ]);
    // What the failover broke off is done again.
    await waitUntil(async () => (await run('rebuild', 5_000)).exitCode === 0, { withinMs: 60_000, what: 'a rebuild' });
    isOver = true;
    await recording;
    expect(await run('verify')).toMatchObject({ exitCode: 0, out: expect.stringMatching(/: 0 differences\.\n$/) });
    await cluster.servers.rejoin(killed);
  });

  it('members move to other shards while masters fail: nothing acknowledged is lost or doubled', async () => {
    const prefix = freshPrefix();
    const options = (shards: number): LedgerOptions => ({
      ...{ prefix, shards, ledgerRetentionMs: null },
      boards: [keptBoard('day'), keptBoard('month')],
      waitForReplicas: { replicas: 1, timeoutMs: 300 },
    });
    const ledger = new Ledger(cluster.client, options(4));
    await ledger.prepare();
    const now = systemClock.now();
    const grant = (member: string, n: number) =>
      ({ kind: 'grant', member, field: `v:${n}`, points: 1, occurredAtMs: now + n }) as const;
    const resting = Array.from({ length: 1_500 }, (_, n) => `resting ${n}`);
    // Connections may still know the masters from before the last failover.
    await waitUntil(() => ledger.apply(resting.map((member) => grant(member, 0))), { withinMs: 60_000 });

    const busy = Array.from({ length: 12 }, (_, n) => `busy ${n}`);
    const [sent, acknowledged] = [new Map<string, number>(), new Map<string, number>()];
    let [isOver, refused] = [false, 0];
    const load = Promise.all(
      busy.map(async (member) => {
        for (let n = 1; !isOver; n += 1) {
          sent.set(member, n);
          for (;;) {
            const [result] = await ledger.apply([grant(member, n)]).catch(() => []);
            if (result) break;
            refused += 1;
            await delay(20);
          }
          acknowledged.set(member, n);
        }
      }),
    );
    const failed: string[] = [];
    const failovers: Promise<void>[] = [];
    /** Kills the master of a shard, and brings it back as a replica. */
    const fail = async (shards: number): Promise<void> => {
      const { killed } = await cluster.servers.failover(
        clusterKeySlot(`{${prefix}:${shardTags(shards)[1] as string}}`),
      );
      await cluster.servers.rejoin(killed);
    };
    // One of the old shards while all is copied, and one of the new ones when it is nearly done.
    const onProgress = (phase: string): void => {
      const due = (phase === 'copying' && failovers.length === 0) || (phase === 'sealing' && failovers.length === 1);
      if (due) failovers.push(fail(failovers.length === 0 ? 4 : 7));
    };
    let runs = 0;
    const report = await waitUntil(
      async () => {
        runs += 1;
        return new Resharding(cluster.client, { prefix, shards: 7, graceMs: 1_500, onProgress })
          .run()
          .catch((error: Error) => {
            failed.push(error.message);
            throw error;
          });
      },
      { withinMs: 120_000, everyMs: 500, what: 'a resharding' },
    );
    await Promise.all(failovers);
    isOver = true;
    await load;
    expect(failovers).toHaveLength(2);
    expect(report).toMatchObject({ from: 4, to: 7 });
    expect(ledger.shards).toBe(7);

    const board = ledger.board('month', ledger.periods.of('month', now));
    const points = new Map((await board.top(2_000)).map(({ member, score }) => [member, score]));
    const count = [...acknowledged.values()].reduce((sum, n) => sum + n, 0);
    let [lost, doubled] = [resting.filter((member) => points.get(member) !== 1).length, 0];
    for (const member of busy) {
      lost += Math.max(0, (acknowledged.get(member) ?? 0) - (points.get(member) ?? 0));
      doubled += Math.max(0, (points.get(member) ?? 0) - (sent.get(member) ?? 0));
    }
    process.stdout.write(
      `failovers during a resharding: ${count + resting.length} acknowledged, ${refused} refusals, ${runs} runs, ${lost} lost, ${doubled} doubled\n`,
    );
    expect({ lost, doubled, failed }).toMatchObject({ lost: 0, doubled: 0 });
    expect(await differencesOf(cluster.client, ledger)).toEqual([]);
    ledger.close();
  });
});
