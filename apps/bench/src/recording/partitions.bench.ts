import { Ledger, Period, type LedgerBoard } from '@laurel/leaderboard';
import { startRedis } from '@laurel/servers';
import { Redis } from 'ioredis';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer, uniform } from '../harness/random';
import { redisCpuSeconds } from '../harness/redis-cpu';
import { compare } from '../harness/sample';
import { eventSource, transitionOf, type BenchEvent } from './events';
import { inFlight, recorderOf } from './setting';

const kept = { retentionMs: null, latenessMs: 3_600_000 };

/** The boards of the example community. */
const boards: readonly LedgerBoard[] = (['day', 'week', 'month', 'all'] as const).map((period) => {
  return { name: period, period, ...kept };
});
const byCategory: readonly LedgerBoard[] = (['week', 'month'] as const).map((period) => {
  return { name: `category-${period}`, period, partition: 'category', ...kept };
});

const categories = 6;

/** What an activity costs Redis that counts in its category as well, by the week and the month. */
export const partitionsBench: Benchmark = {
  name: 'partitions',
  title: 'Redis CPU an event with categories',
  async run({ memberCounts, rounds, isQuick, report }: BenchContext): Promise<void> {
    const perRound = isQuick ? 5_000 : 20_000;
    const members = Math.min(...memberCounts);
    const server = await startRedis();
    const redis = new Redis(server.url);
    const day = Period.of('day', new Date(), 'UTC');
    const clock = { now: () => (day.end as Date).getTime() - 600_001 };
    const open = async (prefix: string, kinds: readonly LedgerBoard[]) => {
      const ledger = new Ledger(redis, { prefix, clock, boards: kinds });
      await ledger.prepare();
      return recorderOf(ledger);
    };
    try {
      for (const width of [1, 256]) {
        const ours = await open(`parts-${width}`, [...boards, ...byCategory]);
        const plain = await open(`whole-${width}`, boards);
        const source = () => {
          const random = lehmer(1);
          return eventSource(uniform(members, random), random, day.start.getTime());
        };
        const [given, same] = [source(), source()];
        const perEvent = async (record: () => Promise<unknown>) => {
          const before = await redisCpuSeconds(redis);
          await inFlight(perRound, width, record);
          return [(((await redisCpuSeconds(redis)) - before) / perRound) * 1e6];
        };
        report(
          await compare(
            () => perEvent(() => ours.record(inCategory(given()))),
            () => perEvent(() => plain.record(transitionOf(same()))),
            {
              setting: `${members.toLocaleString('en')} members, ${categories} categories, ${width} in flight`,
              baselineName: 'the same events on the four boards alone',
              metrics: [{ name: partitionsBench.title, unit: 'µs', target: null }],
              rounds,
            },
          ),
        );
        await ours.close(5_000);
        await plain.close(5_000);
      }
    } finally {
      redis.disconnect();
      await server.stop();
    }
  },
};

/** An article is of one category, for good. */
function inCategory(event: BenchEvent) {
  const article = Number(event.subject.split(':')[1]);
  return { ...transitionOf(event), partitions: { category: `category ${article % categories}` } };
}
