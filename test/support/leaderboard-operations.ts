import type { Leaderboard, Order, Score, ScoreLayout, WriteCondition } from '@laurel/leaderboard';
import type { Update } from '@laurel/leaderboard/internals';
import { rankings } from '@laurel/leaderboard/internals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import type { ManualClock } from './clock';
import { layouts as contractLayouts, start } from './leaderboard-layouts';
import type { LeaderboardModel, ModelLayout } from './leaderboard-model';

export { start };

/** One layout of each kind, with what a {@link LeaderboardModel} must know of it. */
export const layouts = Object.fromEntries(contractLayouts.map(({ name, layout }) => [name, layout])) as Readonly<
  Record<ModelLayout, ScoreLayout<Score>>
>;
export const dimensionsOf = (order: Order): readonly Order[] => [order, 'asc'];

/** A board and the model that judges it. */
export interface Judged {
  readonly engine: Leaderboard<Score>;
  readonly model: LeaderboardModel<Score>;
  readonly layout: ModelLayout;
  /** What `setMany` does. */
  readonly update: Update;
  /** Theirs. */
  readonly clock: ManualClock;
}

/** More than any board here has. */
const everyone = 1_000;

/** Few scores and moments, so that ties and repetitions are met often. */
const points = fc.integer({ min: 0, max: 4 });
const only = fc.oneof(fc.constantFrom('better', 'different', 'present', 'absent'), fc.record({ score: points }));
const atMs = fc.integer({ min: 0, max: 3 }).map((offset) => start + offset);

/** Any write, of these members, and the passing of time. */
export function operationsOn(members: readonly string[]) {
  const member = fc.constantFrom(...members);
  const line = fc.record({ member, points, atMs });
  return fc.oneof(
    fc.record({ kind: fc.constantFrom('set', 'best', 'increment'), line }),
    fc.record({ kind: fc.constant('lower' as const), line }),
    fc.record({
      kind: fc.constant('setMany' as const),
      lines: fc.array(line, { maxLength: 6 }),
      only: fc.option(only),
    }),
    fc.record({ kind: fc.constant('only' as const), update: fc.constantFrom('set', 'best', 'increment'), only, line }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constant('remove' as const), members: fc.array(member, { maxLength: 3 }) }),
    fc.record({ kind: fc.constant('removeBetween' as const), min: points, max: points }),
  );
}

/** So many members at once, of few scores: more than a page is found among without counting. */
export function crowdOf(members: number): Operation {
  const lines = Array.from({ length: members }, (_, i) => ({
    member: `crowd-${i}`,
    points: (i * 7) % 5,
    atMs: start + (i % 3),
  }));
  return { kind: 'setMany', lines, only: null };
}

/** What {@link operationsOn} draws. */
export type Operation = ReturnType<typeof operationsOn> extends fc.Arbitrary<infer T> ? T : never;

const isVector = (layout: ModelLayout): boolean => layout === 'lexical';

/** A score of a layout for a small whole number. */
export const scoreOf = (layout: ModelLayout, n: number): Score => (isVector(layout) ? [n >> 1, n & 1] : n);

/** A drawn condition; one on a score names one of the layout. */
const conditionOf = (
  layout: ModelLayout,
  drawn: NonNullable<(Operation & { kind: 'only' })['only']>,
): WriteCondition => (typeof drawn === 'string' ? drawn : { score: scoreOf(layout, drawn.score) });

