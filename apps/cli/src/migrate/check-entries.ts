import type { SourceScore } from '../takeover/score-takeover';
import { CommandError, interruptedExitCode } from '../errors/command-error';
import { startProgress } from '../output/progress';
import type { Terminal } from '../output/terminal';
import { lineOf, type ReadingOptions } from './score-lines';
import type { SortedSet, SourceEntry } from './sorted-set';

/** How many bad entries are shown; all are counted. */
const shownEntries = 20;

/**
 * Looks at every entry before anything is taken over; counts those that are to be left out.
 * @throws CommandError naming the bad entries, unless they may be left out; or when interrupted.
 */
export async function checkEntries(
  set: SortedSet,
  options: ReadingOptions & { readonly leavesOut: boolean },
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const progress = startProgress(terminal, 'Checking', set.size);
  const shown: string[] = [];
  let bad = 0;
  let looked = 0;
  try {
    for await (const page of set.pages()) {
      if (signal.aborted)
        throw new CommandError('Interrupted: nothing was taken over.', { exitCode: interruptedExitCode });
      for (const entry of page) {
        const line = lineOf(entry, options);
        if ('fault' in line && (bad += 1) <= shownEntries) shown.push(line.fault);
      }
      looked += page.length;
      progress.update(Math.min(looked, set.size));
    }
  } finally {
    progress.stop();
  }
  if (bad === 0 || options.leavesOut) return bad;
  const more = bad > shownEntries ? [`... and ${bad - shownEntries} more`] : [];
  const verdict = `${bad} entries cannot be taken over, so nothing was: correct them, or leave them out with --leave-out.`;
  throw new CommandError([...shown, ...more, verdict].join('\n'));
}

/** The scores of a page whose entries are good. */
export function scoresIn(page: readonly SourceEntry[], options: ReadingOptions): SourceScore[] {
  return page.flatMap((entry) => {
    const line = lineOf(entry, options);
    return 'fault' in line ? [] : [line];
  });
}
