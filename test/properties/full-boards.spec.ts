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
const cuts = ['day', 'month', 'all'] as const;
const mosts = [null, 7, 3_000_000] as const;
/** Of each cut one without a bound, one with a low one and one with a bound beyond what leaves moments exact. */
const boards = cuts.flatMap((cut) =>
  mosts.map((maxPoints) => ({ ...keptBoard(cut), name: `${cut}-${maxPoints ?? 'any'}`, maxPoints })),
);
const worth: Readonly<Record<string, number>> = {
  'praise:1': 2,
  'view:/': 1,
  'prize:1': 5,
  'prize:2': 2_500_000,
  'prize:3': 3_000_000_001,
  'spam:1': -1,
  'spam:2': -2_000_000,
};
const moment = fc
  .tuple(fc.nat(4), fc.constantFrom(0, 1, 7, 3_600_000, dayMs - 1))
  .map(([day, offset]) => firstMs + day * dayMs + offset);

const history = fc.array(
  fc
    .record({
      member: fc.constantFrom('ann', 'bob', 'cid'),
      field: fc.constantFrom(...Object.keys(worth)),
      sort: fc.constantFrom('grant' as const, 'grant' as const, 'revoke' as const, 'dayRevoke' as const),
      occurredAtMs: moment,
      grantedAtMs: moment,
    })
    .map(({ sort, grantedAtMs, ...one }): Transition => ({
      ...one,
      kind: sort === 'grant' ? 'grant' : 'revoke',
      points: worth[one.field] as number,
      ...(sort === 'dayRevoke' && { grantedAtMs }),
    })),
  { minLength: 1, maxLength: 24 },
);

const adjustments = fc.array(
  fc.record({ points: fc.constantFrom(5, -3, 2_000_000, -2_600_000), occurredAtMs: moment, at: fc.nat(24) }),
  { maxLength: 3 },
);

interface Line {
  readonly member: string;
  readonly score: number;
}

describe('points beyond the bounds of boards', () => {
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

  const rebuilt = async (ledger: Ledger): Promise<void> => {
    for (const key of await redis.keys(`{${ledger.settings.prefix}:*}:board:*`)) await redis.del(key);
    await differences(ledger, true);
  };

  /** What every board shows, best first, with its moments. */
  const shown = async (ledger: Ledger) => {
    const all: Record<string, (Line & { readonly reachedAt: Date | null })[]> = {};
    for (const { name } of boards) {
      for (const period of await ledger.periods.written(name, { limit: 99 })) {
        const entries = await ledger.board(name, period).top(9);
        if (entries.length > 0) all[`${name} ${period.key}`] = entries.map(({ rank: _, ...line }) => line);
      }
    }
    return all;
  };

  const mostOf = (board: string) => boards.find(({ name }) => board.startsWith(`${name} `))?.maxPoints ?? Infinity;

  /** As the model has it: who has more is ahead, also of those who show as many. Of equal points the members. */
  const expected = (model: LedgerModel): Record<string, Line[][]> => {
    const all = Object.entries(model.standings()).map(([board, entries]) => {
      const held = Object.entries(entries).filter(([, { points }]) => points > 0);
      const sums = [...new Set(held.map(([, { points }]) => points))].sort((a, b) => b - a);
      const lines = sums.map((sum) =>
        held
          .filter(([, { points }]) => points === sum)
          .map(([member]) => ({ member, score: Math.min(sum, mostOf(board)) }))
          .sort((a, b) => (a.member < b.member ? -1 : 1)),
      );
      return [board, lines] as const;
    });
    return Object.fromEntries(all.filter(([, lines]) => lines.length > 0));
  };

  it('are what stands in every order, on 1 and 8 shards, as the model has them, and are rebuilt so', async () => {
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
        const stands = await shown(one);
        expect(await shown(many)).toEqual(stands);
        const wanted = expected(model);
        expect(Object.keys(stands).sort()).toEqual(Object.keys(wanted).sort());
        for (const [board, groups] of Object.entries(wanted)) {
          const lines = (stands[board] ?? []).map(({ member, score }) => ({ member, score }));
          let at = 0;
          for (const group of groups) {
            const own = lines.slice(at, (at += group.length));
            expect(own.sort((a, b) => (a.member < b.member ? -1 : 1))).toEqual(group);
          }
          const [name = '', key = ''] = board.split(' ');
          const reader = many.board(name, many.periods.parse(name, key));
          const scores = lines.map(({ score }) => score);
          expect(await reader.countBetween(7, 3_000_000)).toBe(
            scores.filter((score) => score >= 7 && score <= 3_000_000).length,
          );
          const members = (stands[board] ?? []).map(({ member }) => member);
          expect(await reader.ranks(members, { ranking: 'competition' })).toEqual(
            scores.map((score) => scores.indexOf(score) + 1),
          );
          expect(await reader.ranks(members, { ranking: 'dense' })).toEqual(
            scores.map((score) => new Set(scores.filter((better) => better > score)).size + 1),
          );
        }
        expect(await differences(one)).toEqual([]);
        expect(await differences(many)).toEqual([]);
        await rebuilt(one);
        expect(await shown(one)).toEqual(stands);
        await redis.flushdb();
        for (const ledger of [one, many]) ledger.close();
      }),
      { numRuns: sampled({ sample: 8, full: 300 }), seed },
    );
  });

  it('add up with adjustments, and verify proves it', async () => {
    const runs = fc.record({ set: history, added: adjustments, batch: fc.constantFrom(1, 3, 8) });
    await fc.assert(
      fc.asyncProperty(runs, async ({ set, added, batch }) => {
        const ledger = open(2);
        const order = [...set];
        added.forEach(({ points, occurredAtMs, at }, i) => {
          const own = { kind: 'adjust', field: adjustmentField(`a${i}`), note: 'because' } as const;
          const member = i % 2 ? 'bob' : 'ann';
          order.splice(at, 0, { ...own, member, points, occurredAtMs, grantedAtMs: occurredAtMs });
        });
        await send(ledger, order, batch);
        expect(await differences(ledger)).toEqual([]);
        const stands = await shown(ledger);
        await rebuilt(ledger);
        expect(await shown(ledger)).toEqual(stands);
        await redis.flushdb();
        ledger.close();
      }),
      { numRuns: sampled({ sample: 8, full: 300 }), seed },
    );
  });
});
