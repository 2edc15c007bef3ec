import {
  ActivityModule,
  ActivityService,
  ModerationModule,
  USER_DIRECTORY,
  type UserDirectory,
} from '@laurel/activity';
import { DirectoryExclusions, parseRules } from '@laurel/activity/internals';
import { BoardAudits, RingReport, RuleSimulation, ReportsModule } from '@laurel/reports';
import { Period, systemClock } from '@laurel/leaderboard';
import { startRedis } from '@laurel/servers';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Redis } from 'ioredis';
import type { BenchContext, Benchmark } from '../harness/context';
import { growthOfHeap } from '../harness/heap';
import { compare, type Metric } from '../harness/sample';

const prefix = 'bench';
const recordedAtOnce = 2_000;
/** Users who praise one another five times: so many circles of ten. */
const circles = 30;
const inCircle = 10;
const timesInCircle = 5;

const rules = [
  { action: 'view', points: 1, revocable: false },
  { action: 'praise', points: 3, revocable: true },
];

/** What operators' commands and the directory cost where there are many users. */
export const operatorsBench: Benchmark = {
  name: 'operators',
  title: 'verify, simulate, rings, and a round of the directory',
  members: [100_000],
  rounds: 1,
  async run({ memberCounts, rounds, report, say }: BenchContext): Promise<void> {
    for (const users of memberCounts) {
      const server = await startRedis();
      const redis = new Redis(server.url);
      const directory = new CountingDirectory();
      @Module({ providers: [{ provide: USER_DIRECTORY, useValue: directory }], exports: [USER_DIRECTORY] })
      class DirectoryModule {}
      const activity = ActivityModule.forRoot({
        imports: [EventEmitterModule.forRoot(), DirectoryModule],
        ...{ redis: { client: redis }, prefix, controllers: false, recordTimeoutMs: 60_000 },
        leaderboards: ['day', 'month', 'all'].map((name) => ({ name, period: name as 'day' | 'month' | 'all' })),
      });
      @Module({ imports: [activity, ModerationModule.forRoot({ activity }), ReportsModule.forRoot({ activity })] })
      class OperatorsModule {}
      const app = await NestFactory.createApplicationContext(OperatorsModule, { logger: false });
      try {
        await fill(app.get(ActivityService), users, say);
        await excludeEveryTenth(redis, users);
        const period = Period.of('day', new Date(systemClock.now()), 'UTC').key;
        const simulated = { leaderboard: 'day', period, rules: parseRules(JSON.stringify(rules)).rules, top: 1_000 };
        const found = (isRight: boolean, what: string) => {
          if (!isRight) throw new Error(`${what} found something else.`);
        };
        const works: Readonly<Record<string, () => Promise<unknown>>> = {
          verify: async () => found((await app.get(BoardAudits).verify()).differences === 0, 'verify'),
          simulate: async () => found((await app.get(RuleSimulation).run(simulated)).users >= users, 'simulate'),
          rings: async () => found((await app.get(RingReport).run({ period })).rings.length > 0, 'rings'),
          'a round of the directory': () => app.get(DirectoryExclusions).refresh(),
        };
        for (const [name, work] of Object.entries(works)) {
          const measure = async () => {
            const [before, asked, startedAt] = [await commandsOf(redis), directory.questions, performance.now()];
            const heap = await growthOfHeap(work);
            const seconds = (performance.now() - startedAt) / 1_000;
            return [seconds, heap, (await commandsOf(redis)) - before, directory.questions - asked];
          };
          const metric = (what: string, unit: string, target: Metric['target'] = null): Metric => {
            return { name: `${name}: ${what}`, unit, target, isAlone: true };
          };
          report(
            await compare(measure, () => Promise.resolve([1, 1, 1, 1]), {
              setting: `${users.toLocaleString('en')} users`,
              baselineName: 'nothing',
              metrics: [
                metric('time', 's'),
                metric('growth of the heap', 'MB', { of: 'subject', atMost: 256 }),
                metric('commands', 'commands'),
                ...(name.endsWith('directory')
                  ? [metric('questions', 'questions', { of: 'subject', atMost: 220 })]
                  : []),
              ],
              rounds,
              isLong: true,
            }),
          );
        }
      } finally {
        await app.close();
        redis.disconnect();
        await server.stop();
      }
    }
  },
};

/** Excludes a tenth of the users, once they have come. */
class CountingDirectory implements UserDirectory {
  questions = 0;

  find(): ReturnType<UserDirectory['find']> {
    return Promise.resolve(new Map());
  }

  isExcluded(userIds: readonly string[]): ReturnType<NonNullable<UserDirectory['isExcluded']>> {
    this.questions += 1;
    const named = userIds.filter((userId) => userId.startsWith('gone-'));
    return Promise.resolve(new Map(named.map((userId) => [userId, 'optedOut'])));
  }
}

/** Each user reads a page and praises two others; some praise one another, again and again. */
async function fill(activities: ActivityService, users: number, say: (line: string) => void): Promise<void> {
  const praise = (from: number, to: number, subject: string) => ({
    ...{ userId: `user-${from}`, action: 'praise', subject: `${subject}:${to}`, ownerId: `user-${to}` },
  });
  for (let first = 0; first < users; first += recordedAtOnce) {
    const some = Array.from({ length: Math.min(recordedAtOnce, users - first) }, (_, i) => first + i);
    await activities.record(
      some.flatMap((n) => [
        { userId: `user-${n}`, action: 'view', subject: '/' },
        praise(n, (n + 1) % users, 'article'),
        praise(n, (n * 7 + 3) % users, 'article'),
      ]),
    );
    if (first % 100_000 === 0) say(`${first.toLocaleString('en')} users have come`);
  }
  const circle = (n: number) => Array.from({ length: inCircle }, (_, i) => (n * inCircle + i) % users);
  for (let n = 0; n < Math.min(circles, Math.ceil(users / inCircle)); n++) {
    const members = circle(n);
    const among = members.flatMap((from) => members.filter((to) => to !== from).map((to) => [from, to] as const));
    for (let time = 0; time < timesInCircle; time++) {
      await activities.record(among.map(([from, to]) => praise(from, to, `comment-${time}`)));
    }
  }
}

/** The directory has excluded a tenth as many users, who are on no board. */
async function excludeEveryTenth(redis: Redis, users: number): Promise<void> {
  const why = JSON.stringify({
    reason: 'optedOut',
    since: new Date(systemClock.now()).toISOString(),
    by: null,
    note: null,
  });
  for (let first = 0; first < users / 10; first += 1_000) {
    const some = Array.from({ length: 1_000 }, (_, i) => [`directory:gone-${first + i}`, why] as const);
    await redis.hset(`{${prefix}}:exclusions`, new Map(some));
  }
}

/** How many commands Redis has run, those of scripts among them. */
async function commandsOf(redis: Redis): Promise<number> {
  const stats = await redis.info('commandstats');
  return [...stats.matchAll(/:calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
}
