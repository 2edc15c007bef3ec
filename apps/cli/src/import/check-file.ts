import type { ActivityService } from '@laurel/activity';
import { CommandError, interruptedExitCode } from '../errors/command-error';
import { startProgress } from '../output/progress';
import type { Terminal } from '../output/terminal';
import type { ActivityFile } from './activity-file';
import { activityOf } from './activity-line';
import { linesOf } from './lines';

/** The content of a file without a bad line. */
export interface FileSummary {
  readonly activities: number;
  /** Activities without an `occurredAt`: they count as of the moment they are imported. */
  readonly undated: number;
}

/** How many bad lines are shown; all are counted. */
const shownLines = 20;

/**
 * Looks at every line before anything is imported, so that a file goes in whole or not at all.
 * @param signal breaks it off.
 * @throws CommandError naming the bad lines as file:line, and what is wrong with each; or when interrupted.
 */
export async function checkFile(
  file: ActivityFile,
  activities: Pick<ActivityService, 'faultsOf'>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<FileSummary> {
  const progress = startProgress(terminal, 'Checking', file.bytes, size);
  const shown: string[] = [];
  let good = 0;
  let bad = 0;
  let undated = 0;
  try {
    for await (const line of linesOf(file.read())) {
      if (signal.aborted)
        throw new CommandError('Interrupted: nothing was imported.', { exitCode: interruptedExitCode });
      progress.update(file.bytesDone);
      const activity = activityOf(line, activities);
      if ('change' in activity) {
        good += 1;
        if (!activity.change.occurredAt) undated += 1;
      } else if ((bad += 1) <= shownLines) {
        shown.push(`${file.name}:${line.number}: ${activity.faults.join('; ')}`);
      }
    }
  } finally {
    progress.stop();
  }
  if (bad === 0) return { activities: good, undated };
  const more = bad > shownLines ? [`... and ${bad - shownLines} more`] : [];
  const verdict = `${bad} of ${good + bad} lines cannot be imported, so nothing was: correct them and run the command again.`;
  throw new CommandError([...shown, ...more, verdict].join('\n'));
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
