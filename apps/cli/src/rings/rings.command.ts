import { ActivityError, RingReport, type ReportedRings } from '@laurel/activity';
import { Command, InvalidArgumentError } from 'commander';
import { openActivity } from '../application/open-activity';
import { CommandError, interruptedExitCode } from '../command-error';
import { startProgress, type Progress } from '../output/progress';
import type { Terminal } from '../output/terminal';
import { ringsTable } from './rings-table';

const help = `
A pair is two users of whom each did the action to the other's subjects at least --min times in the period; a ring is three
to five of whom each did it to the next, and the last to the first. That they stand here proves nothing: look at them.

Who received what is read from the ledgers of the period's days, of the users who stand on its leaderboard. It is there for
actions whose rules have "grants" to the owner, and where activities name the owner of their subject.`;

/** What the command is given beside its arguments. */
export interface RingsContext {
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

interface Options {
  readonly period: string;
  readonly action: string;
  readonly min: number;
  readonly top: number;
  readonly json?: boolean;
}

/** `rings --period <period>` */
export function ringsCommand(context: RingsContext): Command {
  return new Command('rings')
    .summary('show pairs and small rings of users who praise one another')
    .description('Finds pairs and rings of up to five users who praise one another beyond a threshold.')
    .requiredOption('--period <period>', 'current, previous, or a key such as 2026-11')
    .option('--action <action>', 'what they do to one another', 'praise')
    .option('--min <count>', 'how often each does it to the next, at least', wholeFrom(1, 1_000_000), 5)
    .option('--top <count>', 'how many rings to print, 1 to 10000', wholeFrom(1, 10_000), 100)
    .option('--json', 'print JSON instead of a table')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const { out, err } = context.terminal;
      const report = await run(options, context);
      out.write(`${options.json ? JSON.stringify(report) : ringsTable(report)}\n`);
      if (report.isPartial) err.write('There are too many rings among them to find all: raise --min.\n');
    });
}

async function run(
  { period, action, min, top }: Options,
  { env, terminal, signal }: RingsContext,
): Promise<ReportedRings> {
  const app = await openActivity(env, terminal);
  let progress: Progress | undefined;
  try {
    return await app.get(RingReport).run({
      period,
      action,
      min,
      top,
      signal,
      onProgress(done, total) {
        progress ??= startProgress(terminal, 'Reading', total);
        progress.update(done);
      },
    });
  } catch (cause) {
    if (signal.aborted) throw new CommandError('Interrupted.', { exitCode: interruptedExitCode });
    if (!(cause instanceof ActivityError)) throw cause;
    throw new CommandError(cause.message, { cause });
  } finally {
    progress?.stop();
    await app.close();
  }
}

function wholeFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (/^\d+$/.test(text) && count >= min && count <= max) return count;
    throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
  };
}
