import type { Readable } from 'node:stream';
import type { FoundConfig } from '../config/read-config';
import type { Terminal } from '../output/terminal';

/** The context of a command, with its arguments. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly stdin: Readable;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by SIGINT and SIGTERM: the command ends at its next step. */
  readonly signal: AbortSignal;
  /** The app's configuration file, read once. */
  readonly config: () => Promise<FoundConfig>;
}
