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
  const fail = (error: unknown): never => {
    // Errors that operators cause and mend: their messages say what to do, and a stack would hide it.
    const isSelfExplaining = [ActivityError, LeaderboardError, StartError].some((type) => error instanceof type);
    log.fail(isSelfExplaining ? (error as Error).message : error);
    process.exit(1);
  };
  const endAfter = (ms: number) =>
    setTimeout(() => fail(`The app did not stop within ${ms / 1_000} s: ending the process.`), ms);
  let isStopping = false;
  const starting = start();
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.warn(`${signal}: stopping …`);
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
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal));
  starting.catch((error: unknown) => {
    if (!isStopping) fail(error);
  });
}
