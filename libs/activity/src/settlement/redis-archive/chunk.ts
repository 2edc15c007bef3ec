import type { ArchivedEntry } from '../archive/standings-archive';

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

/** What a chunk holds of each entry; a user who was erased is null. */
type ChunkValues = [number, number, ...(string | number | null)[]];

/** The entries of the chunk numbered so; null in the place of one whose user was erased. */
export function readChunk(number: number, text: string): (ArchivedEntry | null)[] {
  const [first = 1, firstDense = 1, ...values] = JSON.parse(text) as ChunkValues;
  const entries: (ArchivedEntry | null)[] = [];
  let competition = first;
  let dense = firstDense;
  let before: number | undefined;
  for (let i = 0; i < values.length; i += 3) {
    const [userId, score, reachedAtMs] = values.slice(i, i + 3) as [string | null, number, number | null];
    const place = number * chunkSize + entries.length + 1;
    if (before !== undefined && before !== score) {
      competition = place;
      dense += 1;
    }
    before = score;
    entries.push(userId === null ? null : { place, competition, dense, userId, score, reachedAtMs });
  }
  return entries;
}

/** The chunk without the name of the user at an index. */
export function withoutUser(text: string, index: number): string {
  const values = JSON.parse(text) as ChunkValues;
  values[2 + 3 * index] = null;
  return JSON.stringify(values);
}
