import { ActivityError } from '@laurel/activity';
import { LeaderboardError } from '@laurel/leaderboard';
import { ServersError } from '@laurel/servers';
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
export function runUntilStopped(start: () => Promise<Running>): void {
  let isStopping = false;
  const starting = start();
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    console.error(`${signal}: stopping …`);
    const interrupted = endAfter(usualMs);
    try {
      const running = await starting;
      clearTimeout(interrupted);
      endAfter(running.stopWithinMs ?? usualMs);
      await running.stop();
      process.exit(0);
    } catch (error) {
      fail(error);
    }
  };
  process.on('SIGINT', (signal) => void stop(signal));
  process.on('SIGTERM', (signal) => void stop(signal));
  starting.catch((error: unknown) => {
    if (!isStopping) fail(error);
  });
}

function endAfter(ms: number): NodeJS.Timeout {
  return setTimeout(() => {
    console.error(`The app did not stop within ${ms / 1_000} s: ending the process.`);
    process.exit(1);
  }, ms);
}

function fail(error: unknown): never {
  console.error(isSelfExplaining(error) ? error.message : error);
  process.exit(1);
}

/** Errors that operators cause and mend: their messages say what to do, and a stack would hide it. */
function isSelfExplaining(error: unknown): error is Error {
  return [ActivityError, LeaderboardError, ServersError, StartError].some((type) => error instanceof type);
}
