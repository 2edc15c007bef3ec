import { ActivityError } from '@laurel/activity';
import { LeaderboardError } from '@laurel/leaderboard';
import type { Log } from '../logging/log';
import { StartError } from './start-error';

/** How long an interrupted start may take before the process is ended. */
const usualMs = 25_000;

/** Something that runs until it is told to stop. */
export interface Running {
  /** How long {@link stop} may take before the process is ended. Default 25 seconds. */
  readonly stopWithinMs?: number;
  stop(): Promise<void>;
}

/**
 * Starts something and stops it in order on SIGINT and SIGTERM, also in the middle of its start; a second signal ends
 * the process at once. A start that fails prints one line if the line says what to do, and the process exits with 1.
 */
export function runUntilStopped(start: () => Promise<Running>, log: Log): void {
  let isStopping = false;
  const starting = start();
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.warn(`${signal}: stopping …`);
    const interrupted = endAfter(usualMs, log);
    try {
      const running = await starting;
      clearTimeout(interrupted);
      endAfter(running.stopWithinMs ?? usualMs, log);
      await running.stop();
      process.exit(0);
    } catch (error) {
      fail(error, log);
    }
  };
  process.on('SIGINT', (signal) => void stop(signal));
  process.on('SIGTERM', (signal) => void stop(signal));
  starting.catch((error: unknown) => {
    if (!isStopping) fail(error, log);
  });
}

function endAfter(ms: number, log: Log): NodeJS.Timeout {
  return setTimeout(() => {
    log.fail(`The app did not stop within ${ms / 1_000} s: ending the process.`);
    process.exit(1);
  }, ms);
}

function fail(error: unknown, log: Log): never {
  log.fail(isSelfExplaining(error) ? error.message : error);
  process.exit(1);
}

/** Errors that operators cause and mend: their messages say what to do, and a stack would hide it. */
function isSelfExplaining(error: unknown): error is Error {
  return [ActivityError, LeaderboardError, StartError].some((type) => error instanceof type);
}
