import { ActivityError } from '@laurel/activity';
import { CommandError, interruptedExitCode } from '../command-error';
import { startProgress, type Progress } from '../output/progress';
import type { Terminal } from '../output/terminal';
import { openActivity, type OpenActivity } from './open-activity';

/** What a command that reads is given beside its arguments. */
export interface ReadContext {
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** How a long read tells how far it is, and is told to break off. */
export interface ReadHooks {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Opens the app, reads with a progress bar, and closes it again.
 * @throws CommandError of what the app refuses, and where it was interrupted.
 */
export async function longRead<Read>(
  { env, terminal, signal }: ReadContext,
  title: string,
  read: (app: OpenActivity, hooks: ReadHooks) => Promise<Read>,
): Promise<Read> {
  const app = await openActivity(env, terminal);
  let progress: Progress | undefined;
  try {
    return await read(app, {
      signal,
      onProgress(done, total) {
        progress ??= startProgress(terminal, title, total);
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
