import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer, uniform, zipf } from '../harness/random';
import { redisCpuSeconds } from '../harness/redis-cpu';
import { compare } from '../harness/sample';
import { eventSource, transitionOf } from './events';
import { recordPlainly } from './plain-commands';
import { inFlight, openSetting } from './setting';

const batchSize = 100;

/** What an activity costs Redis, against the least that could be called recording. */
export const redisCpuBench: Benchmark = {
  name: 'redis-cpu',
  title: 'Redis CPU an event',
  members: [10_000, 100_000],
  async run({ memberCounts, rounds, isQuick, report, say }: BenchContext): Promise<void> {
    const perRound = isQuick ? 5_000 : 40_000;
    for (const members of memberCounts) {
      say(`putting ${members.toLocaleString('en')} members on the boards of both sides`);
      const setting = await openSetting(members);
      try {
        const { redis, recorder, plain, day } = setting;
        for (const [users, drawing, atMost] of [
          ['uniform', uniform, 1.1],
          ['Zipf', zipf, 1.0],
        ] as const) {
          const startMs = day.start.getTime();
          const sources = [1, 2].map((seed) => {
            const random = lehmer(seed);
            return eventSource(drawing(members, random), random, startMs);
          });
          const [ours, theirs] = sources as [ReturnType<typeof eventSource>, ReturnType<typeof eventSource>];
          const perEvent = async (work: () => Promise<void>) => {
            const before = await redisCpuSeconds(redis);
            await work();
            return [(((await redisCpuSeconds(redis)) - before) / perRound) * 1e6];
          };
          report(
            await compare(
              () => perEvent(() => inFlight(perRound, 256, () => recorder.record(transitionOf(ours())))),
              () =>
                perEvent(() =>
                  inFlight(perRound / batchSize, 2, () =>
                    recordPlainly(redis, plain, Array.from({ length: batchSize }, theirs)),
                  ),
                ),
              {
                setting: `${members.toLocaleString('en')} members, ${users} users`,
                baselineName: `HSETNX + ZINCRBY + ZINCRBY, pipelined by ${batchSize} events`,
                metrics: [{ name: redisCpuBench.title, unit: 'µs', target: { of: 'ratio', atMost } }],
                rounds,
              },
            ),
          );
        }
      } finally {
        await setting.close();
      }
    }
  },
};
