import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A page loads nothing but this app's own files, runs no inline script or style and stands in no one's frame. */
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
};

/** Always asked for, so that a new build is seen at once. */
const alwaysAsked = 'no-cache';
/** Built files have a digest of their content in their names. */
const keptForGood = 'public, max-age=31536000, immutable';

/** The addresses at which pages live: each is answered with the one document, whose script draws the page. */
const pages = ['/', '/board', '/board/*', '/read', '/read/*', '/write', '/people/*', '/operators', '/sign-in'];

/**
 * Serves the built pages of apps/web. Each file is a route of its own, and so are the pages' addresses: what is not
 * there stays an ordinary 404.
 */
export async function serveWeb(
  app: NestFastifyApplication,
  folder = join(__dirname, '..', '..', '..', 'web'),
): Promise<void> {
  if (!existsSync(join(folder, 'assets'))) return; // not built
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isDigested = path.includes(`${sep}assets${sep}`);
      reply.headers({ ...headers, 'Cache-Control': isDigested ? keptForGood : alwaysAsked });
    },
  });
  const document = readFileSync(join(folder, 'index.html'), 'utf8');
  const server = app.getHttpAdapter().getInstance();
  for (const page of pages) {
    server.get(page, (_request, reply) =>
      reply
        .headers({ ...headers, 'Cache-Control': alwaysAsked })
        .type('text/html; charset=utf-8')
        .send(document),
    );
  }
}
