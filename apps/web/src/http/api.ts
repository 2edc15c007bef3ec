import createClient, { type Client } from 'openapi-fetch';
import { now } from '../browser/clock';
import { expire, liveToken, session } from '../session/session';
import type { paths } from '../contract/api.generated';
import { ApiError, errorOf } from './api-error';

/**
 * The community's routes as its OpenAPI document has them: what they take and answer is checked where this is compiled.
 * @param tokenOf whose token a request is sent with; undefined: nobody's
 */
export function clientOf(tokenOf: () => string | undefined): Client<paths> {
  const client = createClient<paths>({ fetch: (request) => fetch(request) });
  client.use({
    onRequest({ request }) {
      const token = tokenOf();
      if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`);
    },
    async onResponse({ request, response }) {
      if (response.ok) return;
      const token = session.value?.token;
      // By this browser's clock it was good: the server alone decides that.
      const isOwn = token !== undefined && request.headers.get('Authorization') === `Bearer ${token}`;
      if (response.status === 401 && isOwn) expire();
      throw await errorOf(response);
    },
    onError({ request, error }) {
      // An abort stays the AbortError that it is.
      return request.signal.aborted ? undefined : new ApiError('offline', error instanceof Error ? error.message : '');
    },
  });
  return client;
}

/** The routes, asked as the signed-in user where there is one by then. */
export const api = clientOf(liveToken);

/** The same, asked as nobody: what is refused says nothing of the session that there is. */
export const apiOfNobody = clientOf(() => undefined);

/**
 * A route's answer; undefined if it has no body.
 * @throws ApiError whatever else the answer is
 */
export async function answerOf<Answer>(asked: Promise<{ readonly data?: Answer }>): Promise<Answer> {
  // Whatever is no answer was thrown by the client.
  return (await asked).data as Answer;
}

/** The parameters without those that are undefined. */
export function given<const Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;
}

type Given<Values> = {
  [Key in keyof Values as undefined extends Values[Key] ? never : Key]: Values[Key];
} & {
  [Key in keyof Values as undefined extends Values[Key] ? Key : never]?: Exclude<Values[Key], undefined>;
};

/** When the server answered, by its own clock to the second; by this browser's where it does not say so. */
export function saidAt({ headers }: Response): Date {
  const date = headers.get('Date');
  return date === null ? now() : new Date(date);
}
