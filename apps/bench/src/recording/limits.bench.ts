import { Recorder, smallBatches } from '@laurel/activity/internals';
import { Period, type Ledger, type LimitType, type Transition, type TransitionLimit } from '@laurel/leaderboard';
import type { PreparedLimit } from '@laurel/leaderboard/internals';
import { startRedis } from '@laurel/servers';
import { Redis } from 'ioredis';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer, uniform, zipf } from '../harness/random';
import { redisCpuSeconds } from '../harness/redis-cpu';
import { compare } from '../harness/sample';
import { eventSource, transitionOf, type BenchEvent } from './events';
import { inFlight, openLedger } from './setting';

/** A limit of an app's own: at most so many grants of one user, ever. */
export const atMost: LimitType = {
  type: 'at-most',
  check: `if tonumber(call('GET', keys[1]) or 0) >= args[1] then return false end`,
  take: `call('INCR', keys[1])`,
};

/** A kind of limit. */
export interface LimitedSide {
  readonly name: string;
  readonly limits: readonly TransitionLimit[];
  readonly prepared?: readonly PreparedLimit[];
}

const windowMs = 10_000;
const fieldPrefixes = ['p:'];

/** Activities of one after the other, so that the busiest user does one or two in a second. */
const apartMs = 100;

/** Limits that refuse nothing: what a limit costs the users it does not stop. */
export const limitedSides: readonly LimitedSide[] = [
  { name: 'sliding, of an action', limits: [{ type: 'sliding', name: 'a', max: 30, windowMs, per: 'member' }] },
  { name: 'sliding, of a subject', limits: [{ type: 'sliding', name: 's', max: 5, windowMs, per: 'field' }] },
  { name: 'sliding, of a pair', limits: [{ type: 'sliding', name: 'p', max: 30, windowMs, per: 'pair' }] },
  {
    name: 'daily grants',
    limits: [{ type: 'daily', name: 'g', max: 100_000, count: { of: 'grants', fieldPrefixes } }],
  },
  {
    name: 'daily points',
    limits: [{ type: 'daily', name: 'n', max: 999_999, count: { of: 'points', fieldPrefixes } }],
  },
  {
    name: 'of an app’s own',
    limits: [{ type: 'own', name: 'o', kind: 'at-most' }],
    prepared: [{ keys: [''], args: [1_000_000] }],
  },
];

/** What a limit costs Redis: activities under it against the same without. */
export const limitsBench: Benchmark = {
  name: 'limits',
  title: 'Redis CPU an event under a limit',
  async run({ memberCounts, rounds, isQuick, report, say }: BenchContext): Promise<void> {
    const perRound = isQuick ? 5_000 : 20_000;
    const day = Period.of('day', new Date(), 'UTC');
    for (const members of memberCounts) {
      for (const side of limitedSides) {
        say(`putting ${members.toLocaleString('en')} members on the boards of both sides: ${side.name}`);
        const server = await startRedis();
        const redis = new Redis(server.url);
        try {
          const [limited, free] = [
            await openLedger(redis, day, members, { prefix: 'limited', limitTypes: [atMost] }),
            await openLedger(redis, day, members, { prefix: 'free' }),
          ];
          for (const [users, drawing] of [
            ['uniform', uniform],
            ['Zipf', zipf],
          ] as const) {
            const measure = (ledger: Ledger, given: LimitedSide | null) => {
              const random = lehmer(1);
              const next = eventSource(drawing(members, random), random, day.start.getTime());
              const recorder = new Recorder(ledger, { ...smallBatches, maxPending: 10_000, timeoutMs: 30_000 });
              return async () => {
                const before = await redisCpuSeconds(redis);
                await inFlight(perRound, 256, () => recorder.record(limitedBy(given, next(), day.start.getTime())));
                return [(((await redisCpuSeconds(redis)) - before) / perRound) * 1e6];
              };
            };
            report(
              await compare(measure(limited, side), measure(free, null), {
                setting: `${side.name}, ${members.toLocaleString('en')} members, ${users} users`,
                baselineName: 'no limit',
                metrics: [{ name: limitsBench.title, unit: 'µs', target: { of: 'ratio', atMost: 1.35 } }],
                rounds,
              }),
            );
          }
        } finally {
          redis.disconnect();
          await server.stop();
        }
      }
    }
  },
};

/** Articles are of a hundred owners. */
export function limitedBy(side: LimitedSide | null, event: BenchEvent, startMs: number): Transition {
  const occurredAtMs = startMs + (event.occurredAtMs - startMs) * apartMs;
  const free = { ...transitionOf(event), occurredAtMs };
  if (!side) return free;
  const { limits, prepared } = side;
  return { ...free, limits, counterpart: `owner-${event.subject.slice(-2)}`, ...(prepared && { prepared }) };
}
