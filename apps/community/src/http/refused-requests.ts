import { METRICS_REGISTRY } from '@laurel/activity';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Counter, type Registry } from 'prom-client';

/** The statuses that say that something is past its bound, or too much. */
const counted: readonly number[] = [413, 429, 503];

/** Counts answers that say that a bound is passed: too large, too many, overloaded or away. */
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
    .addHook('onResponse', (_request, { statusCode }, done) => {
      if (counted.includes(statusCode)) refused.inc({ status: statusCode });
      done();
    });
}

/** Past so many connections new ones are closed, and counted. */
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
