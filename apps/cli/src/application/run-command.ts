import { ActivityError } from '@laurel/activity';
import { LeaderboardError } from '@laurel/leaderboard';
import { isNativeError } from 'node:util/types';
import { CommandError, interruptedExitCode } from '../errors/command-error';
import type { CommandContext } from './command-context';

/** The connections that a command opens, and closes in any case. */
export interface Closable {
  close(): Promise<void>;
}

/** A command's work, and what it says when it is interrupted. */
export interface CommandWork<App extends Closable, Done> {
  readonly open: (context: CommandContext) => Promise<App>;
  readonly work: (app: App) => Promise<Done>;
  /** The work done by then, and whether to run the command again. Default: `Interrupted.` */
  readonly interrupted?: () => string;
}

/**
 * Runs a command's work on what it opens.
 * @throws CommandError with the true reason of a failure, or if the command was interrupted. A fault of the program
 * itself is thrown unchanged.
 */
export async function runCommand<App extends Closable, Done>(
  context: CommandContext,
  { open, work, interrupted = () => 'Interrupted.' }: CommandWork<App, Done>,
): Promise<Done> {
  let app: App | undefined;
  try {
    app = await open(context);
    return await work(app);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    if (context.signal.aborted) throw new CommandError(interrupted(), { exitCode: interruptedExitCode });
    throw commandErrorOf(cause) ?? cause;
  } finally {
    await app?.close();
  }
}

/** The reason that a call of ours or of Redis failed, for operators; null for a fault of the program itself. */
export function commandErrorOf(cause: unknown): CommandError | null {
  if (cause instanceof ActivityError || cause instanceof LeaderboardError) {
    return new CommandError(cause.message, { cause });
  }
  if (!isNativeError(cause) || programFaults.has(cause.name)) return null;
  const who = 'severity' in cause ? 'The database' : 'Redis';
  return new CommandError(`${who} failed (${cause.message}): run the command again.`, { cause });
}

const programFaults: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError']);
