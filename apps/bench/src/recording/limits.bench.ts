import { Period, type Ledger, type LedgerOptions, type Transition, type TransitionLimit } from '@laurel/leaderboard';
import { startRedis } from '@laurel/servers';
import { Redis } from 'ioredis';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer, uniform, zipf } from '../harness/random';
import { redisCpuSeconds } from '../harness/redis-cpu';
import { compare } from '../harness/sample';
import { eventSource, transitionOf, type BenchEvent } from './events';
import { inFlight, openLedger, recorderOf } from './setting';

/** A kind of limit. */
export interface LimitedSide {
  readonly name: string;
  readonly limits: readonly TransitionLimit[];
}

const windowMs = 10_000;

/** Activities of one after the other, so that the busiest user does one or two in a second. */
const apartMs = 100;

/** Limits that refuse nothing: what a limit costs the users it does not stop. */
export const limitedSides: readonly LimitedSide[] = [
  { name: 'sliding, of an action', limits: [{ type: 'sliding', name: 'a', max: 30, windowMs, per: 'member' }] },
  { name: 'sliding, of a subject', limits: [{ type: 'sliding', name: 's', max: 5, windowMs, per: 'field' }] },
  { name: 'sliding, of a pair', limits: [{ type: 'sliding', name: 'p', max: 30, windowMs, per: 'pair' }] },
  {
    name: 'daily grants',
    limits: [{ type: 'daily', name: 'g', max: 100_000, of: 'grants' }],
  },
  {
    name: 'daily points',
    limits: [{ type: 'daily', name: 'n', max: 999_999, of: 'points' }],
  },
  {
    name: 'of an app’s own',
    limits: [{ type: 'own', name: 'o', windowMs, per: 'member', allows: (_, given) => given.length < 1_000 }],
  },
];

/** What a limit costs Redis: activities under it against the same without. */
export const limitsBench: Benchmark = {
  name: 'limits',
  title: 'Redis CPU an event under a limit',
  async run({ memberCounts, rounds, isQuick, report, say }: BenchContext): Promise<void> {
    const day = Period.of('day', new Date(), 'UTC');
    for (const members of memberCounts) {
      for (const side of limitedSides) {
        // What is judged looks at all of a user's day each time.
        const perRound = isQuick || side.limits.some(({ type }) => type === 'own') ? 5_000 : 20_000;
        say(`putting ${members.toLocaleString('en')} members on the boards of both sides: ${side.name}`);
        const server = await startRedis();
        const redis = new Redis(server.url);
        try {
          for (const [users, drawing] of [
            ['uniform', uniform],
            ['Zipf', zipf],
          ] as const) {
            // Its own ledgers: what comes in the order of moments is recorded without being judged.
            const [limited, free] = [
              await openLedger(redis, day, members, { prefix: `limited-${users}`, laws: lawsOf(side) }),
              await openLedger(redis, day, members, { prefix: `free-${users}` }),
            ];
            const measure = (ledger: Ledger) => {
              const random = lehmer(1);
              const next = eventSource(drawing(members, random), random, day.start.getTime());
              const recorder = recorderOf(ledger);
              return async () => {
                const before = await redisCpuSeconds(redis);
                await inFlight(perRound, 256, () => recorder.record(limitedBy(side, next(), day.start.getTime())));
                return [(((await redisCpuSeconds(redis)) - before) / perRound) * 1e6];
              };
            };
            report(
              await compare(measure(limited), measure(free), {
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

/** An activity for a side, limited or not. For a limit of pairs, articles are of a hundred owners. */
export function limitedBy(side: LimitedSide, event: BenchEvent, startMs: number): Transition {
  const occurredAtMs = startMs + (event.occurredAtMs - startMs) * apartMs;
  const isOfPair = side.limits.some((limit) => limit.type === 'sliding' && limit.per === 'pair');
  const counterpart = isOfPair ? { counterpart: `owner-${event.subject.slice(-2)}` } : {};
  return { ...transitionOf(event), occurredAtMs, ...counterpart };
}

/** Every field is under the limits of a side. */
export function lawsOf({ limits }: LimitedSide): NonNullable<LedgerOptions['laws']> {
  return { of: () => ({ once: 1, limits, boards: undefined }) };
}
