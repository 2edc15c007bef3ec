import { ActivityModule, ActivityService, Erasures, ModerationModule } from '@laurel/activity';
import { Ledgers, ownerField } from '@laurel/activity/internals';
import type { Command } from 'ioredis';
import { Period } from '@laurel/leaderboard';
import { startRedis } from '@laurel/servers';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Redis } from 'ioredis';
import type { BenchContext, Benchmark } from '../harness/context';
import { spread, type Comparison } from '../harness/sample';

const prefix = 'bench';
const dayMs = 86_400_000;
const days = 10;
const startMs = Date.parse('2036-11-10T12:00:00Z');

/** As ledgers hold it: one point, granted at midnight. */
const grant = '230400000';

/** The erasure of a user of ten days, by what else Redis holds, and beside what a celebrity received in a day. */
export const eraseBench: Benchmark = {
  name: 'erase',
  title: 'erasing a user',
  members: [10_000, 300_000],
  rounds: 3,
  async run({ memberCounts, rounds, isQuick, report, say }: BenchContext): Promise<void> {
    for (const count of memberCounts) {
      say(`${count.toLocaleString('en')} user-days of others`);
      report(await amongOthers(count, rounds));
    }
    const received = isQuick ? 100_000 : 1_000_000;
    say(`an owner with ${received.toLocaleString('en')} praises of a day`);
    report([await besideCelebrity(received)]);
  },
};

/** How many commands an erasure sends and how long it takes, whatever others have done. */
async function amongOthers(others: number, rounds: number): Promise<Comparison[]> {
  const bench = await ErasingApp.start();
  try {
    const users = Array.from({ length: rounds + 1 }, (_, i) => `user-${i}`);
    await bench.recordDays(users);
    await bench.addOthers(others);
    const figures: (readonly [commands: number, ms: number])[] = [];
    for (const user of users) figures.push(await bench.measured(() => bench.erase(user)));
    // The first warms up.
    const measured = figures.slice(1);
    const setting = `${others.toLocaleString('en')} user-days of others`;
    const commands = { name: 'erase: commands', setting, unit: 'commands' };
    return [
      alone(
        { ...commands, target: { of: 'subject', atMost: 200 + 3 * days } },
        measured.map(([count]) => count),
      ),
      alone(
        { name: 'erase: time', setting, unit: 'ms', target: null },
        measured.map(([, ms]) => ms),
      ),
    ];
  } finally {
    await bench.stop();
  }
}

/** Figures that are compared with none. */
function alone(
  about: Pick<Comparison, 'name' | 'setting' | 'unit' | 'target'>,
  figures: readonly number[],
): Comparison {
  const measured = { subject: spread(figures), baseline: spread(figures), baselineName: 'none', ratio: spread([1]) };
  return { ...about, ...measured, isAlone: true };
}

/** The longest call of an erasure, and of a read, where one day of an owner names a giver among very many. */
async function besideCelebrity(received: number): Promise<Comparison> {
  const bench = await ErasingApp.start();
  try {
    await bench.recordDays(['user-0']);
    await bench.addPraises('star', received);
    const longest = await bench.longestCallMs(async () => {
      await bench.readDay('star');
      await bench.erase('user-0');
    });
    const setting = `${received.toLocaleString('en')} praises of one owner in a day`;
    return alone({ name: 'erase: the longest call', setting, unit: 'ms', target: { of: 'subject', atMost: 10 } }, [
      longest,
    ]);
  } finally {
    await bench.stop();
  }
}

/** An app whose users can be erased, with a Redis of its own. */
class ErasingApp {
  private constructor(
    private readonly redis: Redis,
    private readonly app: Awaited<ReturnType<typeof NestFactory.createApplicationContext>>,
    private readonly clock: { ms: number; now(): number },
    private readonly stopServer: () => Promise<void>,
  ) {}

