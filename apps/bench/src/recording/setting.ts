import { Recorder, smallBatches } from '@laurel/activity';
import { Ledger, Period } from '@laurel/leaderboard';
import { startRedis, type RedisServer } from '@laurel/servers';
import { Redis } from 'ioredis';
import { plainKeys, recordPlainly } from './plain-commands';

const dayMs = 86_400_000;

/** A private Redis on which boards of ours and of the baseline hold equally many members. */
export interface RecordingSetting {
  readonly server: RedisServer;
  readonly redis: Redis;
  readonly ledger: Ledger;
  readonly recorder: Recorder;
  readonly plain: ReturnType<typeof plainKeys>;
  readonly day: Period;
  close(): Promise<void>;
}

/** Starts a Redis and puts every member on both sides' day and month boards by one activity each. */
export async function openSetting(members: number): Promise<RecordingSetting> {
  const server = await startRedis();
  const redis = new Redis(server.url);
  const nowMs = Date.now();
  const day = Period.of('day', new Date(nowMs), 'UTC');
  // The clock stands at the day's end: the activities of a round lie anywhere in it, and none is in the future.
  const clock = { now: () => (day.end as Date).getTime() - 600_001 };
  const ledger = new Ledger(redis, {
    prefix: 'bench',
    clock,
    boards: [
      { name: 'day', period: 'day', retentionMs: 31 * dayMs, latenessMs: 3_600_000 },
      { name: 'month', period: 'month', retentionMs: 365 * dayMs, latenessMs: 3_600_000 },
    ],
  });
  await ledger.prepare();
  const plain = plainKeys('{plain}', day.key);
  const startMs = day.start.getTime();
  for (let first = 0; first < members; first += 500) {
    const events = Array.from({ length: Math.min(500, members - first) }, (_, i) => ({
      userId: `user-${first + i}`,
      subject: 'article:start',
      points: 1 + ((first + i) % 50),
      occurredAtMs: startMs,
    }));
    await ledger.apply(
      events.map(({ userId, subject, points, occurredAtMs }) => ({
        kind: 'grant',
        member: userId,
        field: `p:${subject}`,
        points,
        occurredAtMs,
      })),
    );
    await recordPlainly(redis, plain, events);
  }
  const recorder = new Recorder(ledger, { ...smallBatches, maxPending: 10_000, timeoutMs: 30_000 });
  const close = async () => {
    await recorder.close(5_000);
    redis.disconnect();
    await server.stop();
  };
  return { server, redis, ledger, recorder, plain, day, close };
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
