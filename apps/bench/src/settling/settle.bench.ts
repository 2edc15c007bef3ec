import { Announcer, RedisArchive, Settler } from '@laurel/activity/internals';
import { Ledger, Period } from '@laurel/leaderboard';
import { startRedis } from '@laurel/servers';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import type { BenchContext, Benchmark } from '../harness/context';
import { compare } from '../harness/sample';
import type { TopReaderData } from '../reading/top-reader';

const prefix = 'bench';
const megabyte = 1_048_576;
/** How many reads the reader makes before it looks whether settling is over. */
const readsATime = 50;

/** Settles a board into the Redis archive while a thread of its own reads the top ten of it. */
export const settleBench: Benchmark = {
  name: 'settle',
  title: 'settling a board into the Redis archive',
  members: [200_000, 1_000_000],
  rounds: 3,
  async run({ memberCounts, rounds, isQuick, report, say }: BenchContext): Promise<void> {
    for (const members of memberCounts) {
      const server = await startRedis();
      const redis = new Redis(server.url);
      const day = Period.parse('day', '2036-11-20', 'UTC');
      let nowMs = day.start.getTime();
      const clock = { now: () => nowMs };
      const boards = [{ name: 'day', period: 'day', retentionMs: null, latenessMs: 3_600_000 }] as const;
      const ledger = new Ledger(redis, { prefix, clock, boards });
      await fill(redis, ledger, day, members);
      nowMs = (day.end as Date).getTime() + 3_600_000;

      const workerData: TopReaderData = { url: server.url, day: day.key };
      const worker = new Worker(join(__dirname, `../reading/top-reader${extname(__filename)}`), { workerData });
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
        const archivePrefix = `archive-${round}`;
        const archive = new RedisArchive(redis, { prefix: archivePrefix, shards: 1 });
        const announcer = new Announcer(redis, archive, {
          ...{ prefix, leaseMs: 60_000, winners: 10, timeoutMs: 30_000, pauseMs: 1_000 },
          listeners: () => [],
        });
        const options = { leaseMs: 60_000, rulesVersion: () => 1, announcer };
        const settler = new Settler(ledger, redis, archive, options);
        const heapBefore = collectedHeap();
        let heapPeak = heapBefore;
        const watch = setInterval(() => (heapPeak = Math.max(heapPeak, process.memoryUsage().heapUsed)), 10);
        let isOver = false;
        const p99 = readWhile(() => isOver);
        const startedAt = performance.now();
        const done = await settler.settleDue();
        const seconds = (performance.now() - startedAt) / 1_000;
        isOver = true;
        clearInterval(watch);
        const p99Ms = await p99;
        if (done?.settled[0]?.total !== members) throw new Error('The board was not settled.');
        const kept = (await redis.keys(`{${archivePrefix}*`)) as [string, ...string[]];
        const sizes = await Promise.all(kept.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
        const bytes = sizes.reduce<number>((sum, size) => sum + Number(size), 0);
        await redis.unlink(...kept);
        await redis.del(`{${prefix}}:settled:day`, `{${prefix}}:announced:day:${day.key}`);
        return [members / seconds, (heapPeak - heapBefore) / megabyte, p99Ms, bytes / members];
      };
      // A rate, a heap and an archive have no idle counterpart.
      const idle = async (): Promise<readonly number[]> => {
        const until = performance.now() + (isQuick ? 500 : 3_000);
        const p99Ms = await readWhile(() => performance.now() > until);
        return [1, 1, p99Ms, 1];
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
              { name: 'settle: memory of the archive', unit: 'bytes/entry', target: null, isAlone: true },
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

/** Puts so many members on the board, as the ledger would: one activity each is not what is measured here. */
async function fill(redis: Redis, ledger: Ledger, day: Period, members: number): Promise<void> {
  await ledger.apply([
    { kind: 'grant', member: 'user-0', field: 'v:start', points: 1, occurredAtMs: day.start.getTime() },
  ]);
  const [key] = await redis.keys(`{${prefix}:*}:board:day:*`);
  const [, first] = await redis.zrange(key as string, '0', '0', 'WITHSCORES');
  // The time's part of a packed day takes 27 bits.
  const unit = 2 ** 27;
  if (first === undefined || Math.floor(Number(first) / unit) !== 1) throw new Error('A day is packed in another way.');
  for (let from = 0; from < members; from += 1_000) {
    const lines = Array.from({ length: Math.min(1_000, members - from) }, (_, i) => {
      const member = from + i;
      return [String((1 + (member % 997)) * unit + ((member * 7_919) % unit)), `user-${member}`];
    });
    await redis.zadd(key as string, ...lines.flat());
  }
}

/** The heap in use, after a collection. */
function collectedHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
