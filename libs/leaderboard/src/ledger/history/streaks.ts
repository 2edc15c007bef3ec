import { chunksOf, groupBy } from '../../lists/lists';
import { runScript, type RedisClient } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import { shardOf } from '../../keys/shard';
import type { BoardPeriod } from '../periods/calendar';

/** Whose streaks to read, and on which boards. */
export interface AskedStreaks {
  readonly members: readonly string[];
  /** One board's days, the last first: the longest streak there can be. */
  readonly days: readonly BoardPeriod[];
  /** Whether the last day is not over: a member who does not stand on it yet is counted up to the day before. */
  readonly isRunning: boolean;
}

/** So many scores are read in one script call at most: some two milliseconds of Redis. */
const scoresACall = 2_000;

/**
 * For how many days in a row, up to the last, members stood on a board of days. One round trip; a call for each shard
 * concerned and each 2,000 days of its members.
 */
export async function readStreaks(redis: RedisClient, { members, days, isRunning }: AskedStreaks): Promise<number[]> {
  const shards = days[0]?.keys.length ?? 0;
  const lengths = new Map<string, number>();
  if (shards === 0) return members.map(() => 0);
  const byShard = groupBy(new Set(members), (member) => shardOf(member, shards));
  const calls = [...byShard].flatMap(([shard, own]) => {
    return chunksOf(own, Math.max(1, Math.floor(scoresACall / days.length))).map((chunk) => [shard, chunk] as const);
  });
  await Promise.all(
    calls.map(async ([shard, own]) => {
      const reply = await runScript(
        redis,
        scripts.readStreaks,
        { days: days.map((day) => day.keys[shard] as string) },
        { grace: isRunning ? 1 : 0, floors: days.map(({ score }) => score.unit), members: own },
      );
      (reply as readonly number[]).forEach((length, i) => lengths.set(own[i] as string, length));
    }),
  );
  return members.map((member) => lengths.get(member) ?? 0);
}
