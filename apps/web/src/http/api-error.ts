/** The kinds of faults that pages treat differently. */
export type FaultKind =
  | 'offline' // the server was not reached
  | 'away' // it was, and Redis is away or too slow
  | 'busy' // it was, and cannot answer at the moment
  | 'tooMany'
  | 'signIn'
  | 'forbidden'
  | 'notFound'
  | 'gone' // it was there, and is no longer kept
  | 'conflict'
  | 'outdated' // it was another one by then
  | 'refused' // bad input
  | 'failed';

/** One thing that is wrong in what was sent. */
export interface InputFault {
  readonly path: string;
  readonly message: string;
}

/** A request that did not do what was asked. */
export class ApiError extends Error {
  constructor(
    readonly kind: FaultKind,
    message: string,
    readonly retryAfterMs: number | null = null,
    readonly faults: readonly InputFault[] = [],
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

const kinds: Readonly<Record<number, FaultKind>> = {
  400: 'refused',
  401: 'signIn',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  410: 'gone',
  412: 'outdated',
  413: 'refused',
  422: 'refused',
  429: 'tooMany',
  502: 'busy',
  503: 'busy',
  504: 'busy',
};

interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly InputFault[];
}

/** The problem's type if Redis does not answer in time. */
const redisAway = 'urn:laurel:problem:unavailable';

const passing: ReadonlySet<FaultKind> = new Set(['offline', 'away', 'busy', 'tooMany']);

/** Whether it is worth asking again: such a fault passes by itself. */
export function isPassing({ kind }: ApiError): boolean {
  return passing.has(kind);
}

/** The error of an answer that is none: its problem document, where it brought one. */
export async function errorOf(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Problem;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(
    problem.type === redisAway ? 'away' : (kinds[response.status] ?? 'failed'),
    problem.detail ?? problem.title ?? `${response.status}`,
    Number.isFinite(seconds) ? seconds * 1_000 : null,
    problem.errors ?? [],
  );
}

/** A caught value as an {@link ApiError}. */
export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('failed', error instanceof Error ? error.message : '');
}
