import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { LedgerAudit, type AuditDifference, type Ledger, type Transition } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import { ManualClock } from '../support/clock';
import { keptBoard, keptLedger } from '../support/ledger';
import { freshPrefix, ownRedis } from '../support/redis';
import { sampled } from '../support/sampled';
import { announceSeed, seed } from '../support/seed';
import { LedgerModel } from './ledger-model';

const dayMs = 86_400_000;
/** Two months, two weeks; ahead, so that nothing expires. */
const firstMs = Date.parse('2036-10-29T00:00:00Z');
const now = firstMs + 5 * dayMs;
const cuts = ['day', 'week', 'month', 'all'] as const;
/** Each twice: with floor 0, and with none. */
const boards = cuts.flatMap((cut) => [
  keptBoard(cut),
  { ...keptBoard(cut), name: `${cut}-deep`, floor: null } as const,
]);
const worth: Readonly<Record<string, number>> = {
  'praise:1': 2,
  'view:/': 1,
  'down:1': -1,
  'down:2': -1,
  'spam:1': -10,
};
const moment = fc
  .tuple(fc.nat(4), fc.constantFrom(0, 1, 7, 3_600_000, dayMs - 1))
  .map(([day, offset]) => firstMs + day * dayMs + offset);

const history = fc.array(
  fc
    .record({
      member: fc.constantFrom('ann', 'bob', 'cid', 'dan'),
      field: fc.constantFrom(...Object.keys(worth)),
      sort: fc.constantFrom(
        'grant' as const,
        'grant' as const,
        'grant' as const,
        'revoke' as const,
        'dayRevoke' as const,
      ),
      occurredAtMs: moment,
      grantedAtMs: moment,
      sequence: fc.constantFrom(0, 0, 3),
    })
    .map(({ sort, grantedAtMs, ...one }): Transition => ({
      ...one,
      kind: sort === 'grant' ? 'grant' : 'revoke',
      points: worth[one.field] as number,
      ...(sort === 'dayRevoke' && { grantedAtMs }),
    })),
  { minLength: 1, maxLength: 24 },
);

const adjustments = fc.array(fc.record({ points: fc.constantFrom(5, -3, -1), occurredAtMs: moment, at: fc.nat(24) }), {
  maxLength: 3,
});

interface Shown {
  readonly member: string;
  readonly score: number;
  readonly reachedAtMs: number;
}

