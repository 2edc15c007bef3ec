import type { Leaderboard } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer } from '../harness/random';
import { compare } from '../harness/sample';
import { memberNamed, openBoard, openServer } from './boards';
import { medianMicroseconds } from './latency';

const shards = 10;
const pageSize = 20;

/** What ten shards cost a read, on one Redis, against one shard. */
export const shardsBench: Benchmark = {
  name: 'engine-shards',
  title: `reads of ${shards} shards against one`,
  members: [1_000_000],
  async run({ memberCounts, rounds, isQuick, report, say }: BenchContext): Promise<void> {
    const members = Math.min(1_000_000, Math.max(...memberCounts));
    const offset = Math.min(100_000, members / 10);
    const calls = isQuick ? 100 : 1_000;
    const server = await openServer();
    try {
      say(`putting ${members.toLocaleString('en')} members on two boards`);
      const whole = await openBoard(server.redis, members);
      const parted = await openBoard(server.redis, members, { shards });
      const random = lehmer(2);
      const someone = () => memberNamed(Math.floor(random() * members));
      const pageName = `${pageSize} entries at ${offset.toLocaleString('en')}`;
      const rows: { name: string; atMost?: number; calls: number; read: (board: Leaderboard) => Promise<unknown> }[] = [
        { name: 'rank of a random member', atMost: 2.5, calls, read: (board) => board.rank(someone()) },
        { name: pageName, atMost: 10, calls: calls / 4, read: (board) => board.range(offset, pageSize) },
        { name: 'top 100', atMost: 5, calls: calls / 4, read: (board) => board.top(100) },
        {
          name: 'around a random member, 5 each side',
          calls: calls / 4,
          read: (board) => board.around(someone(), { radius: 5 }),
        },
      ];
      const setting = `${members.toLocaleString('en')} members, ${shards} shards on one Redis`;
      const measured = (board: Leaderboard) => async () => {
        const figures: number[] = [];
        for (const row of rows) figures.push(await medianMicroseconds(row.calls, () => row.read(board)));
        return figures;
      };
      report(
        await compare(measured(parted), measured(whole), {
          setting,
          baselineName: 'the same of one shard',
          metrics: rows.map(({ name, atMost }) => ({
            name,
            unit: 'µs',
            target: atMost === undefined ? null : { of: 'ratio', atMost },
          })),
          rounds,
        }),
      );
      const parts = await server.redis.keys(`{bench:${members}:${shards}:*}:entries`);
      report(
        await compare(
          async () => [await medianMicroseconds(calls / 4, () => parted.range(offset, pageSize))],
          async () => [await medianMicroseconds(1, () => everythingBefore(server.redis, parts, offset + pageSize))],
          {
            setting,
            baselineName: 'fetching everything before it of each shard and merging',
            metrics: [{ name: pageName, unit: 'µs', target: { of: 'ratio', atMost: 1 / 3_000 } }],
            rounds: Math.min(rounds, 3),
          },
        ),
      );
    } finally {
      await server.close();
    }
  },
};

/** The last entries of the first `count` of several sorted sets, found as one would without counting. */
async function everythingBefore(redis: Redis, parts: readonly string[], count: number): Promise<string[]> {
  const replies = await Promise.all(parts.map((part) => redis.zrevrange(part, 0, count - 1, 'WITHSCORES')));
  const lines = replies.flatMap((reply) => {
    const own: { member: string; score: number }[] = [];
    for (let i = 0; i < reply.length; i += 2) own.push({ member: reply[i] as string, score: Number(reply[i + 1]) });
    return own;
  });
  lines.sort((a, b) => b.score - a.score || (a.member < b.member ? 1 : -1));
  return lines.slice(count - pageSize, count).map(({ member }) => member);
}
