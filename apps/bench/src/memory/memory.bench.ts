import { ActivityModule, ActivityService } from '@laurel/activity';
import { Ledgers, Settler } from '@laurel/activity/internals';
import { Period } from '@laurel/leaderboard';
import { startRedis } from '@laurel/servers';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Redis } from 'ioredis';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer } from '../harness/random';
import { spread, type Comparison } from '../harness/sample';

const prefix = 'lr';
const warmUp = 100;
const leaderboards = ['day', 'month', 'all'] as const;

/** A day of one reader: twelve pages, four praises, three collects and a comment. */
const actions = [
  ...Array<string>(12).fill('view'),
  ...Array<string>(4).fill('praise'),
  'collect',
  'collect',
  'collect',
];
actions.push('comment');

/** How users and articles are named; numbers as a community of some age has them. */
const namings: readonly { readonly ids: string; readonly most: number; readonly idOf: (n: number) => string }[] = [
  { ids: 'integer ids', most: 520, idOf: String },
  { ids: 'UUIDs', most: 700, idOf: (n) => uuidOf(n) },
];

interface Figure {
  readonly name: string;
  readonly ours: number;
  readonly plain: number | null;
  readonly atMost?: number;
}

/** Bytes of Redis' memory: counted by Redis, not timed, so no other program disturbs them. */
export const memoryBench: Benchmark = {
  name: 'memory',
  title: 'memory in Redis',
  rounds: 1,
  async run({ isQuick, report, say }: BenchContext): Promise<void> {
    // Redis doubles a hash table when it is full: with so many keys it is as full as it is on average.
    const users = isQuick ? 1_500 : 6_000;
    for (const [i, { ids, most, idOf }] of namings.entries()) {
      // The clock of a process never goes back: activities of one moment are numbered.
      const day = Period.parse('day', `2036-11-2${i}`, 'UTC');
      say(`${users.toLocaleString('en')} users with ${ids}, 20 activities each`);
      report(
        (await measure(users, day, idOf, most)).map(({ name, ours, plain, atMost }): Comparison => {
          const setting = `${users.toLocaleString('en')} users, ${ids}`;
          const theirs = plain ?? ours;
          return {
            ...{ name: `memory: ${name}`, setting, unit: 'bytes', subject: spread([ours]), baseline: spread([theirs]) },
            baselineName: 'a hash of the same subjects with the value 1; a sorted set of points',
            ratio: spread([ours / theirs]),
            target: atMost === undefined ? null : { of: 'subject', atMost },
            ...(plain === null && { isAlone: true }),
          };
        }),
      );
    }
  },
};

async function measure(users: number, day: Period, idOf: (n: number) => string, atMost: number): Promise<Figure[]> {
  // The log of slow commands would be counted too.
  const server = await startRedis({ args: ['--slowlog-log-slower-than', '-1'] });
  const redis = new Redis(server.url);
  const clock = new SteppingClock(day.start.getTime() + 3_600_000);
  const module = ActivityModule.forRoot({
    imports: [EventEmitterModule.forRoot()],
    ...{ redis: { client: redis }, prefix, clock, controllers: false },
    leaderboards: leaderboards.map((name) => ({ name, period: name })),
    recordTimeoutMs: 30_000,
  });
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  try {
    const activities = app.get(ActivityService);
    const random = lehmer(1);
    const userId = (n: number) => idOf(1_000_000 + n);
    const articles = Array.from({ length: actions.length }, () => idOf(1_000_000 + Math.floor(random() * 9_000_000)));
    const subjects = actions.map((action, i) =>
      action === 'view' ? `/articles/${articles[i]}` : `article:${articles[i]}`,
    );
    const recordAll = async (among: readonly number[]) => {
      for (const [i, action] of actions.entries()) {
        for (let first = 0; first < among.length; first += 1_000) {
          const some = among.slice(first, first + 1_000);
          // As in life: the users' activities do not come in the same millisecond.
          const recorded = some.map((n) => {
            clock.step();
            return activities.record({ userId: userId(n), action, subject: subjects[i] as string });
          });
          await Promise.all(recorded);
        }
      }
    };
    // Once, so that scripts, lists and buffers are there before the count begins.
    await recordAll(Array.from({ length: warmUp }, (_, n) => users + n));

    const before = await usedBy(redis);
    await recordAll(Array.from({ length: users }, (_, n) => n));
    const recorded = await usedBy(redis);
    const [ledger] = app.get(Ledgers).all;
    if (!ledger) throw new Error('There is no ledger.');

    clock.ms = (day.end as Date).getTime() + 2 * 3_600_000;
    const times = { leaseMs: 60_000, listenerTimeoutMs: 30_000, everyMs: 1_000 };
    const settler = new Settler([ledger], redis, null, { ...times, winners: 10, own: () => [] });
    const done = await settler.settleDue();
    const total = users + warmUp;
    if (done?.settled[0]?.total !== total) throw new Error('The board was not settled.');
    const settled = (await sizeOf(redis, `{${prefix}*:board:day:*`)) + (await sizeOf(redis, `{${prefix}}:settled*`));

    const withBoards = await usedBy(redis);
    await redis.del(...(await redis.keys(`{${prefix}:*}:board:*`)));
    const entry = (withBoards - (await usedBy(redis))) / leaderboards.length / total;
    const userDay = (recorded - before) / users - leaderboards.length * entry;

    const plain = redis.pipeline();
    for (let n = 0; n < users; n++) {
      plain.hset(
        `{plain}:ledger:20361120:${userId(n)}`,
        ...subjects.flatMap((subject, i) => [`${actions[i]} ${subject}`, '1']),
      );
      plain.zadd('{plain}:board:day:20361120', 30, userId(n));
    }
    const beforePlain = await usedBy(redis);
    await plain.exec();
    const withPlain = await usedBy(redis);
    await redis.del('{plain}:board:day:20361120');
    const plainEntry = (withPlain - (await usedBy(redis))) / users;
    const plainDay = (withPlain - beforePlain) / users - plainEntry;

    return [
      { name: 'a user-day of 20 activities', ours: userDay, plain: plainDay, atMost },
      { name: 'an entry of a day, month or all-time board', ours: entry, plain: plainEntry },
      { name: 'a settled entry', ours: settled / total, plain: null },
    ];
  } finally {
    await app.close();
    redis.disconnect();
    await server.stop();
  }
}

/** What Redis uses, without what its clients' buffers take for a moment. */
async function usedBy(redis: Redis): Promise<number> {
  const [, used] = /^used_memory:(\d+)/m.exec(await redis.info('memory')) ?? [];
  const [, clients] = /^mem_clients_normal:(\d+)/m.exec(await redis.info('memory')) ?? [];
  return Number(used) - Number(clients);
}

/** What the keys of a pattern take, without their share of Redis' tables. */
async function sizeOf(redis: Redis, pattern: string): Promise<number> {
  const sizes = await Promise.all((await redis.keys(pattern)).map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
  return sizes.reduce<number>((sum, size) => sum + Number(size), 0);
}

/** A random UUID, the same one each time. */
function uuidOf(n: number): string {
  const random = lehmer(n);
  const hex = (length: number) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}

/** A clock that moves on when it is told to. */
class SteppingClock {
  constructor(public ms: number) {}

  now(): number {
    return this.ms;
  }

  step(): void {
    this.ms += 1;
  }
}