describe('points below zero', () => {
  const server = ownRedis();
  let redis: Redis;
  beforeAll(() => {
    announceSeed();
    redis = server.connect();
  });

  const open = (shards: number) =>
    keptLedger(redis, { prefix: freshPrefix(), shards, boards, clock: new ManualClock(now) });

  const send = async (ledger: Ledger, order: readonly Transition[], batch: number) => {
    for (let at = 0; at < order.length; at += batch) await ledger.apply(order.slice(at, at + batch));
  };

  const differences = async (ledger: Ledger, heals = false): Promise<AuditDifference[]> => {
    const found: AuditDifference[] = [];
    const onDifference = (one: AuditDifference) => found.push(one);
    await new LedgerAudit(redis, ledger, { countsOn: () => null, heals, onDifference }).run();
    return found;
  };

  /** What every board shows, best first. */
  const shown = async (ledger: Ledger): Promise<Record<string, Shown[]>> => {
    const all: Record<string, Shown[]> = {};
    for (const { name } of boards) {
      for (const period of await ledger.periods.written(name, { limit: 99 })) {
        const entries = await ledger.board(name, period).top(9);
        all[`${name} ${period.key}`] = entries.map(({ member, score, reachedAt }) => ({
          ...{ member, score },
          reachedAtMs: reachedAt?.getTime() ?? 0,
        }));
      }
    }
    return all;
  };

  const expected = (model: LedgerModel): Record<string, Shown[]> => {
    const all = Object.entries(model.standings()).map(([board, entries]) => {
      const isDeep = board.includes('-deep ');
      const lines = Object.entries(entries)
        .map(([member, { points, reachedAtMs }]) => ({ member, score: points, reachedAtMs }))
        .filter(({ score }) => isDeep || score > 0)
        .sort((a, b) => b.score - a.score || a.reachedAtMs - b.reachedAtMs || (a.member < b.member ? 1 : -1));
      return [board, lines] as const;
    });
    return Object.fromEntries(all.filter(([, lines]) => lines.length > 0));
  };

  const withEntries = (all: Record<string, Shown[]>) =>
    Object.fromEntries(Object.entries(all).filter(([, lines]) => lines.length > 0));

  const tickOf = (ledger: Ledger, board: string) => {
    const [name = '', key = ''] = board.split(' ');
    return ledger.periods.boardPeriod(name, ledger.periods.parse(name, key), null).score;
  };

  it('are the same in every order of grants, repetitions and revokes, on 1 and 8 shards, and as the model has them', async () => {
    const runs = history.chain((set) => {
      const all = [...set, ...set];
      const shuffled = fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
      return fc.record({ orders: fc.tuple(shuffled, shuffled), batch: fc.constantFrom(1, 3, 8) });
    });
    await fc.assert(
      fc.asyncProperty(runs, async ({ orders, batch }) => {
        const [one, many] = [open(1), open(8)];
        const model = new LedgerModel({ timezone: 'UTC', boards, clockSkewMs: 300_000 });
        await Promise.all([send(one, orders[0], batch), send(many, orders[1], batch)]);
        for (const transition of orders[0]) model.deliver(transition, now);
        const stands = withEntries(await shown(one));
        const wanted = Object.entries(expected(model)).map(([board, lines]) => {
          const { originMs, tickMs } = tickOf(one, board);
          const inTicks = lines.map((line) => ({
            ...line,
            reachedAtMs: originMs + Math.floor((line.reachedAtMs - originMs) / tickMs) * tickMs,
          }));
          inTicks.sort((a, b) => b.score - a.score || a.reachedAtMs - b.reachedAtMs || (a.member < b.member ? 1 : -1));
          return [board, inTicks] as const;
        });
        expect(stands).toEqual(Object.fromEntries(wanted));
        expect(withEntries(await shown(many))).toEqual(stands);
        for (const [board, lines] of wanted) {
          const [name = '', key = ''] = board.split(' ');
          const reader = many.board(name, many.periods.parse(name, key));
          expect(await reader.size()).toBe(lines.length);
          expect(await reader.countBetween(-4, 1)).toBe(lines.filter(({ score }) => score >= -4 && score <= 1).length);
          expect((await reader.between(-Infinity, 0)).map(({ score }) => score)).toEqual(
            lines.filter(({ score }) => score <= 0).map(({ score }) => score),
          );
          for (const [place, { member, score }] of lines.entries()) {
            expect(await reader.entry(member)).toMatchObject({ rank: place + 1, score });
            expect(await reader.rank(member, { ranking: 'dense' })).toBe(
              new Set(
                lines
                  .slice(0, place)
                  .map((line) => line.score)
                  .filter((ahead) => ahead > score),
              ).size + 1,
            );
            expect((await reader.around(member, { radius: 9 })).map((line) => line.member)).toEqual(
              lines.map((line) => line.member),
            );
          }
        }
        expect(await differences(one)).toEqual([]);
        expect(await differences(many)).toEqual([]);
        // A rebuild restores them from nothing.
        for (const key of await redis.keys(`{${one.settings.prefix}:*}:board:*`)) await redis.del(key);
        await differences(one, true);
        expect(withEntries(await shown(one))).toEqual(stands);
        await redis.flushdb();
        for (const ledger of [one, many]) ledger.close();
      }),
      { numRuns: sampled({ sample: 10, full: 300 }), seed },
    );
  });

  it('add up with adjustments, whatever these took, and verify proves it', async () => {
    const runs = fc.record({ set: history, added: adjustments, batch: fc.constantFrom(1, 3, 8) });
    await fc.assert(
      fc.asyncProperty(runs, async ({ set, added, batch }) => {
        const ledger = open(2);
        const order = [...set];
        added.forEach(({ points, occurredAtMs, at }, i) => {
          const own = { kind: 'adjust', field: adjustmentField(`a${i}`), note: 'because' } as const;
          order.splice(at, 0, {
            ...own,
            member: i % 2 ? 'bob' : 'ann',
            points,
            occurredAtMs,
            grantedAtMs: occurredAtMs,
          });
        });
        await send(ledger, order, batch);
        expect(await differences(ledger)).toEqual([]);
        const stands = await shown(ledger);
        for (const key of await redis.keys(`{${ledger.settings.prefix}:*}:board:*`)) await redis.del(key);
        await differences(ledger, true);
        expect(await shown(ledger)).toEqual(stands);
        await redis.flushdb();
        ledger.close();
      }),
      { numRuns: sampled({ sample: 10, full: 300 }), seed },
    );
  });
});