  static async start(): Promise<ErasingApp> {
    const server = await startRedis();
    const redis = new Redis(server.url);
    const clock = { ms: startMs, now: () => clock.ms };
    class Erasing {}
    const activity = ActivityModule.forRoot({
      imports: [EventEmitterModule.forRoot()],
      ...{ redis: { client: redis }, prefix, clock, controllers: false, recordTimeoutMs: 30_000 },
      leaderboards: (['day', 'month', 'all'] as const).map((name) => ({ name, period: name })),
    });
    const root = { module: Erasing, imports: [activity, ModerationModule.forRoot()] };
    const app = await NestFactory.createApplicationContext(root, { logger: false });
    return new ErasingApp(redis, app, clock, () => server.stop());
  }

  /** Ten days of twenty activities of each: twelve pages, four praises and four follows. */
  async recordDays(userIds: readonly string[]): Promise<void> {
    const activities = this.app.get(ActivityService);
    for (let day = 0; day < days; day += 1) {
      for (const userId of userIds) {
        const pages = Array.from({ length: 12 }, (_, i) => ({ userId, action: 'view', subject: `/${i}` }));
        const others = Array.from({ length: 4 }, (_, i) => [
          { userId, action: 'praise', subject: `article:${i}`, ownerId: i === 0 ? 'star' : `owner-${i}` },
          { userId, action: 'follow', subject: `user:owner-${i}` },
        ]);
        await activities.record([...pages, ...others.flat()]);
      }
      if (day < days - 1) this.clock.ms += dayMs;
    }
  }

  /** Ledgers of ten fields, all of them naming somebody else. */
  async addOthers(count: number): Promise<void> {
    const fields = Array.from({ length: 10 }, (_, i) => [ownerField('p', `other-${i}`, `article:${i}`), grant]).flat();
    for (let from = 0; from < count; from += 5_000) {
      const pipeline = this.redis.pipeline();
      for (let n = from; n < Math.min(from + 5_000, count); n += 1)
        pipeline.hset(this.ledgerKey(`other-${n}`), ...fields);
      await pipeline.exec();
    }
  }

  async addPraises(owner: string, count: number): Promise<void> {
    const activities = this.app.get(ActivityService);
    for (let from = 0; from < count; from += 1_000) {
      const about = { action: 'praise', subject: 'article:1', ownerId: owner };
      await activities.record(Array.from({ length: 1_000 }, (_, i) => ({ userId: `other-${from + i}`, ...about })));
    }
  }

  erase(userId: string): Promise<unknown> {
    return this.app.get(Erasures).erase(userId);
  }

  /** Without the deadline that a request has. */
  readDay(userId: string): Promise<unknown> {
    const today = Period.of('day', new Date(this.clock.ms), 'UTC');
    return this.app.get(Ledgers).main.history.days(userId, today, today);
  }

  /** How many commands some work sends, and how many milliseconds it takes. */
  async measured(work: () => Promise<unknown>): Promise<readonly [commands: number, ms: number]> {
    const client: { sendCommand(command: Command): unknown } = this.redis;
    const send = client.sendCommand.bind(client);
    let commands = 0;
    client.sendCommand = (command) => {
      commands += 1;
      return send(command);
    };
    const since = performance.now();
    await work();
    const ms = performance.now() - since;
    client.sendCommand = send;
    return [commands, ms];
  }

  /** How long the longest call took that some work made, by Redis' own clock. */
  async longestCallMs(work: () => Promise<unknown>): Promise<number> {
    await this.redis.config('SET', 'slowlog-max-len', 10_000);
    await this.redis.config('SET', 'slowlog-log-slower-than', 100);
    await this.redis.slowlog('RESET');
    await work();
    const slow = (await this.redis.slowlog('GET', 10_000)) as [id: number, at: number, us: number][];
    return Math.max(0, ...slow.map(([, , us]) => us)) / 1_000;
  }

  async stop(): Promise<void> {
    await this.app.close();
    this.redis.disconnect();
    await this.stopServer();
  }

  private ledgerKey(userId: string): string {
    const [ledger] = this.app.get(Ledgers).all;
    const day = new Date(this.clock.ms).toISOString().slice(0, 10).replaceAll('-', '');
    return `{${prefix}:${ledger?.settings.tags[0]}}:ledger:${day}:${userId}`;
  }
}
