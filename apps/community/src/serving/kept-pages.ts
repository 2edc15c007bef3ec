import { RankService } from '@laurel/activity';
import { tagged } from '@laurel/activity/http';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

type Query = Parameters<RankService['kept']>[1];

/** The most URLs that are remembered; then they are forgotten all at once. */
const maxUrls = 1_000;

/** The longest URL worth remembering. */
const maxUrlLength = 200;

/**
 * Answers cached first pages of standings before Nest is asked, behind all hooks that guard the app: the way through
 * Nest to a page that lies in memory costs more than all the rest of the answer. Such a request takes no place among
 * those under way: it is over at once.
 */
export function answerKeptPages(app: NestFastifyApplication): void {
  const ranks = app.get(RankService);
  const adapterHost = app.get(HttpAdapterHost);
  /** The first pages that URLs ask for, by the URLs that the route has answered. */
  const asked = new Map<string, { readonly leaderboard: string; readonly query: Query }>();
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, done) => {
      const { method, url } = request;
      if (method !== 'GET' || !url.startsWith('/ranks/')) return done();
      const known = asked.get(url);
      const page = known && ranks.kept(known.leaderboard, known.query);
      if (page) return void reply.send(tagged(adapterHost, { request, response: reply }, page));
      if (!known && url.length <= maxUrlLength && request.routeOptions.url === '/ranks/:leaderboard') {
        reply.raw.once('finish', () => {
          const { leaderboard } = request.params as { readonly leaderboard: string };
          // A leaderboard that only some see is answered to each as private.
          const isForAll = reply.statusCode === 200 && String(reply.getHeader('cache-control')).startsWith('public');
          const query = isForAll ? firstPageIn(request.query) : null;
          if (asked.size >= maxUrls) asked.clear();
          if (query) asked.set(url, { leaderboard, query });
        });
      }
      done();
    });
}

/** The first page that an answered query asks for; null: it asks for another, which is not cached. */
function firstPageIn(given: unknown): Query | null {
  const { limit, titles, ...others } = given as Readonly<Record<string, string>>;
  if (['offset', 'cursor', 'minScore', 'maxScore', 'me', 'order'].some((name) => name in others)) return null;
  return { ...others, ...(limit !== undefined && { limit: Number(limit) }), titles: titles === 'true' };
}
