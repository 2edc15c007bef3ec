import { METRICS_REGISTRY } from '@laurel/activity';
import { whenOver } from '@laurel/activity/http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Socket } from 'node:net';
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

/** The most requests that may wait on one connection behind the one that is answered: their answers lie in memory. */
const maxPipelined = 16;

/** Closes and counts connections on which more requests wait. */
export function boundPipelining(app: NestFastifyApplication): void {
  const dropped = new Counter({
    name: 'laurel_dropped_pipelines_total',
    help: `Connections closed because more than ${maxPipelined} requests waited on them.`,
    registers: [app.get<Registry>(METRICS_REGISTRY)],
  });
  const waiting = new WeakMap<Socket, number>();
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', ({ raw: { socket } }, reply, done) => {
      // Requests behind the one that was refused have no connection to be answered on.
      if (socket.destroyed) return void reply.hijack();
      // Node gives the connection to the response whose turn it is: this one does not wait.
      if (reply.raw.socket !== null) return done();
      const ahead = waiting.get(socket) ?? 0;
      if (ahead >= maxPipelined) {
        dropped.inc();
        reply.hijack();
        socket.destroy();
        return;
      }
      waiting.set(socket, ahead + 1);
      whenOver(reply.raw, socket, () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
      done();
    });
}
