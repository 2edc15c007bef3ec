import { now } from '../browser/clock';
import { expire, liveToken, session } from '../session/session';
import { ApiError, errorOf } from './api-error';

/** How a request is made. */
export interface AskOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Sent instead of the signed-in user's token. */
  readonly key?: string;
  readonly headers?: HeadersInit;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Asks the community, as the signed-in user where there is one by then; undefined where the answer has no body.
 * @throws ApiError whatever else the answer is; an abort as the AbortError that it is.
 */
export async function ask<Answer>(method: Method, path: string, options: AskOptions = {}): Promise<Answer> {
  const response = await send(method, path, options);
  // What the app's routes answer is written down in its OpenAPI document: this is the border where it is believed.
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

/** As {@link ask}, for answers that are read in another way than as JSON. */
export async function send(method: Method, path: string, options: AskOptions = {}) {
  const { body, signal, key, headers } = options;
  const token = key ?? liveToken();
  const all = new Headers(headers);
  if (token !== undefined) all.set('Authorization', `Bearer ${token}`);
  if (body !== undefined) all.set('Content-Type', 'application/json');
  const response = await fetch(path, {
    method,
    headers: all,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError('offline', error instanceof Error ? error.message : '');
  });
  if (response.ok) return response;
  // By this browser's clock it was good: the server alone decides that.
  if (response.status === 401 && key === undefined && token !== undefined && token === session.value?.token) expire();
  throw await errorOf(response);
}

/** When the server answered, by its own clock to the second; by this browser's where it does not say so. */
export function saidAt({ headers }: Response): Date {
  const date = headers.get('Date');
  return date === null ? now() : new Date(date);
}

/** A path with its query; what is undefined is left out. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}
