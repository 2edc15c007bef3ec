import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import helmet, { type HelmetOptions } from 'helmet';
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

/** Swagger's page styles itself inline and draws its pictures from `data:`; its scripts are files. */
const docs = { ...strict, styleSrc: ["'self'", "'unsafe-inline'"], imgSrc: ["'self'", 'data:'], fontSrc: ["'self'"] };

/**
 * Puts helmet's headers on every answer. Helmet is asked once, at the start: its headers are the same for all, and its
 * fifteen functions would be a good part of what a cached read costs.
 */
export function setSecurityHeaders(app: NestFastifyApplication): void {
  const usual = headersOf(strict);
  const ofDocs = headersOf(docs);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, done) => {
      reply.headers(request.url.startsWith('/docs') ? ofDocs : usual);
      done();
    });
}

function headersOf(directives: Record<string, string[]>): Readonly<Record<string, string>> {
  const options: HelmetOptions = {
    contentSecurityPolicy: { useDefaults: false, directives },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  };
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  let fault: unknown;
  helmet(options)(response.req, response, (error) => (fault = error));
  if (fault !== undefined) throw new Error('Helmet refused its options.', { cause: fault });
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}
