import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** By which a proxy names a request, and by which each answer does. */
export const requestIdHeader = 'x-request-id';

/** What may be taken over into logs. Whatever else is sent is passed over, and the request has an id of ours. */
const harmless = /^[\w.:-]{1,64}$/;

/** Different in each process: ids of two instances do not meet. */
const ownPrefix = randomBytes(5).toString('hex');
let count = 0;

/** The id of a request: its proxy's, or one of ours. A client can choose it: it finds lines, and proves nothing. */
export function requestIdOf({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const given = headers[requestIdHeader];
  if (typeof given === 'string' && harmless.test(given)) return given;
  count += 1;
  return `${ownPrefix}-${count.toString(36)}`;
}
