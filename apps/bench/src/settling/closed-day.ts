import { Settler } from '@laurel/activity/internals';
import type { StandingsArchive } from '@laurel/activity';
import { Ledger, Period } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';

const prefix = 'bench';

/** A day's board of so many members that is due to be settled. */
export interface ClosedDay {
  readonly ledger: Ledger;
  readonly period: string;
  /** Settles it where it is (null) or into an archive that does not have it, and forgets that it did. */
  settleInto(archive: StandingsArchive | null): Promise<void>;
}

/** Puts so many members, `user-0` and on, on the board of a day that has ended. */
export async function openClosedDay(redis: Redis, members: number): Promise<ClosedDay> {
  const day = Period.parse('day', '2036-11-20', 'UTC');
  let nowMs = day.start.getTime();
  const boards = [{ name: 'day', period: 'day', retentionMs: null, latenessMs: 3_600_000 }] as const;
  const ledger = new Ledger(redis, { prefix, clock: { now: () => nowMs }, boards });
  await fill(redis, ledger, nowMs, members);
  nowMs = (day.end as Date).getTime() + 3_600_000;
  return {
    ledger,
    period: day.key,
    async settleInto(archive) {
      const times = { leaseMs: 60_000, listenerTimeoutMs: 30_000, everyMs: 1_000 };
      const settler = new Settler([ledger], redis, archive, { ...times, winners: 10, own: () => [] });
      const done = await settler.settleDue();
      if (done?.settled[0]?.total !== members) throw new Error('The board was not settled.', { cause: done });
      const known = [`settled:day`, `announced:day:${day.key}`, `settled-period:${day.key}:day`];
      await redis.del(...known.map((name) => `{${prefix}}:${name}`));
    },
  };
}

/** Puts so many members on the board, as the ledger would: one activity each is not what is measured here. */
async function fill(redis: Redis, ledger: Ledger, occurredAtMs: number, members: number): Promise<void> {
  await ledger.apply([{ kind: 'grant', member: 'user-0', field: 'v:start', points: 1, occurredAtMs }]);
  const [key] = await redis.keys(`{${prefix}:*}:board:day:*`);
  const [, first] = await redis.zrange(key as string, '0', '0', 'WITHSCORES');
  // The time's part of a packed day takes 27 bits.
  const unit = 2 ** 27;
  if (first === undefined || Math.floor(Number(first) / unit) !== 1) throw new Error('A day is packed in another way.');
  for (let from = 0; from < members; from += 1_000) {
    const lines = Array.from({ length: Math.min(1_000, members - from) }, (_, i) => {
      const member = from + i;
      return [String((1 + (member % 997)) * unit + ((member * 7_919) % unit)), `user-${member}`];
    });
    await redis.zadd(key as string, ...lines.flat());
  }
}
