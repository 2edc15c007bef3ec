import { Leaderboard } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { Leaderboard as RedisRank } from 'redis-rank';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer } from '../harness/random';
import { redisCpuSeconds } from '../harness/redis-cpu';
import { compare } from '../harness/sample';
import { inFlight } from '../recording/setting';
import { inLines, memberNamed, openServer } from './boards';

const width = 64;
const batchSize = 1_000;

/** The same calls of ours and of redis-rank: calls a second, and what each costs Redis. */
export const redisRankBench: Benchmark = {
  name: 'redis-rank',
  title: 'the engine against redis-rank 2.2.3',
  members: [10_000, 100_000],
  async run({ memberCounts, rounds, isQuick, report, say }: BenchContext): Promise<void> {
    for (const members of memberCounts) {
      const server = await openServer();
      const { redis } = server;
      try {
        say(`putting ${members.toLocaleString('en')} members on the boards of both`);
        const ours = new Leaderboard(redis, { key: 'ours', update: 'increment' });
        const theirs = new RedisRank(redis, 'theirs', { sortPolicy: 'high-to-low', updatePolicy: 'aggregate' });
        await inLines(members, (lines) => ours.setMany(lines));
        await inLines(members, (lines) =>
          theirs.update(lines.map(({ member, score }) => ({ id: member, value: score }))),
        );
        const calls = isQuick ? 2_000 : 20_000;
        const random = [lehmer(3), lehmer(3)];
        const [one, other] = random.map((draw) => () => memberNamed(Math.floor(draw() * members)));
        const someone = one as () => string;
        const theirSomeone = other as () => string;
        const lines = (draw: () => string) => Array.from({ length: batchSize }, () => ({ member: draw(), score: 3 }));
        const rows: readonly [name: string, calls: number, () => Promise<unknown>, () => Promise<unknown>][] = [
          ['increment', calls, () => ours.increment(someone(), 3), () => theirs.updateOne(theirSomeone(), 3)],
          ['entry / find', calls, () => ours.entry(someone()), () => theirs.find(theirSomeone())],
          ['rank', calls, () => ours.rank(someone()), () => theirs.rank(theirSomeone())],
          ['top 10', calls, () => ours.top(10), () => theirs.top(10)],
          [
            'around, 5 each side',
            calls / 2,
            () => ours.around(someone(), { radius: 5 }),
            () => theirs.around(theirSomeone(), 5, true),
          ],
          [
            `${batchSize.toLocaleString('en')} increments in a batch`,
            calls / 200,
            () => ours.setMany(lines(someone)),
            () => theirs.update(lines(theirSomeone).map(({ member, score }) => ({ id: member, value: score }))),
          ],
        ];
        for (const [name, count, our, their] of rows) {
          report(
            await compare(
              () => measure(redis, count, our),
              () => measure(redis, count, their),
              {
                setting: `${members.toLocaleString('en')} members, ${width} in flight`,
                baselineName: 'redis-rank 2.2.3',
                metrics: [
                  { name: `${name}, calls a second`, unit: 'calls/s', target: { of: 'ratio', atLeast: 1 } },
                  { name: `${name}, Redis CPU a call`, unit: 'µs', target: { of: 'ratio', atMost: 1 } },
                ],
                rounds,
              },
            ),
          );
        }
      } finally {
        await server.close();
      }
    }
  },
};

async function measure(redis: Redis, calls: number, call: () => Promise<unknown>): Promise<readonly number[]> {
  const [cpuBefore, before] = [await redisCpuSeconds(redis), performance.now()];
  await inFlight(calls, width, call);
  const seconds = (performance.now() - before) / 1_000;
  return [calls / seconds, (((await redisCpuSeconds(redis)) - cpuBefore) / calls) * 1e6];
}
