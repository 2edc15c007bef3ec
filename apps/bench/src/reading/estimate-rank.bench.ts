import { Leaderboard } from '@laurel/leaderboard';
import { startRedis } from '@laurel/servers';
import { Redis } from 'ioredis';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer } from '../harness/random';
import { compare } from '../harness/sample';
import { inFlight } from '../recording/setting';

const linesAWrite = 50_000;

/** How many ranks a second one process estimates from known scores, against exact ranks asked of Redis. */
export const estimateRankBench: Benchmark = {
  name: 'estimate-rank',
  title: 'ranks estimated from scores',
  members: [1_000_000],
  async run({ memberCounts, rounds, isQuick, report }: BenchContext): Promise<void> {
    const server = await startRedis();
    const redis = new Redis(server.url);
    try {
      for (const members of memberCounts) {
        const random = lehmer(members);
        const scoreOf = Float64Array.from({ length: members }, () => Math.round(1e6 * random() ** 3));
        const board = new Leaderboard(redis, { key: `bench-estimates:${members}` });
        for (let from = 0; from < members; from += linesAWrite) {
          const length = Math.min(linesAWrite, members - from);
          await board.setMany(
            Array.from({ length }, (_, i) => ({ member: `user-${from + i}`, score: scoreOf[from + i] as number })),
          );
        }
        const draw = () => Math.floor(random() * members);
        const asked = Array.from({ length: 100_000 }, () => ({ score: scoreOf[draw()] as number }));
        const estimates = async () => {
          const passes = isQuick ? 2 : 20;
          const before = performance.now();
          for (let pass = 0; pass < passes; pass++) {
            for (const known of asked) await board.estimateRank(known);
          }
          return [perSecond(passes * asked.length, before)];
        };
        const exact = async () => {
          const count = isQuick ? 2_000 : 50_000;
          const before = performance.now();
          await inFlight(count, 64, () => board.rank(`user-${draw()}`));
          return [perSecond(count, before)];
        };
        report(
          await compare(estimates, exact, {
            setting: `${members.toLocaleString('en')} members, one process`,
            baselineName: 'exact ranks of members, 64 in flight',
            metrics: [
              { name: estimateRankBench.title, unit: 'a second', target: { of: 'subject', atLeast: 1_000_000 } },
            ],
            rounds,
          }),
        );
        board.close();
        await board.clear();
      }
    } finally {
      redis.disconnect();
      await server.stop();
    }
  },
};

function perSecond(count: number, sinceMs: number): number {
  return (count / (performance.now() - sinceMs)) * 1_000;
}
