import { LeaderboardError } from '@laurel/leaderboard';
import { ActivityError } from '../errors/errors';
import { causesOf } from './sql-state';

/** The command that finds what to set. */
export const doctor = '"npx --no laurel doctor" says what to set.';

/** Replies of a Redis that will answer soon: it loads, fails over or is busy. */
const passing: ReadonlySet<string> = new Set([
  'LOADING',
  'READONLY',
  'MASTERDOWN',
  'CLUSTERDOWN',
  'TRYAGAIN',
  'BUSY',
  'NOREPLICAS',
]);

/** Codes that concern every write to a server; all others concern a key, or a call. */
export const ofServer: ReadonlySet<string> = new Set(['OOM', 'NOPERM', 'NOAUTH', 'READONLY', 'MISCONF', 'NOREPLICAS']);

/** Errors of the language, by name, as those of another realm are of another class: faults of a program. */
const ofPrograms = /^(TypeError|RangeError|ReferenceError|SyntaxError|EvalError|URIError|AssertionError)$/;

/** Errors of ioredis that have a name of their own. */
const ofClient = /^(ReplyError|AbortError|InterruptError|MaxRetriesPerRequestError|ClusterAllFailedError)$/;

/** ioredis' messages about the connection in errors that have neither a name nor a code. */
const ofConnection =
  /^(Connection is closed|Command timed out|Socket timeout|timeout$|connect ETIMEDOUT|Stream isn't writeable|Cluster isn't ready|Cluster is disconnect|Node is disconnected|None of (the )?startup nodes|No master node|Failed to refresh slots|Too many Cluster redirections)/;

/**
 * Whether a call of Redis failed because of Redis or the network. All other faults are bugs, which must not be reported
 * as if Redis were away.
 */
export function isRedisFault(error: unknown): error is Error {
  if (error instanceof LeaderboardError) return error.code === 'unavailable';
  if (!isOutside(error)) return false;
  const hasCode = 'code' in error && typeof error.code === 'string';
  return hasCode || ofClient.test(error.name) || (error.name === 'Error' && ofConnection.test(error.message));
}

/** Whether an error is neither ours nor of a program; also one of another realm, whose `Error` is another class. */
export function isOutside(error: unknown): error is Error {
  const isError = error instanceof Error || Object.prototype.toString.call(error) === '[object Error]';
  return isError && !(error instanceof ActivityError) && !ofPrograms.test((error as Error).name);
}

/** The code with which Redis answered (`OOM`); null if it did not answer, or the fault is not of Redis. */
export function refusalCode(error: unknown): string | null {
  const said = causesOf(error).find((cause): cause is Error => 'name' in cause && cause.name === 'ReplyError');
  // Redis puts an ERR before a script's error.
  return said ? (/^(?:ERR )?([A-Z]{3,20}) /.exec(said.message)?.[1] ?? 'ERR') : null;
}

/** Whether the same call may well succeed in a moment: the connection was lost, or Redis said so. */
export function isPassing(error: unknown): boolean {
  return isRedisFault(error) && (error.name !== 'ReplyError' || passing.has(faultCode(error)));
}

/**
 * The name of a fault of Redis, or of a database, in logs: its code or that of its cause, never a message that could
 * hold text of users.
 */
export function faultCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  for (const cause of causesOf(error)) if ('code' in cause && typeof cause.code === 'string') return cause.code;
  if (/^(Socket timeout|Command timed out)/.test(error.message)) return 'late';
  return refusalCode(error) ?? error.name;
}
