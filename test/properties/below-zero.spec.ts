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
const moment = momentsOf(5);
const history = histories({
  members: ['ann', 'bob', 'cid', 'dan'],
  worth,
  moment,
  sequences: [0, 0, 3],
  maxLength: 24,
});
const numRuns = sampled({ sample: 4, deep: 40, full: 300 });

interface Shown {
  readonly member: string;
  readonly score: number;
  readonly reachedAtMs: number;
}

const model = new FactsModel({ of: () => ({ once: 1, limits: [], boards: undefined }) }, 'UTC');

describe('points below zero', () => {
  const own = redisOfProperty();

  const open = (shards: number) =>
    keptLedger(own.client, { prefix: freshPrefix(), shards, boards, clock: new ManualClock(now) });

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

  /** As the model has it, with moments in the ticks of boards. */
  const expected = (set: readonly Transition[], ledger: Ledger): Record<string, Shown[]> => {
    const all: Record<string, Shown[]> = {};
    for (const [id, { points, sinceMs, score }] of Object.entries(model.sums(set, ledger))) {
      const [, board = '', key = '', member = ''] = /^([^:]+):(\S+) (.*)$/.exec(id) ?? [];
      if (points <= 0 && !board.endsWith('-deep')) continue;
      const ticks = Math.floor((sinceMs - score.originMs) / score.tickMs);
      const line = { member, score: points, reachedAtMs: score.originMs + ticks * score.tickMs };
      (all[`${board} ${key}`] ??= []).push(line);
    }
    for (const lines of Object.values(all)) {
      lines.sort((a, b) => b.score - a.score || a.reachedAtMs - b.reachedAtMs || (a.member < b.member ? 1 : -1));
    }
    return all;
  };

  const withEntries = (all: Record<string, Shown[]>) =>
    Object.fromEntries(Object.entries(all).filter(([, lines]) => lines.length > 0));

  it('are the same in every order of grants, repetitions and revokes, on 1 and 8 shards, and as the model has them', async () => {
    const runs = history.chain((set) => fc.record({ orders: ordersOf([...set, ...set]), batch: batches }));
    await fc.assert(
      fc.asyncProperty(runs, async ({ orders, batch }) => {
        const [one, many] = [open(1), open(8)];
        await Promise.all([send(one, orders[0], batch), send(many, orders[1], batch)]);
        const stands = withEntries(await shown(one));
        const wanted = expected(orders[0], one);
        expect(stands).toEqual(wanted);
        expect(withEntries(await shown(many))).toEqual(stands);
        for (const [board, lines] of Object.entries(wanted)) {
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
        for (const ledger of [one, many]) expect(await differencesOf(own.client, ledger)).toEqual([]);
        await rebuildBoards(own.client, one);
        expect(withEntries(await shown(one))).toEqual(stands);
        await own.client.flushdb();
        for (const ledger of [one, many]) ledger.close();
      }),
      { numRuns, seed },
    );
  });

  it('add up with adjustments, whatever these took, and verify proves it', async () => {
    const added = adjustmentsOf([5, -3, -1], moment);
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
