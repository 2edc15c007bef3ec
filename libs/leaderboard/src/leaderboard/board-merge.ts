import { type BoardLayout, type BoardShards, type Line, type Score, walk } from '../board';
import { LeaderboardError, invalidArgument, scoreOutOfRange } from '../errors/errors';
import type { BoardWriter, WriteLine } from './board-writer';

/** How a member's weighted scores are combined: their sum, the least or the greatest. */
export type Aggregate = 'sum' | 'min' | 'max';

/** How boards are merged. */
export interface MergeOptions {
  /** Default `sum`. */
  readonly aggregate?: Aggregate;
}

/** A board that goes into another. */
export interface Source<S extends Score> {
  readonly shards: BoardShards<S>;
  readonly weight: number;
}

/** One source's score for a member. */
interface Contribution {
  readonly numbers: readonly number[];
  readonly atMs: number;
}

/** Lines in memory at a time, of each source. */
const linesAPage = 1_000;

const aggregates: readonly Aggregate[] = ['sum', 'min', 'max'];

/** @throws LeaderboardError `invalidArgument` unless `aggregate` is a known one. */
export function checkedAggregate(aggregate: Aggregate = 'sum'): Aggregate {
  if (aggregates.includes(aggregate)) return aggregate;
  throw invalidArgument(`aggregate is "${String(aggregate)}": use one of ${aggregates.join(', ')}.`);
}

/** @throws LeaderboardError `invalidArgument` unless the source's shards and scores are as the board's are. */
export function checkSource<S extends Score>({ shards, weight }: Source<S>, board: BoardShards<S>, at: number): void {
  const { count } = board;
  if (shards.count !== count) {
    throw invalidArgument(
      `Source ${at} lies in ${shards.count} shards, but this board in ${count}: only boards of one number go together.`,
    );
  }
  const [own, its] = [kindOf(board.layout), kindOf(shards.layout)];
  if (own !== its) {
    throw invalidArgument(
      `Source ${at} is ${its}, but this board ${own}: only boards of one kind of layout go together.`,
    );
  }
  if (typeof weight !== 'number' || !Number.isFinite(weight)) {
    throw invalidArgument(`The weight of source ${at} is ${weight}: use a finite number.`);
  }
}

/**
 * Writes one shard's merged entries into a build and says whether there are any. Every member is decided once, with its
 * first source; what the others hold of it is looked up.
 * @param everywhere only members that all sources hold
 */
export async function buildShard<S extends Score>(
  shard: number,
  sources: readonly Source<S>[],
  writer: BoardWriter<S>,
  options: { readonly layout: BoardLayout<S>; readonly aggregate: Aggregate; readonly everywhere: boolean },
): Promise<boolean> {
  const { layout, aggregate, everywhere } = options;
  let isEmpty = true;
  for (const [first, source] of sources.entries()) {
    if (everywhere && first > 0) break;
    for await (const page of walk(source.shards, [[shard]], linesAPage)) {
      const members = page.map((line) => source.shards.layout.read(line).member);
      const held = await Promise.all(
        sources.map((one, i) => (i === first ? Promise.resolve(page) : one.shards.find(members))),
      );
      const lines = members.flatMap((member, place): WriteLine[] => {
        const own = held.map((found) => found[place] ?? null);
        if (everywhere ? own.includes(null) : own.slice(0, first).some((line) => line !== null)) return [];
        const merged = (): Contribution => {
          const given = sources.flatMap((one, i): Contribution[] => (own[i] ? [weighted(one, own[i])] : []));
          return aggregated(given, aggregate);
        };
        return [{ member, argument: argumentOf(member, merged, layout) }];
      });
      if (lines.length === 0) continue;
      await writer.write('set', lines, { answers: false });
      await writer.letExpire(shard);
      isEmpty = false;
    }
  }
  return !isEmpty;
}

function argumentOf<S extends Score>(
  member: string,
  merged: () => Contribution,
  layout: BoardLayout<S>,
): WriteLine['argument'] {
  try {
    const { numbers, atMs } = merged();
    const score = (layout.dimensions > 0 ? numbers : numbers[0]) as S;
    return layout.argument(score, 'set', atMs);
  } catch (error) {
    if (!(error instanceof LeaderboardError)) throw error;
    throw new LeaderboardError(error.code, `${JSON.stringify(member)} cannot be merged. ${error.message}`);
  }
}

function weighted<S extends Score>({ shards, weight }: Source<S>, line: Line): Contribution {
  const { score, reachedAt }: { score: Score; reachedAt: Date | null } = shards.layout.read(line);
  const numbers = (typeof score === 'number' ? [score] : score).map((number) => made(number * weight));
  return { numbers, atMs: reachedAt?.getTime() ?? 0 };
}

/** A number, unless it is none, or infinite. */
function made(number: number): number {
  if (Number.isFinite(number)) return number;
  throw scoreOutOfRange('Its score leaves the range of doubles.');
}

function aggregated(given: readonly Contribution[], aggregate: Aggregate): Contribution {
  return given.reduce((a, b) => {
    if (aggregate === 'sum') {
      return {
        numbers: a.numbers.map((number, d) => made(number + (b.numbers[d] as number))),
        atMs: Math.max(a.atMs, b.atMs),
      };
    }
    const order = compareNumbers(a.numbers, b.numbers);
    if (order === 0) return a.atMs <= b.atMs ? a : b;
    return (aggregate === 'min' ? order < 0 : order > 0) ? a : b;
  });
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const d = a.findIndex((number, i) => number !== b[i]);
  return d < 0 ? 0 : (a[d] as number) - (b[d] as number);
}

function kindOf<S extends Score>({ writing, dimensions }: BoardLayout<S>): string {
  return dimensions > 0 ? `${writing.layout} of ${dimensions} dimensions` : writing.layout;
}
