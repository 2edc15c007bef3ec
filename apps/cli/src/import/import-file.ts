import { type ActivityChange, type ActivityService, type Outcome } from '@laurel/activity';
import { commandErrorOf } from '../application/run-command';
import { CommandError, interruptedExitCode } from '../errors/command-error';
import { startProgress } from '../output/progress';
import type { Terminal } from '../output/terminal';
import type { ActivityFile } from './activity-file';
import { activityOf } from './activity-line';
import type { FileSummary } from './check-file';
import { linesOf } from './lines';
import { OutcomeCounts } from '../output/outcome-counts';

/** How many activities go to the module at once. */
const batchSize = 500;

/** How many such batches may be under way: enough for every shard to be busy, few enough to hold in memory. */
const batchesUnderWay = 4;

/**
 * Records every activity of a checked file, in the file's order.
 * @param signal ends it between two batches.
 * @throws CommandError if Redis is away for too long, or if interrupted: the same command, run again, goes on safely.
 */
export async function importFile(
  file: ActivityFile,
  { activities: total }: FileSummary,
  activities: Pick<ActivityService, 'apply' | 'faultsOf'>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<OutcomeCounts> {
  const counts = new OutcomeCounts();
  const progress = startProgress(terminal, 'Importing', total);
  const underWay: Promise<readonly Outcome[]>[] = [];
  const settleOldest = async (): Promise<void> => {
    counts.add((await underWay.shift()) ?? []);
    progress.update(counts.total);
  };
  const send = (changes: readonly ActivityChange[]): void => {
    const sent = activities.apply(changes);
    sent.catch(() => undefined); // seen where it is settled
    underWay.push(sent);
  };
  try {
    for await (const changes of batchesOf(file, activities)) {
      if (signal.aborted) break;
      send(changes);
      if (underWay.length === batchesUnderWay) await settleOldest();
    }
    while (underWay.length > 0) await settleOldest();
  } catch (cause) {
    await Promise.allSettled(underWay);
    const { message } = commandErrorOf(cause) ?? {};
    if (message === undefined || cause instanceof CommandError) throw cause;
    throw new CommandError(`${message}\n${howFar(counts.total, total)}`, { cause });
  } finally {
    progress.stop();
  }
  if (!signal.aborted) return counts;
  throw new CommandError(`Interrupted. ${howFar(counts.total, total)}`, { exitCode: interruptedExitCode });
}

async function* batchesOf(
  file: ActivityFile,
  activities: Pick<ActivityService, 'faultsOf'>,
): AsyncGenerator<readonly ActivityChange[]> {
  let batch: ActivityChange[] = [];
  for await (const line of linesOf(file.read())) {
    const activity = activityOf(line, activities);
    if ('faults' in activity)
      throw new CommandError(`${file.name} changed while it was imported: run the command again.`);
    batch.push(activity.change);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function howFar(done: number, total: number): string {
  const numbers = `At least ${done.toLocaleString('en')} of ${total.toLocaleString('en')} activities are recorded.`;
  return `${numbers} Run the same command again: what is recorded already is not counted twice.`;
}
