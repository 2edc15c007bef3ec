import type { Line } from '../order/order';
import type { Run } from './shard-lines';

/** How often a run or a place is read, at most, where lines move between two round trips. */
const maxTries = 5;

/** A run, and whether it is the one that was asked for. */
export interface Attempt extends Run {
  readonly isWhole: boolean;
}

/** Lines of each shard, in its order, that lie near a place of the merged order. */
export interface ShardLines {
  /** How many lines of all shards stand ahead of the first one wanted. */
  readonly ahead: number;
  /** How many of the merged lines stand ahead of it too. */
  readonly drop: number;
  readonly lines: readonly (readonly Line[])[];
  /** Whether the first one wanted is among them. */
  readonly isAtPlace: boolean;
}

/** Reads as many lines of each shard as `count` lines of the merged order need. */
export interface Wanted {
  readonly compare: (a: Line, b: Line) => number;
  readonly shards: number;
  /** How many merged lines are enough but for one case in thousands, and how many always are. */
  readonly expected: number;
  readonly most: number;
  readonly count: number;
}

/** Up to `count` lines of the merged order: of each shard its share is read, or all where one may hold more. */
export async function mergedLines(
  { compare, shards, expected, most, count }: Wanted,
  read: (share: number) => Promise<ShardLines>,
): Promise<Attempt> {
  let run: Attempt = { ahead: 0, lines: [], isWhole: true };
  for (const share of new Set([shareOf(expected, shards), most])) {
    const { ahead, drop, isAtPlace, lines: ofShards } = await read(share);
    const lines = ofShards
      .flat()
      .sort(compare)
      .slice(drop, drop + count);
    const last = lines[count - 1];
    // A shard may hold more where it gave all it was asked for and its last line is among those wanted.
    const isAll = ofShards.every((own) => {
      const end = own[share - 1];
      return end === undefined || (last !== undefined && compare(end, last) >= 0);
    });
    run = { ahead, lines, isWhole: isAll && isAtPlace };
    if (isAll) break;
  }
  return run;
}

/** How many of `count` lines a shard holds at most, but for one case in thousands: members are spread evenly. */
function shareOf(count: number, shards: number): number {
  const mean = count / shards;
  return Math.min(count, Math.ceil(mean + 3 * Math.sqrt(mean)) + 2);
}

/** Reads until what is read is what was asked for, a few times at most. */
export async function untilWhole<R extends Pick<Attempt, 'isWhole'> | null>(
  read: (tries: number) => Promise<R>,
): Promise<R> {
  for (let tries = 1; ; tries++) {
    const found = await read(tries);
    if (!found || found.isWhole || tries === maxTries) return found;
  }
}
