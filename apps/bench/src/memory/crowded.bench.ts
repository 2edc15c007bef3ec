import { ActivityModule, ActivityService, ModerationModule } from '@laurel/activity';
import { Erasures } from '@laurel/activity/moderation';
import { BoardAudits, ReportsModule } from '@laurel/reports';
import { startRedis } from '@laurel/servers';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Redis } from 'ioredis';
import type { BenchContext, Benchmark } from '../harness/context';
import { spread, type Comparison } from '../harness/sample';

const prefix = 'bench';
const owner = 'owner';
const recordedAtOnce = 2_000;
const rules = [{ action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner' as const, points: 1 }] }];

/** One owner whom so many users praise on one day: what it takes, and how long Redis' longest call is. */
export const crowdedBench: Benchmark = {
  name: 'crowded',
  title: 'an owner whom everybody praises on one day',
  members: [50_000],
  rounds: 1,
  async run({ memberCounts, report, say }: BenchContext): Promise<void> {
    for (const givers of memberCounts) {
      const server = await startRedis({ args: ['--slowlog-log-slower-than', '500', '--slowlog-max-len', '1000'] });
      const redis = new Redis(server.url);
      const activity = ActivityModule.forRoot({
        imports: [EventEmitterModule.forRoot()],
        ...{ redis: { client: redis }, prefix, rules, controllers: false, recordTimeoutMs: 60_000 },
        leaderboards: (['day', 'month', 'all'] as const).map((name) => ({ name, period: name })),
      });
      @Module({ imports: [activity, ModerationModule.forRoot({ activity }), ReportsModule.forRoot({ activity })] })
      class CrowdedModule {}
      const app = await NestFactory.createApplicationContext(CrowdedModule, { logger: false });
      const service = app.get(ActivityService);
      const longest: Record<string, number> = {};
      const during = async (what: string, work: () => Promise<unknown>) => {
        await redis.slowlog('RESET');
        await work();
        longest[what] = await longestCallMs(redis);
      };
      try {
        await during('recording', async () => {
          for (let first = 0; first < givers; first += recordedAtOnce) {
            const some = Array.from({ length: Math.min(recordedAtOnce, givers - first) }, (_, i) => first + i);
            await service.record(some.map((giver) => praiseOf(giver)));
            if (first % 100_000 === 0) say(`${first.toLocaleString('en')} users have praised`);
          }
        });
        await during('revokes and repeats', async () => {
          for (let n = 0; n < 100; n++) {
            const giver = Math.floor((n * givers) / 100);
            await service.apply([{ ...praiseOf(giver), revoke: true }, praiseOf(giver + 1)]);
          }
        });
        await during('taking back the last 64 at once', async () => {
          const last = Array.from({ length: 64 }, (_, n) => ({ ...praiseOf(givers - 2 - n), revoke: true }));
          await service.apply(last);
        });
        await during('a history and its counts', async () => {
          await service.history(owner);
          const { praise } = await service.receivedCounts(owner);
          if (praise !== givers - 164) throw new Error(`The owner was praised ${praise} times.`);
        });
        await during('verify', async () => {
          const { differences } = await app.get(BoardAudits).verify();
          if (differences > 0) throw new Error(`${differences} differences.`);
        });
        await during('erasing a giver', () => app.get(Erasures).erase(`user-${givers - 1}`));
        const { largest, bytes } = await sizesOf(redis);
        const figure = (name: string, unit: string, ours: number, atMost?: number): Comparison => ({
          ...{ name: `crowded day: ${name}`, setting: `${givers.toLocaleString('en')} praises`, unit, isAlone: true },
          ...{ subject: spread([ours]), baseline: spread([ours]), baselineName: 'nothing', ratio: spread([1]) },
          target: atMost === undefined ? null : { of: 'subject', atMost },
        });
        report([
          figure('largest hash', 'fields', largest, 512),
          figure('a grant received', 'bytes', bytes / givers),
          ...Object.entries(longest).map(([what, ms]) => figure(`longest call of ${what}`, 'ms', ms, 10)),
        ]);
      } finally {
        await app.close();
        redis.disconnect();
        await server.stop();
      }
    }
  },
};

function praiseOf(giver: number) {
  return { userId: `user-${giver}`, action: 'praise', subject: 'article:7', ownerId: owner };
}

/** Of those that name the owner and took half a millisecond at least; 0: none did. */
async function longestCallMs(redis: Redis): Promise<number> {
  const calls = (await redis.slowlog('GET', 1_000)) as [number, number, number, string[]][];
  const ours = calls.filter(([, , , args]) => args.some((arg) => arg.endsWith(`:${owner}`)));
  return Math.max(0, ...ours.map(([, , micros]) => micros)) / 1_000;
}

/** The largest hash there is, and what the owner's ledger and its pages take. */
async function sizesOf(redis: Redis): Promise<{ readonly largest: number; readonly bytes: number }> {
  let [largest, bytes] = [0, 0];
  const ownersKey = new RegExp(`:ledger(-page)?:.*:${owner}$`);
  for await (const page of redis.scanStream({ match: `{${prefix}:*`, type: 'hash', count: 1_000 })) {
    const found = page as string[];
    const sizes = await Promise.all(found.map((key) => redis.hlen(key)));
    largest = Math.max(largest, ...sizes);
    const own = found.filter((key) => ownersKey.test(key));
    const taken = await Promise.all(own.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
    bytes += taken.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  }
  return { largest, bytes };
}
