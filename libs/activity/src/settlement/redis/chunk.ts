import type { ArchivedEntry } from '../standings-archive';

/** Entries that are kept, and read, together. */
export const chunkSize = 128;

/** The chunk that holds a place. */
export function chunkOf(place: number): number {
  return Math.floor((place - 1) / chunkSize);
}

/**
 * Entries that follow one another, as text: the first one's competition and dense places, then of each the user, the score
 * and when it was reached. The other places follow from the scores.
 */
export function writeChunk(entries: readonly ArchivedEntry[]): string {
  const values: (string | number | null)[] = [];
  for (const { competition, dense, userId, score, reachedAtMs } of entries) {
    if (values.length === 0) values.push(competition, dense);
    values.push(userId, score, reachedAtMs);
  }
  return JSON.stringify(values);
}

/** The entries of the chunk numbered so. */
export function readChunk(number: number, text: string): ArchivedEntry[] {
  const [first = 1, firstDense = 1, ...values] = JSON.parse(text) as [number, number, ...(string | number | null)[]];
  const entries: ArchivedEntry[] = [];
  let competition = first;
  let dense = firstDense;
  for (let i = 0; i < values.length; i += 3) {
    const [userId, score, reachedAtMs] = values.slice(i, i + 3) as [string, number, number | null];
    const place = number * chunkSize + entries.length + 1;
    const before = entries[entries.length - 1];
    if (before && before.score !== score) {
      competition = place;
      dense += 1;
    }
    entries.push({ place, competition, dense, userId, score, reachedAtMs });
  }
  return entries;
}
