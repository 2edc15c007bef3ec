import { METRICS_REGISTRY } from '@laurel/activity';
import { BadRequestException } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Counter, type Registry } from 'prom-client';

/** The statuses of requests that were refused for a bound. */
const counted: readonly number[] = [413, 429, 503];

/** Counts requests that were refused for a bound: too large, too many, overloaded or away. */
export function countRefusals(app: NestFastifyApplication): void {
  const refused = new Counter({
    name: 'laurel_refused_requests_total',
    help: 'Requests refused for a bound, by the status of their answer: 413, 429, 503.',
    labelNames: ['status'],
    registers: [app.get<Registry>(METRICS_REGISTRY)],
  });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (_request, { statusCode }, _payload, done) => {
      if (counted.includes(statusCode)) refused.inc({ status: statusCode });
      done();
    });
}

/** Closes and counts connections beyond `max`. */
export function boundConnections(app: NestFastifyApplication, max: number): void {
  const dropped = new Counter({
    name: 'laurel_dropped_connections_total',
    help: 'Connections closed because there were too many.',
    registers: [app.get<Registry>(METRICS_REGISTRY)],
  });
  const server = app.getHttpServer();
  server.maxConnections = max;
  server.on('drop', () => dropped.inc());
}

/** Refuses requests of HTTP/1.1 that name no host (RFC 9112, 3.2) as a problem: Node's own check answers no body. */
export function requireHost(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', ({ raw, headers }, _reply, done) => {
      const isNamed = raw.httpVersion !== '1.1' || headers.host !== undefined;
      done(isNamed ? undefined : new BadRequestException('The request has no Host header.'));
    });
}
