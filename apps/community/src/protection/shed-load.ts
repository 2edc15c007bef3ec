import underPressure from '@fastify/under-pressure';
import { METRICS_REGISTRY } from '@laurel/activity';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { LoadBounds } from '../options/community.options';

/** How often the load is measured: a refusal lasts at least as long. */
const sampleMs = 250;
/** The work of the start is not counted as load. */
const settledAfterMs = 2_000;
/** The largest share of the heap, and of the memory of the process: bodies and answers lie outside the heap. */
const maxShare = 0.9;
/** Answered however much there is to do: by these a balancer or an operator decides. */
const probes: readonly (string | undefined)[] = ['/health/live', '/health/ready', '/metrics'];
const overloaded = {
  type: 'urn:laurel:problem:overloaded',
  title: 'Service Unavailable',
  status: 503,
  detail: 'There is too much to do: try again in a moment.',
};

const isProbe = ({ routeOptions }: FastifyRequest) => probes.includes(routeOptions.url);
/** Streams stay open without work, and have a bound of their own. */
const takesPlace = (request: FastifyRequest) => !isProbe(request) && !request.routeOptions.url?.endsWith('/stream');

/**
 * Refuses requests with 503 while `maxRequests` are under way, the event loop runs late, or memory is nearly full. A
 * refusal costs a small part of an answer, so accepted requests are answered soon, and others know to come later.
 */
export async function shedLoad(app: NestFastifyApplication, { maxRequests, maxLateMs }: LoadBounds): Promise<void> {
  const registers = [app.get<Registry>(METRICS_REGISTRY)];
  const shed = new Counter({
    name: 'laurel_shed_requests_total',
    help: 'Requests that were refused with 503 because of too much load, by what there was too much of.',
    labelNames: ['reason'],
    registers,
  });
  const refusal = (reply: FastifyReply, reason: string) => {
    shed.inc({ reason });
    reply.code(503).headers({ 'retry-after': '1', 'content-type': 'application/problem+json; charset=utf-8' });
    return JSON.stringify(overloaded);
  };
  const startedMs = performance.now();
  await app.register(underPressure, {
    sampleInterval: sampleMs,
    maxEventLoopDelay: maxLateMs,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * maxShare,
    maxRssBytes: Math.min(process.constrainedMemory() || Infinity, totalmem()) * maxShare,
    pressureHandler: (request, reply, reason, value) => {
      // A sample without a reading counts as infinitely late; the next sample has the true delay.
      const isMeasured = value !== Infinity && performance.now() - startedMs >= settledAfterMs;
      if (isMeasured && !isProbe(request)) reply.send(refusal(reply, reason));
    },
  });
  const instance = app.getHttpAdapter().getInstance();
  /** Requests from the moment on at which their body is complete until their answer is ready. */
  const underWay = new Set<FastifyRequest>();
  instance.addHook('onRequest', (request, reply, done) => {
    if (underWay.size < maxRequests || !takesPlace(request)) done();
    else reply.send(refusal(reply, 'requests'));
  });
  instance.addHook('preValidation', (request, reply, done) => {
    if (!takesPlace(request)) return done();
    // Many may have come since the first check.
    if (underWay.size >= maxRequests) return void reply.send(refusal(reply, 'requests'));
    underWay.add(request);
    done();
  });
  instance.addHook('onSend', (request, _reply, _payload, done) => {
    underWay.delete(request);
    done();
  });
  new Gauge({
    name: 'laurel_requests_under_way',
    help: 'Requests that are being answered, without streams and probes.',
    registers,
    collect() {
      this.set(underWay.size);
    },
  });
}
