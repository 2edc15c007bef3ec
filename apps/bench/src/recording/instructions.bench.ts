import { Period, type Ledger, type Transition } from '@laurel/leaderboard';
import { Redis } from 'ioredis';
import { CountedRedis } from '../harness/callgrind';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer, uniform, zipf } from '../harness/random';
import { spread, type Target } from '../harness/sample';
import { eventSource, transitionOf, type BenchEvent } from './events';
import { lawsOf, limitedBy, limitedSides } from './limits.bench';
import { plainKeys, recordPlainly } from './plain-commands';
import { firstEvents, openLedger } from './setting';

const perCall = 64;
const members = 10_000;
/** With so many members most sliding windows of one action exist when counting begins. */
const limitedMembers = 2_000;
const drawings = { uniform, Zipf: zipf };

/** How a call of events is recorded. */
type Record = (events: readonly BenchEvent[]) => Promise<unknown>;

/** One row: the same events on both sides. */
interface Row {
  readonly setting: string;
  readonly ours: Record;
  readonly baseline: Record;
  readonly baselineName: string;
  readonly target: Target | null;
}

/**
 * What recording costs Redis by a figure that no other program disturbs: the instructions that it executes. The events
 * are always the same, in calls of 64.
 */
export const instructionsBench: Benchmark = {
  name: 'instructions',
  title: 'Redis instructions an event',
  async run({ isQuick, report, say }: BenchContext): Promise<void> {
    const calls = isQuick ? 10 : 20;
    const server = await CountedRedis.start();
    const redis = new Redis(server.url);
    const day = Period.of('day', new Date(), 'UTC');
    const startMs = day.start.getTime();

    const count = async (record: Record, batches: readonly (readonly BenchEvent[])[]) => {
      const events = batches.reduce((sum, { length }) => sum + length, 0);
      const instructions = await server.during(async () => {
        for (const batch of batches) await record(batch);
      });
      return instructions / events;
    };
    const compareOn = async (
      { setting, ours, baseline, baselineName, target }: Row,
      batches: readonly (readonly BenchEvent[])[],
    ) => {
      const [subject, theirs] = [await count(ours, batches), await count(baseline, batches)];
      const [name, unit] = [instructionsBench.title, 'instructions'];
      const figures = { subject: spread([subject]), baseline: spread([theirs]), ratio: spread([subject / theirs]) };
      report([{ name, setting, unit, baselineName, target, ...figures }]);
    };
    const sourceOf = (drawing: typeof uniform, among: number, seed: number) => {
      const random = lehmer(seed);
      const next = eventSource(drawing(among, random), random, startMs);
      return (batches: number, size = perCall) =>
        Array.from({ length: batches }, () => Array.from({ length: size }, next));
    };
    const into = (ledger: Ledger, transition: (event: BenchEvent) => Transition): Record => {
      return (events) => ledger.apply(events.map(transition));
    };

    try {
      say(`putting ${members.toLocaleString('en')} members on the boards of both sides, under callgrind`);
      const plain = plainKeys('{plain}', day.key);
      const recorded = into(await openLedger(redis, day, members), transitionOf);
      const plainly: Record = (events) => recordPlainly(redis, plain, events);
      for (const events of firstEvents(day, members)) await plainly(events);
      const sides = { ours: recorded, baseline: plainly, baselineName: 'HSETNX + ZINCRBY + ZINCRBY, pipelined' };
      const row = (setting: string, atMostTimes: number | null): Row => {
        const target = atMostTimes === null ? null : ({ of: 'ratio', atMost: atMostTimes } as const);
        return { setting: `${members.toLocaleString('en')} members, ${setting}`, ...sides, target };
      };
      const batches = sourceOf(uniform, members, 1)(calls);
      await compareOn(row('uniform users', 1.1), batches);
      const again = batches.map((batch) =>
        batch.map((event) => ({ ...event, occurredAtMs: event.occurredAtMs + calls * perCall })),
      );
      await compareOn(row('each grant repeated', null), again);
      await compareOn(row('Zipf users', 1), sourceOf(zipf, members, 2)(calls));
      await compareOn(row('alone in its call', null), sourceOf(uniform, members, 3)(2 * calls, 1));

      for (const [number, side] of limitedSides.entries()) {
        for (const [users, drawing] of Object.entries(drawings)) {
          // As long as the prefix of an app: Redis reads every byte of a key.
          const prefix = `${users.slice(0, 1)}${number}`;
          const setting = `${side.name}, ${limitedMembers.toLocaleString('en')} members, ${users} users`;
          const free = await openLedger(redis, day, limitedMembers, { prefix: `free${prefix}` });
          const limited = await openLedger(redis, day, limitedMembers, {
            prefix: `with${prefix}`,
            laws: lawsOf(side),
          });
          const ours = into(limited, (event) => limitedBy(side, event, startMs));
          const baseline = into(free, (event) => limitedBy(side, event, startMs));
          const next = sourceOf(drawing, limitedMembers, 4);
          for (const batch of next(80)) {
            await ours(batch);
            await baseline(batch);
          }
          const target = { of: 'ratio', atMost: 1.35 } as const;
          await compareOn({ setting, ours, baseline, baselineName: 'no limit', target }, next(calls));
        }
      }
    } finally {
      redis.disconnect();
      await server.stop();
    }
  },
};
