import { Leaderboard, Period, rankings, ScoreLayout, type Score } from '@laurel/leaderboard';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { ManualClock } from '../support/clock';
import { LeaderboardModel } from '../support/leaderboard-model';
import { closeTestRedis, freshPrefix, testRedis } from '../support/redis';
import { announceSeed, seed } from '../support/seed';

const start = Date.UTC(2026, 10, 20);
const period = Period.of('month', new Date(start), 'UTC');
const packedDimensions = [
  { name: 'first', max: 99 },
  { name: 'second', max: 99, order: 'asc' },
] as const;
const dimensions = ['first', { name: 'second', order: 'asc' }] as const;

/** Few members, scores and moments, so that ties and repetitions are met often. */
const member = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '\uFFFD', '\u{1F3C6}', '{x}:y\n', ' ');
const points = fc.integer({ min: 0, max: 4 });
const atMs = fc.integer({ min: 0, max: 3 }).map((offset) => start + offset);
const line = fc.record({ member, points, atMs });

const only = fc.constantFrom('better', 'present', 'absent');

const operation = fc.oneof(
  fc.record({ kind: fc.constantFrom('set', 'best', 'increment'), line }),
  fc.record({ kind: fc.constant('lower' as const), line }),
  fc.record({ kind: fc.constant('setMany' as const), lines: fc.array(line, { maxLength: 6 }) }),
  fc.record({ kind: fc.constant('only' as const), update: fc.constantFrom('set', 'best', 'increment'), only, line }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('remove' as const), members: fc.array(member, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('removeBetween' as const), min: points, max: points }),
);

const board = fc.record({
  layout: fc.constantFrom('plain', 'packed', 'packed dimensions', 'lexical'),
  order: fc.constantFrom('desc', 'asc'),
  shards: fc.constantFrom(1, 2, 5),
  firstRank: fc.constantFrom(0, 1),
  limit: fc.constantFrom(undefined, undefined, 1, 3),
  memberTtlMs: fc.constantFrom(undefined, undefined, 1, 4),
});

describe('a leaderboard under any sequence of operations', () => {
  let redis: Redis;
  beforeAll(() => {
    announceSeed();
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  const layouts = {
    plain: ScoreLayout.plain() as ScoreLayout<Score>,
    packed: ScoreLayout.packed({ period }) as ScoreLayout<Score>,
    'packed dimensions': ScoreLayout.packed({ dimensions: packedDimensions, period }) as ScoreLayout<Score>,
    lexical: ScoreLayout.lexical({ dimensions }) as ScoreLayout<Score>,
  };

  it('stands as the model does, entry for entry, after each', async () => {
    const runs = fc.asyncProperty(
      board,
      fc.array(operation, { minLength: 1, maxLength: 15 }),
      async (made, operations) => {
        const { layout, order, shards, firstRank, limit, memberTtlMs } = made;
        const limited = {
          ...(limit !== undefined && { limit }),
          ...(memberTtlMs !== undefined && { memberTtlMs }),
        };
        const clock = new ManualClock(start);
        const options = {
          key: freshPrefix(),
          layout: layouts[layout],
          order,
          shards,
          firstRank,
          clock,
          ...limited,
        } as const;
        const engine = new Leaderboard<Score>(redis, options);
        const model = new LeaderboardModel<Score>({
          layout,
          order,
          firstRank,
          dimensions: [order, 'asc'],
          clock,
          ...limited,
        });
        const isVector = layout === 'lexical' || layout === 'packed dimensions';
        const score = (n: number): Score => (isVector ? [n >> 1, n & 1] : n);
        await engine.expireAt(new Date('2100-01-01'));

        for (const one of operations) {
          switch (one.kind) {
            case 'setMany': {
              const lines = one.lines.map((each) => ({ ...each, score: score(each.points), at: new Date(each.atMs) }));
              await engine.setMany(lines);
              model.writeAll('set', lines);
              break;
            }
            case 'remove':
              expect(await engine.remove(...one.members)).toBe(model.remove(one.members));
              break;
            case 'removeBetween': {
              const gone = model.between(score(one.min), score(one.max)).map((entry) => entry.member);
              expect(await engine.removeBetween(score(one.min), score(one.max))).toBe(gone.length);
              model.remove(gone);
              break;
            }
            case 'only': {
              const { member: name, points: given, atMs: ms } = one.line;
              const [expected] = model.writeAll(
                one.update,
                [{ member: name, score: score(given), atMs: ms }],
                one.only,
              );
              const written = await engine[one.update](name, score(given), new Date(ms), { only: one.only });
              expect(written).toEqual(expected);
              break;
            }
            case 'wait':
              clock.advance(one.ms);
              break;
            case 'lower': {
              const { member: name, points: by, atMs: ms } = one.line;
              const least = isVector ? [-by, -1] : -by;
              const present = [model.find(name)?.score ?? (isVector ? [0, 0] : 0)].flat();
              const write = engine.increment(name, least, new Date(ms));
              if (layout.startsWith('packed') && [least].flat().some((d, i) => (present[i] as number) + d < 0)) {
                await expect(write).rejects.toMatchObject({ code: 'scoreOutOfRange' });
              } else {
                await write;
                model.write('increment', name, least, ms);
              }
              break;
            }
            default: {
              const { member: name, points: given, atMs: ms } = one.line;
              await engine[one.kind](name, score(given), new Date(ms));
              model.write(one.kind, name, score(given), ms);
            }
          }
          expect(await engine.top(100)).toEqual(model.entries());
        }

        const size = model.entries().length;
        const asked = model.entries()[size >> 1]?.member ?? 'a';
        for (const ranking of rankings) {
          const all = model.entries(ranking);
          expect(await engine.top(100, { ranking })).toEqual(all);
          expect(await engine.range(size >> 1, 3, { ranking })).toEqual(all.slice(size >> 1, (size >> 1) + 3));
          const looked = await engine.entries(['a', 'b', 'c', asked], { ranking });
          const found = (name: string) => all.find((entry) => entry.member === name) ?? null;
          expect(looked).toEqual(['a', 'b', 'c', asked].map(found));
          const ranks = await engine.ranks(['a', 'b', 'c', asked], { ranking });
          expect(ranks).toEqual(looked.map((entry) => entry && entry.rank));
          expect(await engine.around(asked, { radius: 1, ranking })).toEqual(model.around(asked, 1, ranking));
          const between = model.between(score(1), score(3), ranking);
          expect(await engine.between(score(1), score(3), { ranking, offset: 1 })).toEqual(between.slice(1));
          const first = await engine.after(null, 2, { ranking });
          const rest = first.next === null ? [] : (await engine.after(first.next, 100, { ranking })).entries;
          expect([...first.entries, ...rest]).toEqual(all);
          const middle = await engine.pageAt(1, 2, { ranking });
          const below = middle.next === null ? [] : (await engine.after(middle.next, 100, { ranking })).entries;
          expect([...middle.entries, ...below]).toEqual(all.slice(1));
        }
      },
    );
    await fc.assert(runs, { seed, numRuns: 1_000 });
  }, 300_000);
});
