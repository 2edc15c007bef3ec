import { startProgress, type Progress } from '../output/progress';
import type { CommandContext } from './command-context';
import { openActivity, type OpenActivity } from './open-activity';
import type { Access } from './access';
import { runCommand } from './run-command';

/** How a long read tells how far it is, and is told to break off. */
export interface ReadHooks {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** The name of a long read in its progress, and the part of the data that it needs. */
export interface LongRead<Read> {
  readonly title: string;
  /** Default: it only reads. */
  readonly access?: Access;
  readonly read: (app: OpenActivity, hooks: ReadHooks) => Promise<Read>;
  /** As in {@link runCommand}. */
  readonly interrupted?: () => string;
}

/**
 * Opens the app, reads with a progress bar, and closes it again.
 * @throws CommandError as {@link runCommand}.
 */
export async function longRead<Read>(
  context: CommandContext,
  { title, access = 'reads', read, interrupted }: LongRead<Read>,
): Promise<Read> {
  let progress: Progress | undefined;
  const hooks: ReadHooks = {
    signal: context.signal,
    onProgress(done, total) {
      progress ??= startProgress(context.terminal, title, total);
      progress.update(done, total);
    },
  };
  try {
    return await runCommand(context, {
      open: () => openActivity(context, access),
      work: (app) => read(app, hooks),
      ...(interrupted && { interrupted }),
    });
  } finally {
    progress?.stop();
  }
}