/** Performs a write on both, and compares what they answer. */
export async function perform(judged: Judged, operation: Operation): Promise<void> {
  const { engine, model, layout, update, clock } = judged;
  switch (operation.kind) {
    case 'setMany': {
      const lines = operation.lines.map(({ member, points: given, atMs: ms }) => ({
        ...{ member, score: scoreOf(layout, given), at: new Date(ms) },
      }));
      if (operation.only === null) {
        await engine.setMany(lines);
        model.writeAll(update, lines);
        return;
      }
      const condition = conditionOf(layout, operation.only);
      expect(await engine.setMany(lines, { only: condition })).toEqual(model.writeAll(update, lines, condition));
      return;
    }
    case 'remove':
      expect(await engine.remove(...operation.members)).toBe(model.remove(operation.members));
      return;
    case 'removeBetween': {
      const [min, max] = [scoreOf(layout, operation.min), scoreOf(layout, operation.max)];
      const gone = model.between(min, max).map(({ member }) => member);
      expect(await engine.removeBetween(min, max)).toBe(gone.length);
      model.remove(gone);
      return;
    }
    case 'only': {
      const { line } = operation;
      const condition = conditionOf(layout, operation.only);
      const score = scoreOf(layout, line.points);
      const at = new Date(line.atMs);
      const [expected] = model.writeAll(operation.update, [{ member: line.member, score, at }], condition);
      const written = await engine[operation.update](line.member, score, { at, only: condition });
      expect(written).toEqual(expected);
      return;
    }
    case 'wait':
      return clock.advance(operation.ms);
    case 'lower': {
      const { member, points: by, atMs: ms } = operation.line;
      const change = isVector(layout) ? [-by, -1] : -by;
      const present = [model.find(member)?.score ?? (isVector(layout) ? [0, 0] : 0)].flat();
      const write = engine.increment(member, change, new Date(ms));
      if (layout.startsWith('packed') && [change].flat().some((number, d) => (present[d] as number) + number < 0)) {
        await expect(write).rejects.toMatchObject({ code: 'scoreOutOfRange' });
        return;
      }
      await write;
      return model.write('increment', member, change, ms);
    }
    default: {
      const { member, points: given, atMs: ms } = operation.line;
      await engine[operation.kind](member, scoreOf(layout, given), new Date(ms));
      model.write(operation.kind, member, scoreOf(layout, given), ms);
    }
  }
}

/** Compares every entry. */
export async function compareEntries({ engine, model }: Judged): Promise<void> {
  expectSame(await engine.top(everyone), model.entries());
}

/** Compares every kind of read in every ranking. */
export async function compareReads(judged: Judged): Promise<void> {
  await Promise.all(rankings.map((ranking) => compareRanking(judged, ranking)));
}

async function compareRanking(judged: Judged, ranking: (typeof rankings)[number]): Promise<void> {
  const { engine, model, layout } = judged;
  const all = model.entries(ranking);
  const middle = all.length >> 1;
  const asked = all[middle]?.member ?? 'a';
  const lookedUp = ['a', 'b', 'c', asked];
  const [min, max] = [scoreOf(layout, 1), scoreOf(layout, 3)];
  const pages = async (first: Awaited<ReturnType<typeof engine.after>>) => [
    ...first.entries,
    ...(first.next === null ? [] : (await engine.after(first.next, everyone, { ranking })).entries),
  ];
  const read = await Promise.all([
    engine.top(everyone, { ranking }),
    engine.range(middle, 3, { ranking }),
    engine.entries(lookedUp, { ranking }),
    engine.ranks(lookedUp, { ranking }),
    engine.around(asked, { radius: 1, ranking }),
    engine.aroundWithSize(asked, { radius: 1, ranking }),
    engine.between(min, max, { ranking, offset: 1 }),
    engine.after(null, 2, { ranking }).then(pages),
    engine.page({ offset: 1 }, 2, { ranking }).then(pages),
  ]);
  expectSame(read, [
    all,
    all.slice(middle, middle + 3),
    lookedUp.map((name) => all.find(({ member }) => member === name) ?? null),
    lookedUp.map((name) => all.find(({ member }) => member === name)?.rank ?? null),
    model.around(asked, 1, ranking),
    { size: all.length, entries: model.around(asked, 1, ranking) },
    model.between(min, max, ranking).slice(1),
    all,
    all.slice(1),
  ]);
}

/** As `toEqual`, which takes its time to describe a difference, only where there is one. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
