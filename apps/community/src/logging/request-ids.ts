import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** By which a proxy names a request, and by which each answer does. */
export const requestIdHeader = 'x-request-id';

/** Request ids that logs may contain. Any other is ignored, and the request gets an id of ours. */
const harmless = /^[\w.:-]{1,64}$/;

/** The id of a request: its proxy's, or one of ours. A client can choose it: it finds lines, and proves nothing. */
export function requestIdOf({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const given = headers[requestIdHeader];
  return typeof given === 'string' && harmless.test(given) ? given : randomUUID();
}
