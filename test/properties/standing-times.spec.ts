import fc from 'fast-check';
import type { Ledger, Transition } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import { ManualClock } from '../support/clock';
import { differencesOf } from '../support/differences';
import { keptBoard, keptLedger } from '../support/ledger';
import { freshPrefix } from '../support/redis';
import { sampled } from '../support/sampled';
import { seed } from '../support/seed';
import { batches, dayMs, firstMs, histories, momentsOf, ordersOf, redisOfProperty, send } from './histories';

const now = firstMs + 5 * dayMs;
const boards = ['day', 'week', 'month', 'year', 'all'] as const;
const moment = momentsOf(5);
const history = histories({
  members: ['ann', 'bob'],
  worth: { 'praise:1': 2, 'praise:2': 2, 'view:/': 1 },
  moment,
  grants: 2,
  sequences: [0, 0, 3],
  maxLength: 16,
});

/** Adds more than what any other takes, so that the order decides of no adjustment how much it takes. */
const adjustments = fc.array(
  fc.record({ points: fc.constantFrom(50, 100, -3, -1), occurredAtMs: moment, grantedAtMs: moment }),
  { maxLength: 4 },
);

describe('the times of boards', () => {
  const own = redisOfProperty();

  const open = (shards: number, ledgerRetentionMs: number | null) =>
    keptLedger(own.client, {
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
          const flat = await own.client.zrange(key, '0', '-1', 'WITHSCORES');
          for (let i = 0; i < flat.length; i += 2) found[`${board} ${period.key} ${flat[i]}`] = flat[i + 1] as string;
        }
      }
    }
    return found;
  };

  it('are the same in every order of grants, repetitions, revokes and adjustments, and verify proves them', async () => {
    const runs = fc.tuple(history, adjustments, fc.constantFrom(30 * dayMs, null)).chain(([set, added, retention]) => {
      const adjusts = added.map(({ points, occurredAtMs, grantedAtMs }, i): Transition => ({
        ...{ kind: 'adjust', member: i % 2 ? 'bob' : 'ann', field: adjustmentField(`a${i}`), note: 'because' },
        ...{ points, occurredAtMs, grantedAtMs },
      }));
      const plus = adjusts.filter(({ points }) => points > 0);
      const minus = plus.length === adjusts.length ? [] : adjusts.filter(({ points }) => points < 0);
      // Without anything to take from, it would depend on the order what an adjustment takes.
      const taken = minus.flatMap((one): Transition[] => [
        { ...one, field: adjustmentField(`base ${one.field}`), points: 10 },
        one,
      ]);
      return fc.record({
        before: fc.constant(taken),
        orders: ordersOf([...set, ...set, ...plus]),
        batch: batches,
        retention: fc.constant(retention),
      });
    });
    await fc.assert(
      fc.asyncProperty(runs, async ({ before, orders, batch, retention }) => {
        const ends = await Promise.all(
          [1, 8].map(async (shards, i) => {
            const ledger = open(shards, retention);
            await send(ledger, [...before, ...(orders[i] as Transition[])], batch);
            return { ledger, stands: await entries(ledger) };
          }),
        );
        const [one, other] = ends as [(typeof ends)[0], (typeof ends)[0]];
        expect(other.stands).toEqual(one.stands);
        expect(await differencesOf(own.client, one.ledger)).toEqual([]);
        const [[place, score] = [], ...others] = Object.entries(one.stands);
        if (place !== undefined && before.length === 0) {
          // Nothing is kept of who has no points.
          const [board = '', key = '', member = ''] = place.split(' ');
          const period = (await one.ledger.periods.written(board, { limit: 99 })).find((found) => found.key === key);
          const { keys, score: packed } = one.ledger.periods.boardPeriod(board, period as never, null);
          for (const [, found] of [[place, score] as const, ...others]) expect(Number(found)).toBeGreaterThan(0);
          expect(Number(score)).toBeGreaterThanOrEqual(packed.unit);
          // One tick less, or more where it is the first.
          await own.client.zincrby(keys[0] as string, Number(score) % packed.unit === packed.unit - 1 ? -1 : 1, member);
          expect(await differencesOf(own.client, one.ledger)).toMatchObject([
            { fault: 'time', board, period: key, member },
          ]);
          await differencesOf(own.client, one.ledger, { heals: true });
          expect(await entries(one.ledger)).toEqual(one.stands);
        }
        await own.client.flushdb();
        for (const { ledger } of ends) ledger.close();
      }),
      { numRuns: sampled({ sample: 10, deep: 100, full: 600 }), seed },
    );
  });
});
