import type { Leaderboard } from '@laurel/leaderboard';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer } from '../harness/random';
import { compare } from '../harness/sample';
import { memberNamed, openBoard, openServer } from './boards';
import { medianMicroseconds } from './latency';

const small = 10_000;

/** What a board's size does to the time of a read. */
export const growthBench: Benchmark = {
  name: 'engine-growth',
  title: 'reads of a large board against a small one',
  members: [1_000_000],
  async run({ memberCounts, rounds, isQuick, report, say }: BenchContext): Promise<void> {
    const server = await openServer();
    try {
      const least = await openBoard(server.redis, small);
      for (const members of memberCounts.filter((count) => count > small)) {
        say(`putting ${members.toLocaleString('en')} members on a board`);
        const board = await openBoard(server.redis, members);
        const random = lehmer(1);
        const calls = isQuick ? 200 : 2_000;
        const measured = (of: Leaderboard, count: number) => async () => [
          await medianMicroseconds(calls, () => of.rank(memberNamed(Math.floor(random() * count)))),
          await medianMicroseconds(calls, () => of.top(10)),
        ];
        report(
          await compare(measured(board, members), measured(least, small), {
            setting: `${members.toLocaleString('en')} members, one call after the other`,
            baselineName: `the same on ${small.toLocaleString('en')} members`,
            metrics: [
              { name: 'rank of a random member', unit: 'µs', target: { of: 'ratio', atMost: 2 } },
              { name: 'top 10', unit: 'µs', target: { of: 'ratio', atMost: 2 } },
            ],
            rounds,
          }),
        );
        await board.clear();
      }
    } finally {
      await server.close();
    }
  },
};
