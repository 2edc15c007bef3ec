import type { WholeBoard } from '@laurel/leaderboard/internals';
import type { SettledPeriod, StandingsArchive } from './standings-archive';

/** The archive's draft, and the frozen board that it was read from. */
export interface ArchivedBoard {
  readonly archive: Pick<StandingsArchive, 'page' | 'erase'>;
  readonly board: Pick<WholeBoard, 'size' | 'walk'>;
  readonly settled: SettledPeriod;
  readonly pageSize: number;
  /** How often somebody was taken off boards since the archived entries began to be read. */
  readonly countErasures: () => Promise<number>;
  /** Throws where the work must not go on. */
  readonly assertGoingOn: () => void;
}

/**
 * Erases those from archived standings who were taken off the frozen board while these were written: an erasure takes
 * users off boards first, and finds in the archive only what is committed. Costs nothing where nobody was erased, the
 * size of the board where somebody was who is not on it, and a walk through both where somebody on it was.
 * @throws Error where more are missing than were erased: then the board has lost entries, and the archive is right.
 */
export async function eraseMeanwhileErased(archived: ArchivedBoard): Promise<void> {
  const { archive, board, settled, countErasures } = archived;
  const { leaderboard, period, total } = settled;
  if (!archive.erase || (await countErasures()) === 0) return;
  if ((await board.size()) === total) return;
  const missing = await missingFrom(archived);
  const erasures = await countErasures();
  if (missing.length > erasures) {
    throw new Error(`Of ${total} archived entries ${missing.length} are not on the board: ${erasures} were erased.`);
  }
  for (const userId of missing) await archive.erase(userId, { leaderboard, period });
}

/** The users who are archived and no longer on the board: both have one order. */
async function missingFrom({ archive, board, settled, pageSize, assertGoingOn }: ArchivedBoard): Promise<string[]> {
  const { leaderboard, period, total } = settled;
  const missing: string[] = [];
  const pages = board.walk(pageSize);
  let present: string[] = [];
  let next = 0;
  for (let offset = 0; offset < total; offset += pageSize) {
    assertGoingOn();
    for (const { userId } of await archive.page(leaderboard, period, offset, pageSize)) {
      if (next === present.length) {
        const page = await pages.next();
        present = page.done ? [] : page.value.map(({ member }) => member);
        next = 0;
      }
      if (present[next] === userId) next += 1;
      else missing.push(userId);
    }
  }
  await pages.return();
  return missing;
}
