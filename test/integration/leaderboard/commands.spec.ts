import { Leaderboard, ScoreLayout, type LeaderboardOptions, type Score } from '@laurel/leaderboard';
import { rankings, shardOf } from '@laurel/leaderboard/internals';
import { type CountingRedis, countingRedis, freshPrefix, ManualClock } from '../../support';

const start = Date.UTC(2026, 10, 20);
const members = Array.from({ length: 10_000 }, (_, i) => `member-${i}`);

describe.each([1, 8])('the commands of a leaderboard of %d shards', (shards) => {
  let redis: CountingRedis;
  beforeAll(async () => {
    redis = await countingRedis();
  });

  const newBoard = (options: Partial<LeaderboardOptions<Score>> = {}): Leaderboard<Score> =>
    new Leaderboard<Score>(redis, { key: freshPrefix(), shards, clock: new ManualClock(start), ...options });

  it('are one for each 1,000 lines of a shard where 10,000 are written, whatever the options', async () => {
    const chunks = [...Array(shards).keys()].map((shard) =>
      Math.ceil(members.filter((member) => shardOf(member, shards) === shard).length / 1_000),
    );
    const expected = new Array<string>(chunks.reduce((sum, count) => sum + count, 0)).fill('evalsha');
    for (const options of [{}, { layout: ScoreLayout.lexical({ dimensions: ['x'] }) }]) {
      const board = newBoard(options);
      const score = (n: number): Score => ('layout' in options ? [n] : n);
      const first = await redis.during(() => board.set('first', score(1)));
      expect(new Set(first)).toEqual(new Set(['evalsha', 'hmget', 'hsetnx', 'pttl', 'script']));
      const lines = members.map((member, i) => ({ member, score: score(i) }));
      expect(await redis.during(() => board.setMany(lines))).toEqual(expected);
      expect(await redis.during(() => board.setMany(lines, { only: 'better' }))).toEqual(expected);
      expect(await board.size()).toBe(10_001);
    }
  });

  it('are sent together, in one round trip, where one entry is asked for', async () => {
    const board = newBoard();
    await board.setMany([10, 10, 5].map((score, i) => ({ member: `m${i}`, score })));
    expect(await board.entry('m2')).toMatchObject({ rank: 3 });
    const atOnce = async (read: () => Promise<unknown>) => {
      const sent = await redis.during(async () => {
        const reading = read();
        // What a second round trip would send is sent after the first one's answer, a turn of the event loop later.
        await new Promise(process.nextTick);
        const first = redis.names.length;
        await reading;
        expect(redis.names).toHaveLength(first);
      });
      return sent;
    };
    expect(await atOnce(() => board.entry('m2'))).toEqual(['evalsha']);
    expect(await atOnce(() => board.rank('nobody'))).toEqual(shards === 1 ? ['zrevrank'] : ['evalsha']);
  });

  it('ask for some thousand places at most, and of each shard for its share of a page', async () => {
    const board = newBoard();
    await board.setMany(members.map((member, i) => ({ member, score: i % 500 })));
    // The scripts may be new to the server.
    await board.entries(['member-0']);
    await board.after(null, 1);
    const perCall = shards === 1 ? 4_000 : 500;
    for (const ranking of ['ordinal', 'competition'] as const) {
      const calls = await redis.during(() => board.entries(members, { ranking }));
      expect(calls).toEqual(new Array<string>(Math.ceil(members.length / perCall)).fill('evalsha'));
    }
    const replies = await redis.repliesDuring(async () => {
      const page = await board.after(null, 400);
      const { entries } = await board.after(page.next, 400);
      expect([page.entries.length, entries.length]).toEqual([400, 400]);
    });
    // Each shard gives its share of 401 and a margin.
    const linesRead = replies.map((reply) => JSON.stringify(reply).split('member-').length - 1);
    expect(Math.max(...linesRead)).toBeLessThan(600);
  });

  it('bring a page from far down, and all pages one by one, without what stands before them', async () => {
    const board = newBoard();
    await board.setMany(members.map((member, i) => ({ member, score: i })));
    await board.range(1, 1);
    const linesOf = async (read: () => Promise<unknown>): Promise<number> =>
      JSON.stringify(await redis.repliesDuring(read)).split('member-').length - 1;
    expect(await linesOf(() => board.range(5_000, 20))).toBeLessThan(20 + 32 * shards + 100);
    const all = board.all();
    let met = 0;
    for (let page = 0; page < 4; page++) {
      const lines = await linesOf(async () => {
        for (let i = 0; i < 500; i++) met += (await all.next()).done ? 0 : 1;
      });
      expect(lines).toBeLessThan(900);
      expect(lines).toBeGreaterThanOrEqual(500);
    }
    expect(met).toBe(2_000);
  });

  it('are two a read at most on one shard, whatever the ranking', async () => {
    if (shards > 1) return;
    const board = newBoard();
    await board.setMany(members.slice(0, 500).map((member, i) => ({ member, score: i % 50 })));
    await board.estimateRank('member-7');
    const next = (await board.after(null, 20)).next;
    for (const ranking of rankings) {
      const reads: (() => Promise<unknown>)[] = [
        () => board.top(10, { ranking }),
        () => board.range(200, 20, { ranking }),
        () => board.page(7, 20, { ranking }),
        () => board.page({ offset: 140 }, 20, { ranking }),
        () => board.at(77, { ranking }),
        () => board.after(next, 20, { ranking }),
        () => board.between(10, 20, { ranking, offset: 3, count: 9 }),
        () => board.around('member-77', { radius: 5, ranking }),
        () => board.entry('member-77', { ranking }),
        () => board.entries(['member-77', 'member-3', 'nobody'], { ranking }),
        () => board.rank('member-77', { ranking }),
        () => board.ranks(['member-77', 'member-3'], { ranking }),
        () => board.rankAmong(['member-77', 'member-3'], { ranking }),
        () => board.score('member-77'),
        () => board.size(),
        () => board.pages(20),
        () => board.head(10),
        () => board.countBetween(10, 20),
        () => board.percentile('member-77'),
        () => board.scoreAtPercentile(50),
        () => board.estimateRank('member-77'),
      ];
      for (const read of reads) {
        // A script may be new to the server the first time.
        await read();
        const commands = await redis.during(read);
        expect({ read: read.toString(), commands: commands.length <= 2 }).toMatchObject({ commands: true });
      }
    }
    const standing = () => board.standings(['member-77'], { radius: 1, at: 10 });
    const around = (member: string) => () => board.aroundWithSize(member, { radius: 5 });
    for (const read of [standing, around('member-77'), around('nobody')]) {
      await read();
      expect(await redis.during(read)).toHaveLength(1);
    }
    board.close();
  });

  it('go out together where many calls are made at once: the first at once, then twelve a write, in their order', async () => {
    const board = newBoard();
    await board.setMany(members.slice(0, 100).map((member, i) => ({ member, score: i })));
    expect(await board.rank('member-0')).toBe(100);
    await board.score('member-0');
    const writes = [jest.spyOn(redis.stream, '_write'), jest.spyOn(redis.stream, '_writev')];
    const written = () => writes.map((write) => write.mock.calls.length);
    const scores = [board.increment('new', 1)];
    for (let i = 0; i < 99; i++) scores.push(board.increment('new', 1));
    await new Promise(setImmediate);
    expect(written()).toEqual([1, Math.ceil(99 / 12)]);
    expect((await Promise.all(scores)).map(({ score }) => score)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    await board.score('new');
    expect(written()).toEqual([2, Math.ceil(99 / 12)]);
    for (const write of writes) write.mockRestore();
  });
});
