import { ConsoleLogger } from '@nestjs/common';
import type { Variables } from '@laurel/settings';

/** How lines of the log are written: as JSON, for programs, or as text, for people. */
export const logFormats = ['json', 'text'] as const;
export type LogFormat = (typeof logFormats)[number];

export function isLogFormat(given: unknown): given is LogFormat {
  return logFormats.some((format) => format === given);
}

/** The format that the environment names: JSON in production, text elsewhere. A wrong value is refused elsewhere. */
export function logFormatFrom({ LAUREL_LOG: given, NODE_ENV: kind }: Variables): LogFormat {
  const named = given?.trim();
  if (isLogFormat(named)) return named;
  return kind?.trim() === 'production' ? 'json' : 'text';
}

/** What the app says: warnings and errors by Nest's logger, and a few lines of its own beside. */
export interface Log {
  /** For Nest, which would otherwise tell of each of its modules and routes. */
  readonly logger: ConsoleLogger;
  /** On standard output; `details` are fields of their own in JSON. */
  readonly say: (line: string, details?: Readonly<Record<string, unknown>>) => void;
  readonly warn: (line: string) => void;
  /** Why the process ends: the words alone, or an error with where it comes from. */
  readonly fail: (reason: unknown) => void;
}

export function createLog(format: LogFormat): Log {
  const logger = new ConsoleLogger({ logLevels: ['warn', 'error', 'fatal'], ...written(format) });
  if (format === 'text') {
    return {
      logger,
      say: (line) => console.log(line),
      warn: (line) => console.error(line),
      fail: (reason) => console.error(reason),
    };
  }
  const own = new ConsoleLogger('Community', { logLevels: ['log', 'warn', 'fatal'], ...written(format) });
  return {
    logger,
    say: (line, details = {}) => own.log(line, details),
    warn: (line) => own.warn(line),
    fail: (reason) => own.fatal(reason),
  };
}

/** Fields such as `requestId` stand beside the message, not in an object of their own. */
function written(format: LogFormat) {
  return format === 'json' ? { json: true, flattenParams: true } : {};
}
