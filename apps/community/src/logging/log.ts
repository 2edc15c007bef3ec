import type { Variables } from '@laurel/settings';
import { ConsoleLogger } from '@nestjs/common';

/** How lines of the log are written: as JSON, for programs, or as text, for people. */
export type LogFormat = 'json' | 'text';

export const isLogFormat = (given: unknown): given is LogFormat => given === 'json' || given === 'text';

/** The format that the environment names: JSON in production, text elsewhere. A wrong value is refused elsewhere. */
export function logFormatFrom({ LAUREL_LOG: given, NODE_ENV: kind }: Variables): LogFormat {
  const named = given?.trim();
  if (isLogFormat(named)) return named;
  return kind?.trim() === 'production' ? 'json' : 'text';
}

/** The app's log: warnings and errors by Nest's logger, and a few lines of its own. */
export interface Log {
  /** For Nest, which would otherwise tell of each of its modules and routes. */
  readonly logger: ConsoleLogger;
  /** On standard output; `details` are fields of their own in JSON. */
  readonly say: (line: string, details?: Readonly<Record<string, string | number>>) => void;
  readonly warn: (line: string) => void;
  /** Why the process ends: the words alone, or an error with where it comes from. */
  readonly fail: (reason: unknown) => void;
}

export function createLog(format: LogFormat): Log {
  // Fields such as `requestId` stand beside the message, not in an object of their own.
  const written = format === 'json' ? { json: true, flattenParams: true } : {};
  const logger = new ConsoleLogger({ logLevels: ['warn', 'error', 'fatal'], ...written });
  const own = new ConsoleLogger('Community', { logLevels: ['log', 'warn', 'fatal'], ...written });
  const isText = format === 'text';
  return {
    logger,
    say: (line, details = {}) => {
      const shown = Object.entries(details).map(([name, value]) => `${name} ${value}`);
      if (isText) console.log(shown.length > 0 ? `${line} with ${shown.join(', ')}` : line);
      else own.log(line, details);
    },
    warn: (line) => (isText ? console.error(line) : own.warn(line)),
    fail: (reason) => (isText ? console.error(reason) : own.fatal(reason)),
  };
}
