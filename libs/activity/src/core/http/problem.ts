import { LeaderboardError, type LeaderboardErrorCode } from '@laurel/leaderboard';
import { HttpException } from '@nestjs/common';
import { STATUS_CODES } from 'node:http';
import { ActivityError, type ActivityErrorCode, errorStatuses, type Fault } from '../errors/errors';
import type { ProblemDocument } from './problem.responses';

/**
 * The status of every code of the module's and the engine's. `overloaded` is 503, not 429: the service is behind for
 * all callers; this caller did not ask too often.
 */
const statuses: Readonly<Record<ActivityErrorCode | LeaderboardErrorCode, number>> = {
  ...errorStatuses,
  invalidArgument: 400,
  scoreOutOfRange: 400,
  shardCountMismatch: 503,
  formatMismatch: 503,
  settingsMismatch: 503,
};

/** After how many seconds to try again. */
const retriesAfterS: Readonly<Partial<Record<ActivityErrorCode | LeaderboardErrorCode, number>>> = {
  overloaded: 1,
  tooManyStreams: 10,
  unavailable: 2,
  unrecordable: 60,
};

/** The public text of a fault that operators have to mend. */
const operatorsDetail = 'The service cannot answer at present; its operators can see why.';

/** A problem, and the seconds of its `Retry-After` header, if it has one. */
export interface ProblemAnswer {
  readonly problem: ProblemDocument;
  readonly retryAfterS?: number;
  /** Whether it is a fault of ours that must be logged. */
  readonly isUnexpected: boolean;
}

/** The answer to any exception. Never holds a stack trace. */
export function problemOf(exception: unknown): ProblemAnswer {
  if (exception instanceof ActivityError) {
    const isOfDocument = exception.code === 'invalidRules' || exception.code === 'invalidLeaderboard';
    const faults = isOfDocument ? exception.faults.map(inDots) : exception.faults;
    return coded(exception, faults);
  }
  if (exception instanceof LeaderboardError) return coded(exception, []);
  if (exception instanceof HttpException) return ofHttpException(exception);
  const status = clientErrorStatus(exception);
  if (status !== null) return { problem: plain(status, (exception as Error).message), isUnexpected: false };
  return { problem: plain(500, operatorsDetail), isUnexpected: true };
}

/** A fault of an option, `rules[0].points`, as bodies of requests have it: `rules.0.points`. */
export function inDots({ path, message }: Fault): Fault {
  return { path: path.replaceAll(/\[(\d+)\]/g, '.$1').replaceAll('[]', ''), message };
}

function coded({ code, message }: ActivityError | LeaderboardError, faults: readonly Fault[]): ProblemAnswer {
  const [status, retryAfterS] = [statuses[code], retriesAfterS[code]];
  const isOperators = status >= 500 && retryAfterS === undefined;
  return {
    problem: {
      ...plain(status, isOperators ? operatorsDetail : message),
      type: `urn:laurel:problem:${code}`,
      ...(faults.length > 0 && { errors: faults }),
    },
    ...(retryAfterS !== undefined && { retryAfterS }),
    isUnexpected: isOperators,
  };
}

function ofHttpException(exception: HttpException): ProblemAnswer {
  const body = exception.getResponse();
  const status = exception.getStatus();
  const { message, errors } = (typeof body === 'object' ? body : { message: body }) as {
    message?: unknown;
    errors?: unknown;
  };
  const faults = faultsIn(errors) ?? faultsIn(message);
  const detail = typeof message === 'string' ? message : (faults ?? []).map((fault) => fault.message).join('; ');
  return {
    problem: { ...plain(status, detail || exception.message), ...(faults && { errors: faults }) },
    isUnexpected: status === 500,
  };
}

/**
 * `errors` of this module's pipe, or the `message: string[]` of Nest's own `ValidationPipe`, which begin with the path.
 */
function faultsIn(value: unknown): readonly Fault[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.map((item: unknown) => {
    if (typeof item !== 'string') return item as Fault;
    const [path = '', ...message] = item.split(' ');
    return { path, message: message.join(' ') };
  });
}

/**
 * The status of an error that Fastify, Express or a plug-in of theirs raised: malformed JSON, a body too large, a bad
 * URL. Errors of clients for HTTP have a status too, which says what another service thinks of our own request.
 */
function clientErrorStatus(exception: unknown): number | null {
  if (!(exception instanceof Error)) return null;
  const { statusCode, status, expose, code, response } = exception as PlatformError;
  const isSaid = expose === true || (typeof code === 'string' && code.startsWith('FST_'));
  const isPlain = statusCode !== undefined && response === undefined && plainNames.has(exception.name);
  const found = statusCode ?? status;
  if (!(isSaid || isPlain) || typeof found !== 'number') return null;
  return Number.isInteger(found) && found >= 400 && found < 500 ? found : null;
}

/** Properties of errors: Express' parsers set `expose`, Fastify `code` FST_…, HTTP clients `response`. */
type PlatformError = Partial<Record<'statusCode' | 'status' | 'expose' | 'code' | 'response', unknown>>;

/** Platforms raise errors of the language, with a `statusCode`; clients for HTTP name theirs. */
const plainNames: ReadonlySet<string> = new Set(['Error', 'SyntaxError', 'URIError']);

function plain(status: number, detail: string): ProblemDocument {
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail };
}
