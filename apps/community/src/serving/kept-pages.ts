import { KeptPages, tagged } from '@laurel/activity/internals';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { hookRoutes } from '../protection/hook-routes';

/**
 * Answers cached first pages of standings before Nest is asked, behind all hooks that guard the app. Such a request
 * takes no place among those under way: it is over at once.
 */
export function answerKeptPages(app: NestFastifyApplication): void {
  const pages = app.get(KeptPages);
  const adapterHost = app.get(HttpAdapterHost);
  hookRoutes(app, ({ method, url }) => method === 'GET' && url === '/ranks/:leaderboard', {
    onRequest: (request, reply, done) => {
      const page = pages.find(request.url);
      if (!page) return done();
      void reply.send(tagged(adapterHost, { request, response: reply }, page));
    },
  });
}
