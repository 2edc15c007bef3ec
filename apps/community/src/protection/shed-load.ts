import underPressure from '@fastify/under-pressure';
import { METRICS_REGISTRY } from '@laurel/activity';
import { whenOver } from '@laurel/activity/http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { LoadBounds } from '../options/load-bounds';
import { hookRoutes } from './hook-routes';
import { isProbe } from './probes';

/** How often the load is measured: a refusal lasts at least as long. */
const sampleMs = 250;
/** The work of the start is not counted as load. */
const settledAfterMs = 2_000;
/** The largest share of the heap in use: beyond it the collector alone keeps the process busy. */
const maxHeapShare = 0.9;
/** The largest share of the memory that the process may use: bodies and answers lie outside the heap. */
const maxMemoryShare = 0.9;
const retryAfterS = 1;
const overloaded = {
  type: 'urn:laurel:problem:overloaded',
  title: 'Service Unavailable',
  status: 503,
  detail: 'There is too much to do: try again in a moment.',
};

/** Streams stay open without work, and have a bound of their own. */
const staysOpen = /\/stream$/;

/**
 * Refuses requests with 503 while `maxRequests` are under way, the event loop runs late, or memory is nearly full. A
 * refusal costs a small part of an answer, so accepted requests are answered soon, and others know to come later.
 */
export async function shedLoad(app: NestFastifyApplication, { maxRequests, maxLateMs }: LoadBounds): Promise<void> {
  const registry = app.get<Registry>(METRICS_REGISTRY);
  const shed = new Counter({
    name: 'laurel_shed_requests_total',
    help: 'Requests that were refused with 503 because of too much load, by what there was too much of.',
    labelNames: ['reason'],
    registers: [registry],
  });
  const refuse = (reply: FastifyReply, reason: string) => {
    shed.inc({ reason });
    void reply
      .code(overloaded.status)
      .headers({ 'retry-after': String(retryAfterS), 'content-type': 'application/problem+json; charset=utf-8' })
      .send(JSON.stringify(overloaded));
  };
  const instance = app.getHttpAdapter().getInstance();
  const pressure = await measurePressure(app, maxLateMs);

  /** Releases the place of each request that is under way. */
  const places = new WeakMap<FastifyRequest, () => void>();
  let underWay = 0;
  instance.addHook('onRequest', (request, reply, done) => {
    if (underWay >= maxRequests && takesPlace(request.routeOptions)) return refuse(reply, 'requests');
    const reason = pressure();
    if (reason !== null && !isProbe(request.routeOptions)) return refuse(reply, reason);
    done();
  });
  hookRoutes(app, takesPlace, {
    // Counted once the body is complete: one that is sent slowly takes no place.
    preValidation: (request, reply, done) => {
      // Many may have come since the first check.
      if (underWay >= maxRequests) return refuse(reply, 'requests');
      let isTaken = true;
      underWay += 1;
      const giveBack = () => {
        if (isTaken) underWay -= 1;
        isTaken = false;
      };
      if (reply.raw.socket === null) places.set(request, giveBack);
      whenOver(reply.raw, request.raw.socket, giveBack);
      done();
    },
  });
  // An answer that waits for earlier ones on its connection is no work any more: the first may be a stream.
  instance.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.raw.socket === null) places.get(request)?.();
    done();
  });
  new Gauge({
    name: 'laurel_requests_under_way',
    help: 'Requests that are being answered, without streams and probes.',
    registers: [registry],
    collect() {
      this.set(underWay);
    },
  });
}

/**
 * Measures the process from now on: what tells what there is too much of, or null. Every request asks, so the plug-in
 * only measures: its own hook would put the route's options together for each.
 */
async function measurePressure(app: NestFastifyApplication, maxLateMs: number): Promise<() => string | null> {
  await app.register(underPressure, { sampleInterval: sampleMs });
  const instance = app.getHttpAdapter().getInstance();
  const maxHeapBytes = getHeapStatistics().heap_size_limit * maxHeapShare;
  const maxRssBytes = Math.min(process.constrainedMemory() || Infinity, totalmem()) * maxMemoryShare;
  const startedMs = performance.now();
  const isSettled = () => performance.now() - startedMs >= settledAfterMs;
  return () => {
    const { eventLoopDelay, heapUsed, rssBytes } = instance.memoryUsage();
    // A sample without a reading counts as infinitely late; the next sample has the true delay.
    if (eventLoopDelay > maxLateMs && eventLoopDelay !== Infinity && isSettled()) return 'eventLoopDelay';
    if (heapUsed > maxHeapBytes && isSettled()) return 'heapUsedBytes';
    return rssBytes > maxRssBytes && isSettled() ? 'rssBytes' : null;
  };
}

function takesPlace(route: { readonly url?: string | undefined }): boolean {
  return !isProbe(route) && !staysOpen.test(route.url ?? '');
}
