import { ActivityService } from '@laurel/activity';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer, uniform } from '../harness/random';
import { nodeCpuMicroseconds } from '../harness/redis-cpu';
import { compare } from '../harness/sample';
import { eventSource, transitionOf, type BenchEvent } from './events';
import { recordUsually } from './plain-commands';
import { inFlight, openModule, openSetting, type RecordingSetting } from './setting';

const width = 256;

/** Events a second of one Node process, and what each costs it, against communities' own code. */
export const throughputBench: Benchmark = {
  name: 'throughput',
  title: 'events a second, 256 in flight',
  members: [10_000, 100_000],
  async run(context: BenchContext): Promise<void> {
    for (const members of context.memberCounts) {
      const setting = await openSetting(members);
      const nest = await openModule(setting);
      const service = nest.get(ActivityService);
      try {
        await measure(context, setting, 'the recorder', (event) => setting.recorder.record(transitionOf(event)));
        await measure(context, setting, 'ActivityService.record', ({ userId, subject, occurredAtMs }) =>
          service.record({ userId, action: 'praise', subject, occurredAt: new Date(occurredAtMs) }),
        );
      } finally {
        await nest.close();
        await setting.close();
      }
    }
  },
};

async function measure(
  { rounds, isQuick, report }: BenchContext,
  { redis, plain, day }: RecordingSetting,
  through: string,
  record: (event: BenchEvent) => Promise<unknown>,
): Promise<void> {
  const members = await redis.zcard(plain.day);
  const ours = isQuick ? 10_000 : 100_000;
  const theirs = ours / 4;
  const startMs = day.start.getTime();
  const sourceOf = (seed: number) => {
    const random = lehmer(seed);
    return eventSource(uniform(members, random), random, startMs);
  };
  const [next, nextUsual] = [sourceOf(through.length), sourceOf(through.length + 100)];
  const timed = async (count: number, task: () => Promise<unknown>) => {
    const [cpuBefore, before] = [nodeCpuMicroseconds(), performance.now()];
    await inFlight(count, width, task);
    const seconds = (performance.now() - before) / 1_000;
    return [count / seconds, (nodeCpuMicroseconds() - cpuBefore) / count];
  };
  report(
    await compare(
      () => timed(ours, () => record(next())),
      () => timed(theirs, () => recordUsually(redis, plain, nextUsual())),
      {
        setting: `${members.toLocaleString('en')} members, ${through}`,
        baselineName: 'HGET, HSET, EXPIRE, ZINCRBY, ZINCRBY, TTL, each awaited',
        metrics: [
          { name: throughputBench.title, unit: 'events/s', target: { of: 'ratio', atLeast: 4 } },
          { name: 'Node CPU an event', unit: 'µs', target: { of: 'subject', atMost: 5 } },
        ],
        rounds,
      },
    ),
  );
}
