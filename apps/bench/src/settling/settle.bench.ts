import { startRedis } from '@laurel/servers';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BenchContext, Benchmark } from '../harness/context';
import { growthOfHeap } from '../harness/heap';
import { compare } from '../harness/sample';
import type { TopReaderData } from '../reading/top-reader';
import { openClosedDay } from './closed-day';

/** How many reads the reader makes before it looks whether settling is over. */
const readsATime = 50;

/** Settles a board where it is, in Redis, while a thread of its own reads the top ten of it. */
export const settleBench: Benchmark = {
  name: 'settle',
  title: 'settling a board where it is',
  members: [200_000, 1_000_000],
  rounds: 3,
  async run({ memberCounts, rounds, isQuick, report, say }: BenchContext): Promise<void> {
    for (const members of memberCounts) {
      const server = await startRedis();
      const redis = new Redis(server.url);
      const day = await openClosedDay(redis, members);

      const workerData: TopReaderData = { url: server.url, day: day.period };
      const worker = new Worker(join(__dirname, `../reading/top-reader${extname(__filename)}`), {
        workerData,
        execArgv: process.execArgv,
      });
      await once(worker, 'message');
      const readWhile = async (isOver: () => boolean): Promise<number> => {
        const times: number[] = [];
        do {
          worker.postMessage(readsATime);
          const [some] = (await once(worker, 'message')) as [Float64Array];
          times.push(...some);
        } while (!isOver());
        return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] as number;
      };

      let round = 0;
      const settling = async (): Promise<readonly number[]> => {
        round += 1;
        let isOver = false;
        const p99 = readWhile(() => isOver);
        const startedAt = performance.now();
        const growth = await growthOfHeap(() => day.settleInto(null));
        const seconds = (performance.now() - startedAt) / 1_000;
        isOver = true;
        const p99Ms = await p99;
        return [members / seconds, growth, p99Ms];
      };
      // A rate and a heap have no idle counterpart.
      const idle = async (): Promise<readonly number[]> => {
        const until = performance.now() + (isQuick ? 500 : 3_000);
        const p99Ms = await readWhile(() => performance.now() > until);
        return [1, 1, p99Ms];
      };
      try {
        report(
          await compare(settling, idle, {
            setting: `${members.toLocaleString('en')} entries`,
            baselineName: 'the same reads of the idle server',
            metrics: [
              {
                name: 'settle: entries a second',
                unit: 'entries/s',
                target: { of: 'subject', atLeast: 200_000 },
                isAlone: true,
              },
              { name: 'settle: growth of the heap', unit: 'MB', target: { of: 'subject', atMost: 64 }, isAlone: true },
              { name: 'settle: p99 of a top-10 read meanwhile', unit: 'ms', target: { of: 'ratio', atMost: 3 } },
            ],
            rounds,
          }),
        );
        say(`${round} rounds`);
      } finally {
        await worker.terminate();
        redis.disconnect();
        await server.stop();
      }
    }
  },
};
