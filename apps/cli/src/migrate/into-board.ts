import { Leaderboard } from '@laurel/leaderboard';
import { chunksOf } from '@laurel/leaderboard/internals';
import type { CommandContext } from '../application/command-context';
import type { OpenRedis } from '../application/open-redis';
import { startProgress } from '../output/progress';
import { scoresIn } from './check-entries';
import type { ReadingOptions } from './score-lines';
import type { SortedSet } from './sorted-set';
import { TakeoverCounts } from './takeover-counts';

/** A board of the engine that takes scores. */
export interface BoardTarget extends ReadingOptions {
  /** The `key` of a `Leaderboard`. */
  readonly board: string;
  readonly order: 'asc' | 'desc';
  readonly isDryRun: boolean;
  readonly leftOut: number;
}

/** Makes a `Leaderboard` of @laurel/leaderboard, of plain scores, what a sorted set is. */
export async function takeIntoBoard(
  { client }: Pick<OpenRedis, 'client'>,
  set: SortedSet,
  target: BoardTarget,
  { terminal, signal }: CommandContext,
): Promise<TakeoverCounts> {
  const { order, isDryRun, leftOut } = target;
  const board = new Leaderboard(client, { key: target.board, order });
  const counts = new TakeoverCounts(leftOut);
  const progress = startProgress(terminal, isDryRun ? 'Comparing' : 'Taking', set.size);
  try {
    let done = 0;
    for await (const page of set.pages()) {
      signal.throwIfAborted();
      const lines = scoresIn(page, target).map(({ userId, score }) => ({ member: userId, score }));
      const changed = isDryRun ? await differing(board, lines) : await write(board, lines);
      counts.addTaken(changed);
      counts.addUnchanged(lines.length - changed);
      done += page.length;
      progress.update(Math.min(done, set.size));
    }
    const gone: string[] = [];
    for await (const page of pagesOf(board)) {
      signal.throwIfAborted();
      const scores = await set.scores(page.map((member) => target.memberPrefix + member));
      gone.push(...page.filter((_, i) => scores[i] === null));
    }
    for (const members of isDryRun ? [] : chunksOf(gone, 500)) await board.remove(...members);
    counts.addGone(gone.length);
  } finally {
    progress.stop();
  }
  return counts;
}

type Line = Readonly<{ member: string; score: number }>;

async function write(board: Leaderboard, lines: readonly Line[]): Promise<number> {
  const answers = await board.setMany(lines, { only: 'different' });
  return answers.filter((answer) => answer?.written).length;
}

async function differing(board: Leaderboard, lines: readonly Line[]): Promise<number> {
  const entries = await board.entries(lines.map(({ member }) => member));
  return lines.filter(({ score }, i) => entries[i]?.score !== score).length;
}

async function* pagesOf(board: Leaderboard): AsyncGenerator<string[]> {
  for (let cursor: string | null = null; ;) {
    const page = await board.after(cursor, 500);
    if (page.entries.length > 0) yield page.entries.map(({ member }) => member);
    if (page.next === null) return;
    cursor = page.next;
  }
}
