import { beforeLine } from './bound';
import type { BoardParts } from './board-parts';

/** Where a run of lines begins in each part, and how many of the first ones to drop after merging. */
export interface Start {
  readonly starts: readonly number[];
  readonly drop: number;
}

/** So many lines are rather read and dropped than counted away. */
const tolerance = 32;
/** Pivots a round: each is counted on every part. */
const maxPivots = 12;
/** A bracket halves in every round, and shrinks far faster where members are spread evenly; races alone come this far. */
const maxRounds = 64;

/**
 * Finds where the line at `offset` of the merged order stands in each part, without reading what stands before it: the
 * parts' own lines near the expected place are counted on all parts, which brackets the place, again and again. Two
 * round trips a round; members are spread evenly, so that two rounds are usual, whatever the offset.
 * @param low where the order begins in each part
 * @param high where it ends in each part
 */
export async function findOffset(
  parts: BoardParts,
  offset: number,
  low: readonly number[],
  high: readonly number[],
): Promise<Start> {
  const lows = [...low];
  const highs = [...high];
  const wanted = sum(low) + offset;
  for (let round = 0; round < maxRounds; round++) {
    const missing = wanted - sum(lows);
    const open = sum(highs) - sum(lows);
    if (missing <= tolerance || open <= 0) break;
    const share = Math.min(missing / open, 1);
    const pivots = widest(lows, highs).map((part) => {
      const [from, to] = [lows[part] as number, highs[part] as number];
      return { part, start: Math.min(from + Math.floor((to - from) * share), to - 1), count: 1 };
    });
    const lines = (await parts.slices(pivots)).map((slice) => slice[0]);
    const known = lines.flatMap((line, i) => (line ? [{ line, pivot: pivots[i] }] : []));
    if (known.length === 0) break;
    const counts = await parts.countAhead(known.map(({ line }) => beforeLine(line)));
    known.forEach(({ pivot }, i) => {
      const total = sum(counts.map((ofPart) => ofPart[i] as number));
      counts.forEach((ofPart, part) => {
        // A line that stands ahead of the wanted one is itself passed over: this moves on even where nothing else does.
        const passed = (ofPart[i] as number) + (total < wanted && part === pivot?.part ? 1 : 0);
        if (total <= wanted) lows[part] = Math.max(lows[part] as number, passed);
        else highs[part] = Math.min(highs[part] as number, passed);
      });
    });
  }
  return { starts: lows, drop: Math.max(0, wanted - sum(lows)) };
}

/** The parts with the widest brackets, at most {@link maxPivots}. */
function widest(lows: readonly number[], highs: readonly number[]): number[] {
  const width = (part: number): number => (highs[part] as number) - (lows[part] as number);
  return lows
    .map((_, part) => part)
    .filter((part) => width(part) > 0)
    .sort((a, b) => width(b) - width(a))
    .slice(0, maxPivots);
}

/** The sum of `numbers`. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
