import type { Run } from './shard-lines';

/** How often a run or a place is read, at most, where lines move between two round trips. */
const maxTries = 5;

/** A run, and whether it is the one that was asked for. */
export interface Attempt extends Run {
  readonly isWhole: boolean;
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
