import underPressure from '@fastify/under-pressure';
import { METRICS_REGISTRY, problemOf } from '@laurel/activity';
import { ServiceUnavailableException } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { Counter, type Registry } from 'prom-client';

/** How often the load is looked at: a refusal lasts as long at least. */
const sampleMs = 250;
/** What the start of the app costs is no load. */
const settledAfterMs = 2_000;
/** The heap may be as full as this: beyond it the collector alone keeps the process busy. */
const maxHeapShare = 0.9;
const retryAfterS = 1;

/** What must be answered all the same: whoever asks decides whether this process is restarted, or looks why it refuses. */
const alwaysAnswered = /^\/(?:health|metrics)\b/;
/** What stays open for as long as somebody looks is no work, and has a bound of its own. */
const staysOpen = /\/stream$/;

/** How much is too much. */
export interface LoadBounds {
  /** Requests at once. */
  readonly maxRequests: number;
  /** How late the event loop may run, on average. */
  readonly maxLateMs: number;
}

/**
 * Refuses requests with 503 while there is more to do than can be done: while so many are under way, the event loop runs
 * late, or the heap is nearly full. A refusal costs a small part of an answer, so those that are taken are answered soon,
 * and the rest know at once to come later. Without it all would wait for all others, and nobody be answered in time.
 */
export async function shedLoad(app: NestFastifyApplication, { maxRequests, maxLateMs }: LoadBounds): Promise<void> {
  const shed = new Counter({
    name: 'laurel_shed_requests_total',
    help: 'Requests that were refused with 503 because of too much load, by what there was too much of.',
    labelNames: ['reason'],
    registers: [app.get<Registry>(METRICS_REGISTRY)],
  });
  const { problem } = problemOf(new ServiceUnavailableException('There is too much to do: try again in a moment.'));
  const body = JSON.stringify({ ...problem, type: 'urn:laurel:problem:overloaded' });
  const refuse = (reply: FastifyReply, reason: string) => {
    shed.inc({ reason });
    void reply
      .code(problem.status)
      .headers({ 'retry-after': String(retryAfterS), 'content-type': 'application/problem+json; charset=utf-8' })
      .send(body);
  };
  const startedMs = performance.now();
  const instance = app.getHttpAdapter().getInstance();
  let underWay = 0;
  instance.addHook('onRequest', (request, reply, done) => {
    if (alwaysAnswered.test(request.url) || staysOpen.test(request.routeOptions.url ?? '')) return done();
    if (underWay >= maxRequests) return refuse(reply, 'requests');
    done();
  });
  // From when the body is there: one that is sent slowly takes nobody's place.
  instance.addHook('preValidation', (request, reply, done) => {
    if (!staysOpen.test(request.routeOptions.url ?? '')) {
      underWay += 1;
      reply.raw.once('close', () => (underWay -= 1));
    }
    done();
  });
  await app.register(underPressure, {
    sampleInterval: sampleMs,
    maxEventLoopDelay: maxLateMs,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * maxHeapShare,
    pressureHandler: (request, reply, reason) => {
      if (alwaysAnswered.test(request.url) || performance.now() - startedMs < settledAfterMs) return;
      refuse(reply, reason);
    },
  });
}
