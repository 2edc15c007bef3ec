import type { Period } from '@laurel/leaderboard';
import type { RedisConnection } from '../redis/redis-connection';
import { readScoped, writeScoped } from '../http/scoped-cursor';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import type { RankPartition } from './rank.responses';

/** Which of a period's parts: the page behind the `cursor` that the page before gave. */
export interface PartitionsPage {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** So many names are looked at for one page: there may be many parts that everybody has left. */
const maxNames = 1_000;

/** A name of 64 bytes, in JSON and base64. */
const maxCursorLength = 600;

/**
 * The partitions with entries, in the order of their names' bytes. One round trip for the names of a page, and one for
 * their sizes; as many again if some are empty. A page for which 1,000 names were looked at ends early.
 * @throws ActivityError `invalidCursor`, `unavailable`.
 */
export function livePartitions(
  connection: RedisConnection,
  { leaderboard, period }: { readonly leaderboard: LeaderboardBoards; readonly period: Period },
  { limit, cursor }: PartitionsPage,
): Promise<{ readonly partitions: readonly RankPartition[]; readonly next: string | null }> {
  const scope = ['partitions', leaderboard.name, period.key];
  const after = cursor === undefined ? undefined : readScoped(scope, cursor, isText, maxCursorLength);
  return connection.read(async () => {
    const found: RankPartition[] = [];
    let names: string[] = [];
    const take = async () => {
      found.push(...(await counted(leaderboard, period, names)));
      names = [];
    };
    let looked = 0;
    let lastName: string | undefined;
    for await (const name of leaderboard.partitions(period, { after, pageSize: limit + 1 })) {
      names.push(name);
      looked += 1;
      if (names.length > limit) await take();
      if (looked === maxNames) lastName = name;
      if (found.length > limit || lastName !== undefined) break;
    }
    await take();
    const partitions = found.slice(0, limit);
    const last = found.length > limit ? partitions.at(-1)?.name : lastName;
    return { partitions, next: last === undefined ? null : writeScoped(scope, last) };
  });
}

/** Those that anyone is on, and how many are. */
async function counted(
  leaderboard: LeaderboardBoards,
  period: Period,
  names: readonly string[],
): Promise<RankPartition[]> {
  const totals = await Promise.all(names.map((name) => leaderboard.part(name).reader(period).size()));
  return names.map((name, i) => ({ name, total: totals[i] ?? 0 })).filter(({ total }) => total > 0);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
