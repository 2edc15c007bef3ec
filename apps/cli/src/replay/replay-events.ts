import { type ActivityChange, ActivityError, type ActivityService } from '@laurel/activity';
import { changesOf } from '@laurel/activity/internals';
import { LeaderboardError } from '@laurel/leaderboard';
import type { OutboxEvent, OutboxLog } from '@laurel/outbox';
import { CommandError, interruptedExitCode } from '../errors/command-error';
import { OutcomeCounts } from '../output/outcome-counts';
import { startProgress } from '../output/progress';
import type { Terminal } from '../output/terminal';
import { reasonOf } from '../errors/system-error';

/** How many events are read, and recorded, at once. */
const pageSize = 500;

type Recording = Pick<ActivityService, 'apply' | 'faultsOf'>;

/**
 * Records every event of the log, in its order. What this module would not take is named, and left out.
 * @param signal ends it between two pages.
 * @throws CommandError where Redis or the database is away for too long, or when interrupted: the same command, run
 * again, goes on safely.
 */
export async function replayEvents(
  log: Pick<OutboxLog, 'total' | 'handOver'>,
  activities: Recording,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<OutcomeCounts> {
  const counts = new OutcomeCounts();
  const progress = startProgress(terminal, 'Replaying', log.total);
  let done = 0;
  let left = 0;
  try {
    await log.handOver(pageSize, async (events) => {
      if (signal.aborted) return false;
      const changes = events.flatMap((event) => changeIn(event, activities) ?? []);
      counts.add(await activities.apply(changes));
      done += events.length;
      left += events.length - changes.length;
      progress.update(Math.min(done, log.total));
      return true;
    });
  } catch (cause) {
    throw new CommandError(`${whyCutShort(cause)}\n${howFar(done, log.total)}`, { cause });
  } finally {
    progress.stop();
  }
  if (signal.aborted) {
    throw new CommandError(`Interrupted. ${howFar(done, log.total)}`, { exitCode: interruptedExitCode });
  }
  if (left > 0) {
    terminal.err.write(`Left out, as no rule of these settings takes them: ${left.toLocaleString('en')}.\n`);
  }
  return counts;
}

/** The activity of an event; undefined if the module would refuse it. */
function changeIn({ body }: OutboxEvent, activities: Recording): ActivityChange | undefined {
  try {
    const changes = changesOf({ events: [body] });
    return activities.faultsOf(changes).length === 0 ? changes[0] : undefined;
  } catch (error) {
    if (error instanceof ActivityError) return undefined;
    throw error;
  }
}

/** Redis is asked by the module alone, whose errors are its own: what else fails is the reading of the outbox. */
function whyCutShort(cause: unknown): string {
  if (cause instanceof ActivityError || cause instanceof LeaderboardError) return cause.message;
  return `The database could not be read (${reasonOf(cause)}).`;
}

function howFar(done: number, total: number): string {
  const numbers = `At least ${done.toLocaleString('en')} of ${total.toLocaleString('en')} events are recorded.`;
  return `${numbers} Run the same command again: what is recorded already is not counted twice.`;
}
