import { Ledgers } from '@laurel/activity/internals';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer, uniform } from '../harness/random';
import { compare, type Metric } from '../harness/sample';
import { eventSource, transitionOf } from '../recording/events';
import { inFlight, recorderOf } from '../recording/setting';
import { commandsRun } from './command-count';
import { openCluster, openOneRedis, RankApp } from './rank-app';
import { askedOf, memberNamed, ranksOf, type Asked } from './requests';

/** Reads and recording on a Cluster of three masters against one shard on one Redis. */
export const clusterBench: Benchmark = {
  name: 'cluster',
  title: 'a Cluster of three masters against one shard on one Redis',
  async run({ memberCounts, rounds, isQuick, report, say }: BenchContext): Promise<void> {
    const members = Math.max(...memberCounts);
    const [one, cluster] = [await openOneRedis(), await openCluster()];
    try {
      say(`putting ${members.toLocaleString('en')} members on the boards of 1, 16 and 64 shards`);
      const whole = await RankApp.open(one, 1, members);
      for (const shards of [16, 64]) {
        const parted = await RankApp.open(cluster, shards, members);
        const setting = `${members.toLocaleString('en')} members, ${shards} shards`;
        const beside = { setting, baselineName: 'one shard on one Redis' };
        for (const asked of askedOf(members)) {
          const metrics = metricsOf(asked, shards);
          const [ours, theirs] = [counter(parted, members, asked), counter(whole, members, asked)];
          report(await compare(ours, theirs, { ...beside, metrics, rounds: 1 }));
        }
        const reads = isQuick ? 200 : 3_000;
        const readsASecond = (app: RankApp) => () => standingsASecond(app, members, reads);
        const reading: Metric = {
          name: 'own standings a second, 32 in flight',
          unit: 'reads/s',
          target: shards === 16 ? { of: 'ratio', atLeast: 0.3 } : null,
        };
        report(await compare(readsASecond(parted), readsASecond(whole), { ...beside, metrics: [reading], rounds }));
        const events = isQuick ? 2_000 : 40_000;
        for (const width of [256, 4_096]) {
          const recording: Metric = {
            name: `recording, ${width.toLocaleString('en')} in flight`,
            unit: 'events/s',
            target: width === 256 && shards === 16 ? { of: 'ratio', atLeast: 0.85 } : null,
          };
          const recorded = (app: RankApp) => eventsASecond(app, { members, events, width });
          report(await compare(recorded(parted), recorded(whole), { ...beside, metrics: [recording], rounds }));
        }
        await parted.nest.close();
      }
      await whole.nest.close();
    } finally {
      await one.stop();
      await cluster.stop();
    }
  },
};

function metricsOf({ name, beside }: Asked, shards: number): readonly Metric[] {
  const bound = (atMost: number | null) => (atMost === null ? null : ({ of: 'subject', atMost } as const));
  return [
    { name: `${name}: commands sent`, unit: 'commands', target: bound(beside === null ? null : shards + beside) },
    { name: `${name}: steps`, unit: 'steps', target: null },
    { name: `${name}: commands that Redis runs`, unit: 'commands', target: null },
    { name: `${name}: of them on the busiest server`, unit: 'commands', target: null },
  ];
}

/** Counts one request, of a user whom nobody has asked for, when nothing shared is cached any more. */
function counter(app: RankApp, members: number, { ask }: Asked): () => Promise<readonly number[]> {
  let user = 1_000;
  return async () => {
    // Scripts that are new to a server are sent twice.
    for (let warm = 0; warm < 3; warm++) await ask(app, (user += 1) % members);
    app.pass();
    const before = await commandsRun(app.servers.each);
    const { sent, steps } = await app.count.of(() => ask(app, (user += 1) % members));
    const run = (await commandsRun(app.servers.each)).map((count, i) => count - (before[i] as number));
    return [sent, steps, run.reduce((sum, count) => sum + count, 0), Math.max(...run)];
  };
}

async function standingsASecond(app: RankApp, members: number, reads: number): Promise<readonly number[]> {
  const someone = uniform(members, lehmer(1));
  const startedMs = performance.now();
  await inFlight(reads, 32, () => ranksOf(app).standing('day', memberNamed(someone())));
  return [(reads * 1_000) / (performance.now() - startedMs)];
}

function eventsASecond(
  app: RankApp,
  { members, events, width }: { readonly members: number; readonly events: number; readonly width: number },
): () => Promise<readonly number[]> {
  const { main } = app.nest.get(Ledgers);
  const recorder = recorderOf(main);
  const random = lehmer(width);
  const next = eventSource(uniform(members, random), random, main.periods.dayOf(Date.now()).start.getTime());
  return async () => {
    const startedMs = performance.now();
    await inFlight(events, width, () => recorder.record(transitionOf(next())));
    return [(events * 1_000) / (performance.now() - startedMs)];
  };
}
