import { type Activity, ActivityService } from '@laurel/activity';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer, uniform } from '../harness/random';
import { nodeCpuMicroseconds } from '../harness/redis-cpu';
import { compare } from '../harness/sample';
import { eventSource, transitionOf } from './events';
import { inFlight, openModule, openSetting } from './setting';

const width = 256;
const together = 64;

/** What the service adds to the recorder: CPU alone, so that a busy machine changes the ratio little. */
export const nodeCpuBench: Benchmark = {
  name: 'node-cpu',
  title: 'Node CPU an event',
  rounds: 9,
  async run({ memberCounts, rounds, isQuick, report }: BenchContext): Promise<void> {
    for (const members of memberCounts) {
      const setting = await openSetting(members);
      const nest = await openModule(setting);
      const service = nest.get(ActivityService);
      const events = isQuick ? 6_400 : 32_000;
      const random = lehmer(members);
      const next = eventSource(uniform(members, random), random, setting.day.start.getTime());
      const activity = (): Activity => {
        const { userId, subject, occurredAtMs } = next();
        return { userId, action: 'praise', subject, occurredAt: new Date(occurredAtMs) };
      };
      const cpu = async (tasks: number, lanes: number, task: () => Promise<unknown>) => {
        const before = nodeCpuMicroseconds();
        await inFlight(tasks, lanes, task);
        return [(nodeCpuMicroseconds() - before) / events];
      };
      const alone = () => cpu(events, width, () => setting.recorder.record(transitionOf(next())));
      const one = () => cpu(events, width, () => service.record(activity()));
      const many = () =>
        cpu(events / together, width / together, () => service.record(Array.from({ length: together }, activity)));
      try {
        for (const { what, measure } of [
          { what: 'record of one', measure: one },
          { what: `record of ${together}`, measure: many },
        ]) {
          report(
            await compare(measure, alone, {
              setting: `${members.toLocaleString('en')} members, ${what}`,
              baselineName: 'the recorder',
              metrics: [{ name: nodeCpuBench.title, unit: 'µs', target: { of: 'ratio', atMost: 1.3 } }],
              rounds,
            }),
          );
        }
      } finally {
        await nest.close();
        await setting.close();
      }
    }
  },
};
