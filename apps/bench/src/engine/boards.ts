import { Leaderboard, type LeaderboardOptions } from '@laurel/leaderboard';
import { startRedis } from '@laurel/servers';
import { Redis } from 'ioredis';
import { lehmer } from '../harness/random';

/** A private Redis for boards of the engine and of others. */
export interface BoardServer {
  readonly redis: Redis;
  close(): Promise<void>;
}

export async function openServer(): Promise<BoardServer> {
  const server = await startRedis();
  const redis = new Redis(server.url);
  const close = async () => {
    redis.disconnect();
    await server.stop();
  };
  return { redis, close };
}

export const memberNamed = (place: number): string => `user-${place}`;

/** A score for each member, the same whenever it is asked with the same count: whole numbers up to a million. */
export function scoresOf(members: number): (place: number) => number {
  const scores = new Uint32Array(members);
  const random = lehmer(members);
  for (let i = 0; i < members; i++) scores[i] = Math.floor(random() * 1_000_000);
  return (place) => scores[place] as number;
}

const linesPerCall = 10_000;

/** Calls `write` with all members and their scores, 10,000 at a time. */
export async function inLines(
  members: number,
  write: (lines: { readonly member: string; readonly score: number }[]) => Promise<unknown>,
): Promise<void> {
  const scoreOf = scoresOf(members);
  for (let first = 0; first < members; first += linesPerCall) {
    const count = Math.min(linesPerCall, members - first);
    await write(
      Array.from({ length: count }, (_, i) => ({ member: memberNamed(first + i), score: scoreOf(first + i) })),
    );
  }
}

/** A leaderboard with so many members on it. */
export async function openBoard(
  redis: Redis,
  members: number,
  options: Partial<LeaderboardOptions> = {},
): Promise<Leaderboard> {
  const board = new Leaderboard(redis, { key: `bench:${members}:${options.shards ?? 1}`, ...options });
  await inLines(members, (lines) => board.setMany(lines));
  return board;
}
