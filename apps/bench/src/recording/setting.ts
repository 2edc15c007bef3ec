import { ActivityModule } from '@laurel/activity';
import { Recorder } from '@laurel/activity/internals';
import { Ledger, Period, type LedgerOptions, type Transition } from '@laurel/leaderboard';
import { startRedis, type RedisServer } from '@laurel/servers';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Redis } from 'ioredis';
import { transitionOf, type BenchEvent } from './events';
import { plainKeys, recordPlainly } from './plain-commands';

const dayMs = 86_400_000;

/** A private Redis on which boards of ours and of the baseline hold equally many members. */
export interface RecordingSetting {
  readonly server: RedisServer;
  readonly redis: Redis;
  readonly ledger: Ledger;
  readonly recorder: ReturnType<typeof recorderOf>;
  readonly plain: ReturnType<typeof plainKeys>;
  readonly day: Period;
  close(): Promise<void>;
}

/** Starts a Redis and puts every member on both sides' day and month boards by one activity each. */
export async function openSetting(members: number): Promise<RecordingSetting> {
  const server = await startRedis();
  const redis = new Redis(server.url);
  const day = Period.of('day', new Date(), 'UTC');
  const ledger = await openLedger(redis, day, members);
  const plain = plainKeys('{plain}', day.key);
  for (const events of firstEvents(day, members)) await recordPlainly(redis, plain, events);
  const recorder = recorderOf(ledger);
  const close = async () => {
    await recorder.close(5_000);
    redis.disconnect();
    await server.stop();
  };
  return { server, redis, ledger, recorder, plain, day, close };
}

/** The recorder of a ledger, as calls with one activity each use it. */
export function recorderOf(ledger: Ledger) {
  const timeoutMs = 30_000;
  const recorder = new Recorder([ledger], { maxPending: 10_000, timeoutMs });
  return {
    async record(transition: Transition): Promise<void> {
      const { fault } = await recorder.record([[transition]], performance.now() + timeoutMs);
      if (fault) throw fault;
    },
    close: (withinMs: number) => recorder.close(withinMs),
  };
}

/** The Nest module on the ledger of a setting. */
export function openModule({ redis, ledger }: RecordingSetting): Promise<INestApplicationContext> {
  const module = ActivityModule.forRoot({
    imports: [EventEmitterModule.forRoot()],
    redis: { client: redis },
    prefix: 'bench',
    controllers: false,
    clock: ledger.settings.clock,
    recordTimeoutMs: 30_000,
  });
  return NestFactory.createApplicationContext(module, { logger: false });
}

/** A ledger of a day's and a month's board with every member on both. */
export async function openLedger(
  redis: Redis,
  day: Period,
  members: number,
  options: Partial<LedgerOptions> = {},
): Promise<Ledger> {
  const ledger = new Ledger(redis, {
    prefix: 'bench',
    // The clock stands at the day's end: the activities of a round lie anywhere in it, and none is in the future.
    clock: { now: () => (day.end as Date).getTime() - 600_001 },
    // As the Nest module has them, which goes on with this data.
    boards: [
      { name: 'day', period: 'day', counts: 'all', retentionMs: 31 * dayMs, latenessMs: 3_600_000 },
      { name: 'month', period: 'month', counts: 'all', retentionMs: 365 * dayMs, latenessMs: 3_600_000 },
    ],
    ...options,
  });
  await ledger.prepare();
  for (const events of firstEvents(day, members)) await ledger.apply(events.map(transitionOf));
  return ledger;
}

/** One activity of each member, 500 at a time. */
export function* firstEvents(day: Period, members: number): Generator<BenchEvent[]> {
  for (let first = 0; first < members; first += 500) {
    yield Array.from({ length: Math.min(500, members - first) }, (_, i) => ({
      userId: `user-${first + i}`,
      subject: 'article:start',
      points: 1 + ((first + i) % 50),
      occurredAtMs: day.start.getTime(),
    }));
  }
}

/** Runs `count` tasks with so many under way at once. */
export async function inFlight(count: number, width: number, task: () => Promise<unknown>): Promise<void> {
  let left = count;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await task();
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}
