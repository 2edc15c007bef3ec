import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { join } from 'node:path';

/** The page loads nothing but its own files, runs no inline script and stands in no one's frame. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the web page at `/`: each file is a route of its own, so that what is not there stays an ordinary 404. */
export function serveWeb(app: NestFastifyApplication): void {
  app.useStaticAssets({
    root: join(__dirname, '..', 'web'),
    wildcard: false,
    index: ['index.html'],
    decorateReply: false,
    cacheControl: false,
    setHeaders: (response) => {
      response.setHeader('Content-Security-Policy', contentSecurityPolicy);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('Referrer-Policy', 'no-referrer');
      // Always asked for, rarely sent again: the browser keeps it with its ETag.
      response.setHeader('Cache-Control', 'no-cache');
    },
  });
}
