import cors from '@fastify/cors';
import { METRICS_REGISTRY } from '@laurel/activity';
import { admitted, ApiKey } from '@laurel/activity/http';
import { BadRequestException } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyPluginAsync } from 'fastify';
import plugin from 'fastify-plugin';
import { Counter, type Registry } from 'prom-client';
import { defaultMaxConnections } from '../environment/environment';
import type { IdentifiedRequest } from '../identity/signed-in';
import { Tokens } from '../identity/tokens';
import { Draining } from '../lifecycle/stop-gracefully';
import { requestIdHeader } from '../logging/request-ids';
import type { CommunityOptions } from '../options/community.options';
import { throttleRequests } from '../throttling/throttle-requests';
import { headersFor } from './security-headers';
import { shedLoad } from './shed-load';

/** A thousand events with the longest ids and subjects, every character escaped. */
export const maxBodyBytes = 4 * 1_024 * 1_024;
/** The longest article, every character escaped: six bytes for each half of a surrogate pair. */
const maxUsualBodyBytes = 640 * 1_024;
/** Routes behind the API key whose bodies hold many items. */
const bulk: readonly string[] = ['/activity/events', '/activity/rules'];
/** Routes that tell of the app what is for its operators, in production. */
const operations = /^\/(?:metrics|docs)/;
/** The statuses of requests that were refused for a bound. */
const refusals: readonly number[] = [413, 429, 503];

/** The protection of every route: a Fastify plugin whose hooks run in this order; no route depends on it. */
export function protection(app: NestFastifyApplication, options: CommunityOptions): FastifyPluginAsync {
  const { corsOrigins = [], loadBounds, maxConnections = defaultMaxConnections, throttle } = options;
  const registers = [app.get<Registry>(METRICS_REGISTRY)];
  const refused = new Counter({
    name: 'laurel_refused_requests_total',
    help: 'Requests refused for a bound, by the status of their answer: 413, 429, 503.',
    labelNames: ['status'],
    registers,
  });
  const dropped = new Counter({
    name: 'laurel_dropped_connections_total',
    help: 'Connections closed because there were too many.',
    registers,
  });
  const [apiKey, draining, tokens] = [app.get(ApiKey), app.get(Draining), app.get(Tokens)];
  return plugin(
    async () => {
      const instance = app.getHttpAdapter().getInstance();
      const server = app.getHttpServer();
      server.maxConnections = maxConnections;
      server.on('drop', () => dropped.inc());
      instance.addHook('onRoute', (route) => {
        route.bodyLimit ??= bulk.includes(route.url) ? maxBodyBytes : maxUsualBodyBytes;
      });
      instance.addHook('onRequest', ({ raw, headers, id, url }, reply, done) => {
        reply.headers(headersFor(url)).header(requestIdHeader, id);
        // RFC 9112, 3.2; Node's own check answers no problem document.
        const isNamed = raw.httpVersion !== '1.1' || headers.host !== undefined;
        done(isNamed ? undefined : new BadRequestException('The request has no Host header.'));
      });
      instance.addHook('onSend', (_request, reply, _payload, done) => {
        if (refusals.includes(reply.statusCode)) refused.inc({ status: reply.statusCode });
        // A connection that is closed after an answer that says so loses no request; one closed while idle may.
        if (draining.isOn) reply.header('connection', 'close');
        done();
      });
      if (loadBounds) await shedLoad(app, loadBounds);
      // Pages of these origins may ask, with a token and no cookies, and read the headers that they need.
      if (corsOrigins.length > 0) {
        await app.register(cors, {
          origin: [...corsOrigins],
          methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
          allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'Last-Event-ID'],
          exposedHeaders: ['ETag', 'Retry-After', 'X-Request-Id'],
          maxAge: 600,
          strictPreflight: false,
        });
      }
      // A hook and not a guard: the ranking module's routes need the user too, and reads without a token pay nothing.
      // A token that is bad, expired or ended sets no user: routes that need one refuse it.
      instance.addHook('onRequest', (request, _reply, done) => {
        const { authorization } = request.headers;
        const user = authorization === undefined ? null : tokens.identify(authorization);
        if (authorization === undefined || user === null) return done();
        void tokens.hasEnded(authorization).then((hasEnded) => {
          if (!hasEnded) (request as IdentifiedRequest).user = user;
          done();
        });
      });
      if (throttle) throttleRequests(app, throttle);
      // Without the API key no byte of a large body is held.
      instance.addHook('onRequest', (request, _reply, done) => {
        const { url = '' } = request.routeOptions;
        const isBulk = request.method === 'POST' && bulk.includes(url);
        const isOperations = options.closesOperations === true && operations.test(url);
        if (isBulk || isOperations) admitted(apiKey.check(request));
        if (isOperations) apiKey.assertMay(request, 'read');
        done();
      });
    },
    { name: 'protection', fastify: '5.x' },
  );
}
