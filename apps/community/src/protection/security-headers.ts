import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** A page loads nothing but this app's own files, runs no inline script or style and stands in no one's frame. */
const strict = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};
const usual = helmetsHeaders(strict);

/** Swagger's page styles itself inline and draws its pictures from `data:`; its scripts are files. */
const ofDocs = helmetsHeaders({
  ...strict,
  ...{ styleSrc: ["'self'", "'unsafe-inline'"], imgSrc: ["'self'", 'data:'], fontSrc: ["'self'"] },
});

/** Helmet's headers for an answer: asked for once, as its fifteen functions cost a good part of a cached read. */
export const headersFor = (url: string) => (url.startsWith('/docs') ? ofDocs : usual);

function helmetsHeaders(directives: Record<string, string[]>): Readonly<Record<string, string>> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const set = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
  set(response.req, response, (fault) => {
    if (fault !== undefined) throw new Error('Helmet refused its options.', { cause: fault });
  });
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}
