import { type Entry, Leaderboard, Period, ScoreLayout, type Score } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { LeaderboardModel } from '../../support/leaderboard-model';
import { freshPrefix, testRedis } from '../../support/redis';
import { sampled } from '../../support/sampled';
import { drawer } from '../../support/seed';

const start = Date.UTC(2026, 10, 1);
const period = Period.of('month', new Date(start), 'UTC');

let redis: Redis;
const draw = drawer();
/** Numbers from 0 to 1 that the run's seed repeats. */
const random = () => draw(2 ** 31) / 2 ** 31;
beforeAll(() => {
  redis = testRedis();
});

/** What 10,000 random members' estimates are worth, against where they stand. */
async function judge(
  board: Leaderboard<Score>,
  sorted: readonly Entry<Score>[],
): Promise<{ within: number; off: number; claimed: number }> {
  const draws = Array.from({ length: 10_000 }, () => Math.floor(random() * sorted.length));
  const off: number[] = [];
  const claimed: number[] = [];
  let within = 0;
  await Promise.all(
    draws.map(async (place) => {
      const estimate = await board.estimateRank((sorted[place] as Entry<Score>).member);
      if (estimate === null) throw new Error('a member of the board has no estimate');
      off.push(Math.abs(estimate.rank - (place + 1)));
      claimed.push(estimate.error);
      if (Math.abs(estimate.rank - (place + 1)) <= estimate.error) within++;
    }),
  );
  const middle = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] as number;
  return { within: within / draws.length, off: middle(off), claimed: middle(claimed) };
}

const points = () => Math.floor(1 / (1 - random()) ** 0.7);

const scores: Readonly<Record<string, () => Score>> = {
  /** As good as continuous: hardly two alike. */
  'scores of a bell curve': () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  /** A third of all have one point, thousands have two... */
  'whole points that thousands share': points,
  'packed points that thousands share': () => Math.min(points(), 1_000_000),
  'vectors that many share': () => [Math.floor(random() * 20), Math.floor(random() * 30)],
};

const many = sampled({ sample: 100_000, full: 1_000_000 });
const some = sampled({ sample: 40_000, full: 100_000 });

describe.each([
  { name: 'scores of a bell curve', members: many, shards: 1, order: 'desc' },
  { name: 'whole points that thousands share', members: many, shards: 1, order: 'asc' },
  { name: 'whole points that thousands share', members: some, shards: 8, order: 'desc' },
  { name: 'packed points that thousands share', members: some, shards: 64, order: 'desc' },
  { name: 'packed points that thousands share', members: some, shards: 2, order: 'asc' },
  { name: 'vectors that many share', members: some, shards: 1, order: 'desc' },
  { name: 'vectors that many share', members: some, shards: 16, order: 'asc' },
] as const)('$members members, $name, $order, $shards shards', ({ name, members, shards, order }) => {
  const layout = {
    scores: ScoreLayout.plain(),
    whole: ScoreLayout.plain(),
    packed: ScoreLayout.packed({ period }),
    vectors: ScoreLayout.lexical({ dimensions: ['first', 'second'] }),
  }[name.split(' ')[0] as 'whole'] as ScoreLayout<Score>;
  let board: Leaderboard<Score>;
  let sorted: Entry<Score>[];
  beforeAll(async () => {
    const lines = Array.from({ length: members }, (_, i) => {
      const at = new Date(start + Math.floor(random() ** 2 * 20 * 86_400_000));
      return { member: `user-${i}`, score: (scores[name] as () => Score)(), at };
    });
    board = new Leaderboard<Score>(redis, { key: freshPrefix(), shards, order, layout });
    for (let from = 0; from < members; from += 20_000) await board.setMany(lines.slice(from, from + 20_000));
    const kind = name.startsWith('packed') ? 'packed' : name.startsWith('vectors') ? 'lexical' : 'plain';
    const model = new LeaderboardModel<Score>({ layout: kind, order });
    model.writeAll('set', lines);
    sorted = model.entries();
  });
  afterAll(async () => {
    await board.clear();
    board.close();
  });

  it('lie within their error 999 times of 1,000, and half of them within half a thousandth of the board', async () => {
    const { within, off, claimed } = await judge(board, sorted);
    expect(within).toBeGreaterThanOrEqual(0.999);
    expect(off).toBeLessThan(members / 2_000);
    expect(claimed).toBeLessThan(members / 2_000);
  });

  it('are exact for the best thousand', async () => {
    for (const place of [0, 1, 17, 500, 999]) {
      expect(await board.estimateRank((sorted[place] as Entry<Score>).member)).toEqual({ rank: place + 1, error: 0 });
    }
  });

  it('of a score alone reach from the first to the last who has it', async () => {
    let reached = 0;
    const draws = 200;
    for (let i = 0; i < draws; i++) {
      const place = Math.floor(random() * members);
      const { score } = sorted[place] as Entry<Score>;
      const { rank, error } = await board.estimateRank({ score });
      if (Math.abs(place + 1 - rank) <= error) reached++;
    }
    expect(reached).toBeGreaterThanOrEqual(draws - 1);
  });
});
