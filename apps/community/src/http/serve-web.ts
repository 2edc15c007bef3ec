import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { join } from 'node:path';

/** The page loads nothing but its own files, runs no inline script and stands in no one's frame. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // Always asked for, rarely sent again: the browser keeps it with its ETag.
  'Cache-Control': 'no-cache',
};

/** Serves the web page at `/`: each file is a route of its own, so that what is not there stays an ordinary 404. */
export async function serveWeb(app: NestFastifyApplication): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(__dirname, '..', 'web'),
    wildcard: false,
    index: 'index.html',
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => {
      reply.headers(headers);
    },
  });
}
