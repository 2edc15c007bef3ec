import fc from 'fast-check';
import type { Ledger, LedgerBoard, Transition } from '@laurel/leaderboard';
import { ManualClock } from '../support/clock';
import { differencesOf, rebuildBoards } from '../support/differences';
import { keptBoard, keptLedger } from '../support/ledger';
import { sampled } from '../support/sampled';
import { seed } from '../support/seed';
import { batches, dayMs, firstMs, histories, momentsOf, ordersOf, redisOfProperty, send } from './histories';
import { FactsModel } from './facts-model';

const moment = momentsOf(5);
const cuts = ['day', 'month', 'all'] as const;
const numRuns = sampled({ sample: 4, deep: 15, full: 300 });

/** What a member has on a board: points as shown, and in all; since when, where no sum lies beyond exact moments. */
interface Line {
  readonly member: string;
  readonly score: number;
  readonly sum?: number;
  readonly reachedAtMs?: number;
}

const model = new FactsModel({ of: () => ({ once: 1, limits: [], boards: undefined }) }, 'UTC');

/** Equal sums beyond exact moments stand in any order: by their members here. */
const inOrder = (lines: readonly Line[]) =>
  [...lines].sort(
    (a, b) =>
      (b.sum ?? b.score) - (a.sum ?? a.score) ||
      (a.reachedAtMs ?? 0) - (b.reachedAtMs ?? 0) ||
      (a.member < b.member ? 1 : -1),
  );

describe.each([
  {
    what: 'points below zero',
    // Of each cut one with floor 0, and one with none.
    bounds: [{ floor: 0 }, { floor: null }] as const,
    worth: { 'praise:1': 2, 'view:/': 1, 'down:1': -1, 'down:2': -1, 'spam:1': -10 },
    history: { members: ['ann', 'bob', 'cid', 'dan'], sequences: [0, 0, 3] },
    range: [-4, 1] as const,
    hasMoments: true,
  },
  {
    what: 'points beyond the bounds of boards',
    // Of each cut one without a bound, one with a low one and one with a bound beyond what leaves moments exact.
    bounds: [{ maxPoints: null }, { maxPoints: 7 }, { maxPoints: 3_000_000 }],
    worth: {
      ...{ 'praise:1': 2, 'view:/': 1, 'prize:1': 5, 'prize:2': 2_500_000, 'prize:3': 3_000_000_001 },
      ...{ 'spam:1': -1, 'spam:2': -2_000_000 },
    },
    history: { members: ['ann', 'bob', 'cid'], grants: 2 },
    range: [7, 3_000_000] as const,
    hasMoments: false,
  },
])('bounds of boards, of $what', ({ bounds, worth, history: drawn, range: [low, high], hasMoments }) => {
  const own = redisOfProperty();
  const boards = cuts.flatMap((cut) =>
    bounds.map((bound, i): LedgerBoard => ({ ...keptBoard(cut), name: `${cut}-${i}`, ...bound })),
  );
  const history = histories({ worth, moment, maxLength: 24, ...drawn });

  const open = (shards: number) => {
    const clock = new ManualClock(firstMs + 5 * dayMs);
    return keptLedger(own.client, { shards, boards, clock });
  };

  /** What every board with entries shows, best first. */
  const shown = async (ledger: Ledger) => {
    const all: Record<string, Required<Omit<Line, 'sum'>>[]> = {};
    for (const { name } of boards) {
      for (const period of await ledger.periods.written(name, { limit: 99 })) {
        const entries = await ledger.board(name, period).top(9);
        if (entries.length === 0) continue;
        all[`${name} ${period.key}`] = entries.map(({ member, score, reachedAt }) => ({
          ...{ member, score },
          reachedAtMs: reachedAt?.getTime() ?? 0,
        }));
      }
    }
    return all;
  };

  /** As the model has it, with moments in the ticks of boards. */
  const expected = (set: readonly Transition[], ledger: Ledger) => {
    const all: Record<string, Line[]> = {};
    for (const [id, { points: sum, sinceMs, score: packed }] of Object.entries(model.sums(set, ledger))) {
      const [, board = '', key = '', member = ''] = /^([^:]+):(\S+) (.*)$/.exec(id) ?? [];
      const { floor = 0, maxPoints = null } = boards.find(({ name }) => name === board) ?? {};
      if (sum <= 0 && floor === 0) continue;
      const reachedAtMs = packed.originMs + Math.floor((sinceMs - packed.originMs) / packed.tickMs) * packed.tickMs;
      const line = { member, score: Math.min(sum, maxPoints ?? Infinity), sum, ...(hasMoments && { reachedAtMs }) };
      (all[`${board} ${key}`] ??= []).push(line);
    }
    return Object.fromEntries(Object.entries(all).map(([board, lines]) => [board, inOrder(lines)]));
  };

  it('are the same in every order of grants, repetitions and revokes, on 1 and 8 shards, as the model has them, and are rebuilt so', async () => {
    const runs = history.chain((set) => fc.record({ orders: ordersOf([...set, ...set]), batch: batches }));
    await fc.assert(
      fc.asyncProperty(runs, async ({ orders, batch }) => {
        const [one, many] = [open(1), open(8)];
        await Promise.all([send(one, orders[0], batch), send(many, orders[1], batch)]);
        const stands = await shown(one);
        expect(await shown(many)).toEqual(stands);
        const wanted = expected(orders[0], one);
        expect(Object.keys(stands).sort()).toEqual(Object.keys(wanted).sort());
        for (const [board, lines] of Object.entries(stands)) {
          const wantedLines = wanted[board] ?? [];
          const as = lines.map(({ reachedAtMs, ...line }, i) => ({
            ...{ ...line, sum: wantedLines[i]?.sum ?? NaN },
            ...(hasMoments && { reachedAtMs }),
          }));
          expect(hasMoments ? as : inOrder(as)).toEqual(wantedLines);
          const [name = '', key = ''] = board.split(' ');
          const reader = many.board(name, many.periods.parse(name, key));
          const scores = lines.map(({ score }) => score);
          const members = lines.map(({ member }) => member);
          expect(await reader.size()).toBe(lines.length);
          expect(await reader.countBetween(low, high)).toBe(scores.filter((of) => of >= low && of <= high).length);
          expect((await reader.between(-Infinity, low)).map(({ score }) => score)).toEqual(
            scores.filter((of) => of <= low),
          );
          expect(await reader.ranks(members, { ranking: 'competition' })).toEqual(
            scores.map((score) => scores.indexOf(score) + 1),
          );
          expect(await reader.ranks(members, { ranking: 'dense' })).toEqual(
            scores.map((score) => new Set(scores.filter((better) => better > score)).size + 1),
          );
          for (const [place, { member, score }] of lines.entries()) {
            expect(await reader.entry(member)).toMatchObject({ rank: place + 1, score });
            expect((await reader.around(member, { radius: 9 })).map((line) => line.member)).toEqual(members);
          }
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
});
