import type { Readable } from 'node:stream';
import type { FoundConfig } from '../config/read-config';
import type { Terminal } from '../output/terminal';

/** What a command is given beside its arguments. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly stdin: Readable;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by SIGINT and SIGTERM: the command ends at its next step. */
  readonly signal: AbortSignal;
  /** What the app's configuration file says; it is read once. */
  readonly config: () => Promise<FoundConfig>;
}
