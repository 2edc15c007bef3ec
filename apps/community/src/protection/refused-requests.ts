import { METRICS_REGISTRY, whenOver } from '@laurel/activity';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Socket } from 'node:net';
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

/** Requests that may wait for their answers on one connection. What waits is made already, and lies in memory. */
const maxPipelined = 16;

/** A connection on which more requests are sent without waiting for answers is closed, and counted. */
export function boundPipelining(app: NestFastifyApplication): void {
  const dropped = new Counter({
    name: 'laurel_dropped_pipelines_total',
    help: `Connections closed because more than ${maxPipelined} requests waited on them.`,
    registers: [app.get<Registry>(METRICS_REGISTRY)],
  });
  const unanswered = new WeakMap<Socket, number>();
  const add = (socket: Socket, by: 1 | -1) => unanswered.set(socket, (unanswered.get(socket) ?? 0) + by);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', ({ raw: { socket } }, reply, done) => {
      // What came with the one that was too much is nobody's any more.
      if (socket.destroyed) return void reply.hijack();
      if ((unanswered.get(socket) ?? 0) >= maxPipelined) {
        dropped.inc();
        reply.hijack();
        socket.destroy();
        return;
      }
      add(socket, 1);
      whenOver(reply.raw, socket, () => add(socket, -1));
      done();
    });
}
