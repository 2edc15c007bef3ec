import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';

/** Checked at each request, so that a new build is seen at once. */
const alwaysAsked = 'no-cache';
/** Built files have a digest of their content in their names. */
const keptForGood = 'public, max-age=31536000, immutable';

/** Where the pages are built to: beside the app that was built, and under `dist` for one that runs from its sources. */
const builtPages = join(__dirname, '../../../..', extname(__filename) === '.ts' ? 'dist/apps/web' : 'apps/web');

/**
 * Serves the built pages of apps/web. Each file is a route of its own. The addresses at which pages live, which the
 * build wrote into pages.json, are each answered with the one document, whose script draws the page. What is not there
 * stays an ordinary 404, with that document for a person who followed a dead link.
 */
export async function serveWeb(app: NestFastifyApplication, folder = builtPages): Promise<void> {
  if (!existsSync(join(folder, 'pages.json'))) return; // not built
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isDigested = path.includes(`${sep}assets${sep}`);
      reply.headers({ 'Cache-Control': isDigested ? keptForGood : alwaysAsked });
    },
  });
  const document = readFileSync(join(folder, 'index.html'), 'utf8');
  const pages = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as readonly string[];
  const server = app.getHttpAdapter().getInstance();
  const send = (reply: FastifyReply) =>
    reply.header('Cache-Control', alwaysAsked).type('text/html; charset=utf-8').send(document);
  for (const page of pages) server.get(page, (_request, reply) => send(reply));
  server.addHook('onRequest', (request, reply, done) => {
    const { is404, method, headers } = request;
    if (is404 && method === 'GET' && headers.accept?.includes('text/html')) void send(reply.code(404));
    else done();
  });
}
