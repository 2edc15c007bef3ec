import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { LedgerAudit, type AuditDifference, type Ledger, type Transition } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import { ManualClock } from '../support/clock';
import { keptBoard, keptLedger } from '../support/ledger';
import { freshPrefix, ownRedis } from '../support/redis';
import { sampled } from '../support/sampled';
import { announceSeed, seed } from '../support/seed';

const dayMs = 86_400_000;
/** Two months, two weeks; ahead, so that nothing expires. */
const firstMs = Date.parse('2036-10-29T00:00:00Z');
const now = firstMs + 5 * dayMs;
const boards = ['day', 'week', 'month', 'year', 'all'] as const;
const moment = fc
  .tuple(fc.nat(4), fc.constantFrom(0, 1, 7, 3_600_000, dayMs - 1))
  .map(([day, offset]) => firstMs + day * dayMs + offset);

const history = fc.array(
  fc
    .record({
      member: fc.constantFrom('ann', 'bob'),
      field: fc.constantFrom('praise:1', 'praise:2', 'view:/'),
      sort: fc.constantFrom('grant' as const, 'grant' as const, 'revoke' as const, 'dayRevoke' as const),
      occurredAtMs: moment,
      grantedAtMs: moment,
      sequence: fc.constantFrom(0, 0, 3),
    })
    .map(({ sort, grantedAtMs, ...one }): Transition => ({
      ...one,
      kind: sort === 'grant' ? 'grant' : 'revoke',
      points: one.field === 'view:/' ? 1 : 2,
      ...(sort === 'dayRevoke' && { grantedAtMs }),
    })),
  { minLength: 1, maxLength: 16 },
);

/** Adds more than what any other takes, so that the order decides of no adjustment how much it takes. */
const adjustments = fc.array(
  fc.record({ points: fc.constantFrom(50, 100, -3, -1), occurredAtMs: moment, grantedAtMs: moment }),
  { maxLength: 4 },
);

describe('the times of boards', () => {
  const server = ownRedis();
  let redis: Redis;
  beforeAll(() => {
    announceSeed();
    redis = server.connect();
  });

  const open = (shards: number, ledgerRetentionMs: number | null) =>
    keptLedger(redis, {
      prefix: freshPrefix(),
      shards,
      boards: boards.map((board) => keptBoard(board)),
      clock: new ManualClock(now),
      ledgerRetentionMs,
    });

  const entries = async ({ settings: { tags }, periods }: Ledger): Promise<Record<string, string>> => {
    const found: Record<string, string> = {};
    for (const board of boards) {
      for (const period of await periods.written(board, { limit: 99 })) {
        for (const [shard] of tags.entries()) {
          const key = periods.boardPeriod(board, period, null).keys[shard] as string;
          const flat = await redis.zrange(key, '0', '-1', 'WITHSCORES');
          for (let i = 0; i < flat.length; i += 2) found[`${board} ${period.key} ${flat[i]}`] = flat[i + 1] as string;
        }
      }
    }
    return found;
  };

  const differences = async (ledger: Ledger, heals = false): Promise<AuditDifference[]> => {
    const found: AuditDifference[] = [];
    const onDifference = (one: AuditDifference) => found.push(one);
    await new LedgerAudit(redis, ledger, { countsOn: () => null, heals, onDifference }).run();
    return found;
  };

  it('are the same in every order of grants, repetitions, revokes and adjustments, and verify proves them', async () => {
    const runs = fc.tuple(history, adjustments, fc.constantFrom(30 * dayMs, null)).chain(([set, added, retention]) => {
      const adjusts = added.map(({ points, occurredAtMs, grantedAtMs }, i): Transition => ({
        ...{ kind: 'adjust', member: i % 2 ? 'bob' : 'ann', field: adjustmentField(`a${i}`), note: 'because' },
        ...{ points, occurredAtMs, grantedAtMs },
      }));
      const shuffled = (all: Transition[]) =>
        fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
      const plus = adjusts.filter(({ points }) => points > 0);
      const minus = plus.length === adjusts.length ? [] : adjusts.filter(({ points }) => points < 0);
      // Without anything to take from, it would depend on the order what an adjustment takes.
      const taken = minus.flatMap((one): Transition[] => [
        { ...one, field: adjustmentField(`base ${one.field}`), points: 10 },
        one,
      ]);
      const all = [...set, ...set, ...plus];
      return fc.record({
        before: fc.constant(taken),
        orders: fc.tuple(shuffled(all), shuffled(all)),
        batch: fc.constantFrom(1, 3, 8),
        retention: fc.constant(retention),
      });
    });
    await fc.assert(
      fc.asyncProperty(runs, async ({ before, orders, batch, retention }) => {
        const ends = await Promise.all(
          [1, 8].map(async (shards, i) => {
            const ledger = open(shards, retention);
            const order = i === 0 ? [...before, ...orders[0]] : [...before, ...orders[1]];
            for (let at = 0; at < order.length; at += batch) await ledger.apply(order.slice(at, at + batch));
            return { ledger, stands: await entries(ledger) };
          }),
        );
        const [one, other] = ends as [(typeof ends)[0], (typeof ends)[0]];
        expect(other.stands).toEqual(one.stands);
        expect(await differences(one.ledger)).toEqual([]);
        const [[place, score] = [], ...others] = Object.entries(one.stands);
        if (place !== undefined && before.length === 0) {
          // Nothing is kept of who has no points.
          const [board = '', key = '', member = ''] = place.split(' ');
          const period = (await one.ledger.periods.written(board, { limit: 99 })).find((found) => found.key === key);
          const { keys, score: packed } = one.ledger.periods.boardPeriod(board, period as never, null);
          for (const [, found] of [[place, score] as const, ...others]) expect(Number(found)).toBeGreaterThan(0);
          expect(Number(score)).toBeGreaterThanOrEqual(packed.unit);
          // One tick less, or more where it is the first.
          await redis.zincrby(keys[0] as string, Number(score) % packed.unit === packed.unit - 1 ? -1 : 1, member);
          expect(await differences(one.ledger)).toMatchObject([{ fault: 'time', board, period: key, member }]);
          await differences(one.ledger, true);
          expect(await entries(one.ledger)).toEqual(one.stands);
        }
        await redis.flushdb();
        for (const { ledger } of ends) ledger.close();
      }),
      { numRuns: sampled({ sample: 40, full: 600 }), seed },
    );
  });
});
