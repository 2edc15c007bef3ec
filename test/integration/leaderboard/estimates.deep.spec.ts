import { Leaderboard, Period, ScoreLayout, type Score } from '@laurel/leaderboard';
import { PackedScore, shardOf, shardTags } from '@laurel/leaderboard/internals';
import type { Redis } from 'ioredis';
import { keys } from '../../support/keys';
import { encodeDouble } from '../../../libs/leaderboard/src/board/layouts/vector';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { sampled } from '../../support/sampled';
import { announceSeed, seed } from '../../support/seed';

/** A line as it lies in Redis, and the score that its board shows. */
interface Stored {
  readonly raw: number;
  readonly element: string;
  readonly member: string;
  readonly score: Score;
  readonly vector?: string;
}

/** Numbers from 0 to 1 that the run's seed repeats (mulberry32). */
function generator(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const start = Date.UTC(2026, 10, 1);
const period = Period.of('month', new Date(start), 'UTC');
const packed = new PackedScore({ period });

let redis: Redis;
let random: () => number;
beforeAll(() => {
  announceSeed();
  redis = testRedis();
  random = generator(seed);
});
afterAll(closeTestRedis);

/** Writes lines straight to the board's sorted sets: a million in seconds. */
async function load(key: string, shards: number, lines: readonly Stored[]): Promise<void> {
  const tags = shardTags(shards);
  await redis.hset(keys.boardLayout(key), 'shards', shards);
  const pages = tags.map((): Stored[] => []);
  for (let from = 0; from < lines.length; from += 20_000) {
    const pipeline = redis.pipeline();
    for (const line of lines.slice(from, from + 20_000)) (pages[shardOf(line.member, shards)] as Stored[]).push(line);
    pages.forEach((page, shard) => {
      if (page.length === 0) return;
      const tag = tags[shard] as string;
      pipeline.zadd(keys.entries(key, tag), ...page.flatMap(({ raw, element }) => [raw, element]));
      const vectors = page.flatMap(({ member, vector }) => (vector === undefined ? [] : [member, vector]));
      if (vectors.length > 0) pipeline.hset(keys.vectors(key, tag), ...vectors);
      page.length = 0;
    });
    for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
  }
}

/** Lines in rank order; elements here are ASCII, whose units sort as bytes. */
function ranked(lines: Stored[], order: 'desc' | 'asc'): Stored[] {
  const sign = order === 'desc' ? -1 : 1;
  return lines.sort((a, b) => sign * (a.raw - b.raw || (a.element < b.element ? -1 : 1)));
}

/** What 10,000 random members' estimates are worth, against where they stand. */
async function judge(
  board: Leaderboard<Score>,
  sorted: readonly Stored[],
): Promise<{ within: number; off: number; claimed: number }> {
  const draws = Array.from({ length: 10_000 }, () => Math.floor(random() * sorted.length));
  const off: number[] = [];
  const claimed: number[] = [];
  let within = 0;
  await Promise.all(
    draws.map(async (place) => {
      const estimate = await board.estimateRank((sorted[place] as Stored).member);
      if (estimate === null) throw new Error('a member of the board has no estimate');
      off.push(Math.abs(estimate.rank - (place + 1)));
      claimed.push(estimate.error);
      if (Math.abs(estimate.rank - (place + 1)) <= estimate.error) within++;
    }),
  );
  const middle = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] as number;
  return { within: within / draws.length, off: middle(off), claimed: middle(claimed) };
}

const member = (i: number): string => `user-${i}`;

const makers = {
  /** As good as continuous: hardly two alike. */
  'scores of a bell curve': (i: number): Stored => {
    const score = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return { raw: score, element: member(i), member: member(i), score };
  },
  /** A third of all have one point, thousands have two... */
  'whole points that thousands share': (i: number): Stored => {
    const score = Math.floor(1 / (1 - random()) ** 0.7);
    return { raw: score, element: member(i), member: member(i), score };
  },
  'packed points that thousands share': (i: number): Stored => {
    const score = Math.min(Math.floor(1 / (1 - random()) ** 0.7), 1_000_000);
    const raw = packed.encode(score, start + Math.floor(random() ** 2 * 20 * 86_400_000));
    return { raw, element: member(i), member: member(i), score };
  },
  'vectors that many share': (i: number): Stored => {
    const score = [Math.floor(random() * 20), Math.floor(random() * 30)];
    const vector = score.map((number) => encodeDouble(number, false)).join('');
    return { raw: 0, element: vector + member(i), member: member(i), score, vector };
  },
};

const many = sampled({ sample: 200_000, full: 1_000_000 });

describe.each([
  { name: 'scores of a bell curve', members: many, shards: 1, order: 'desc' },
  { name: 'whole points that thousands share', members: many, shards: 1, order: 'asc' },
  { name: 'whole points that thousands share', members: 100_000, shards: 8, order: 'desc' },
  { name: 'packed points that thousands share', members: 100_000, shards: 64, order: 'desc' },
  { name: 'packed points that thousands share', members: 100_000, shards: 2, order: 'asc' },
  { name: 'vectors that many share', members: 100_000, shards: 1, order: 'desc' },
  { name: 'vectors that many share', members: 100_000, shards: 16, order: 'asc' },
] as const)('$members members, $name, $order, $shards shards', ({ name, members, shards, order }) => {
  const layout = {
    scores: ScoreLayout.plain(),
    whole: ScoreLayout.plain(),
    packed: ScoreLayout.packed({ period }),
    vectors: ScoreLayout.lexical({ dimensions: ['first', 'second'] }),
  }[name.split(' ')[0] as 'whole'] as ScoreLayout<Score>;
  let board: Leaderboard<Score>;
  let sorted: Stored[];
  const key = freshPrefix();
  beforeAll(async () => {
    const lines = Array.from({ length: members }, (_, i) => makers[name](i));
    await load(key, shards, lines);
    board = new Leaderboard<Score>(redis, { key, shards, order, layout });
    sorted = ranked(lines, order);
  });
  afterAll(async () => {
    board.close();
    await redis.unlink(...shardTags(shards).flatMap((tag) => [keys.entries(key, tag), keys.vectors(key, tag)]));
  });

  it('lie within their error 999 times of 1,000, and half of them within half a thousandth of the board', async () => {
    const { within, off, claimed } = await judge(board, sorted);
    expect(within).toBeGreaterThanOrEqual(0.999);
    expect(off).toBeLessThan(members / 2_000);
    expect(claimed).toBeLessThan(members / 2_000);
  });

  it('are exact for the best thousand', async () => {
    for (const place of [0, 1, 17, 500, 999]) {
      expect(await board.estimateRank((sorted[place] as Stored).member)).toEqual({ rank: place + 1, error: 0 });
    }
  });

  it('of a score alone reach from the first to the last who has it', async () => {
    let reached = 0;
    const draws = 200;
    for (let i = 0; i < draws; i++) {
      const place = Math.floor(random() * members);
      const { score } = sorted[place] as Stored;
      const { rank, error } = await board.estimateRank({ score });
      if (Math.abs(place + 1 - rank) <= error) reached++;
    }
    expect(reached).toBeGreaterThanOrEqual(draws - 1);
  });
});
