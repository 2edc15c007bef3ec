import fc from 'fast-check';
import type { Ledger, Transition } from '@laurel/leaderboard';
import { ManualClock } from '../support/clock';
import { differencesOf, rebuildBoards } from '../support/differences';
import { keptBoard, keptLedger } from '../support/ledger';
import { freshPrefix } from '../support/redis';
import { sampled } from '../support/sampled';
import { seed } from '../support/seed';
import {
  adjustmentsOf,
  batches,
  dayMs,
  firstMs,
  histories,
  momentsOf,
  ordersOf,
  redisOfProperty,
  send,
  withAdjustments,
} from './histories';
import { FactsModel } from './facts-model';

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
const moment = momentsOf(5);
const history = histories({ members: ['ann', 'bob', 'cid'], worth, moment, grants: 2, maxLength: 24 });
const numRuns = sampled({ sample: 4, deep: 40, full: 300 });

interface Line {
  readonly member: string;
  readonly score: number;
}

const model = new FactsModel({ of: () => ({ once: 1, limits: [], boards: undefined }) }, 'UTC');

describe('points beyond the bounds of boards', () => {
  const own = redisOfProperty();

  const open = (shards: number) =>
    keptLedger(own.client, { prefix: freshPrefix(), shards, boards, clock: new ManualClock(now) });

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
  const expected = (set: readonly Transition[], ledger: Ledger): Record<string, Line[][]> => {
    const all: Record<string, (Line & { readonly sum: number })[]> = {};
    for (const [id, { points }] of Object.entries(model.sums(set, ledger))) {
      const [, board = '', key = '', member = ''] = /^([^:]+):(\S+) (.*)$/.exec(id) ?? [];
      const name = `${board} ${key}`;
      if (points > 0) (all[name] ??= []).push({ member, score: Math.min(points, mostOf(name)), sum: points });
    }
    return Object.fromEntries(
      Object.entries(all).map(([board, held]) => {
        const sums = [...new Set(held.map(({ sum }) => sum))].sort((a, b) => b - a);
        const groups = sums.map((of) =>
          held
            .filter(({ sum }) => sum === of)
            .map(({ member, score }) => ({ member, score }))
            .sort((a, b) => (a.member < b.member ? -1 : 1)),
        );
        return [board, groups];
      }),
    );
  };

  it('are what stands in every order, on 1 and 8 shards, as the model has them, and are rebuilt so', async () => {
    const runs = history.chain((set) => fc.record({ orders: ordersOf([...set, ...set]), batch: batches }));
    await fc.assert(
      fc.asyncProperty(runs, async ({ orders, batch }) => {
        const [one, many] = [open(1), open(8)];
        await Promise.all([send(one, orders[0], batch), send(many, orders[1], batch)]);
        const stands = await shown(one);
        expect(await shown(many)).toEqual(stands);
        const wanted = expected(orders[0], one);
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
        for (const ledger of [one, many]) expect(await differencesOf(own.client, ledger)).toEqual([]);
        await rebuildBoards(own.client, one);
        expect(await shown(one)).toEqual(stands);
        await own.client.flushdb();
        for (const ledger of [one, many]) ledger.close();
      }),
      { numRuns, seed },
    );
  });

  it('add up with adjustments, and verify proves it', async () => {
    const added = adjustmentsOf([5, -3, 2_000_000, -2_600_000], moment);
    const runs = fc.record({ order: fc.tuple(history, added), batch: batches });
    await fc.assert(
      fc.asyncProperty(runs, async ({ order, batch }) => {
        const ledger = open(2);
        await send(ledger, withAdjustments(...order), batch);
        expect(await differencesOf(own.client, ledger)).toEqual([]);
        const stands = await shown(ledger);
        await rebuildBoards(own.client, ledger);
        expect(await shown(ledger)).toEqual(stands);
        await own.client.flushdb();
        ledger.close();
      }),
      { numRuns, seed },
    );
  });
});
