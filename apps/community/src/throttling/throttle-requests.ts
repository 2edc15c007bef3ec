import { addressOf, ApiKey } from '@laurel/activity/internals';
import rateLimit from '@fastify/rate-limit';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { IdentifiedRequest } from '../identity/signed-in';
import { isProbe } from '../protection/probes';
import type { ThrottleLimits } from '../options/throttle-limits';
import { ThrottleMetrics } from './throttle-metrics';
import { TooManyRequests } from './too-many-requests';

/** The most users and addresses that are counted at once; beyond it the least recent is forgotten. */
const maxCounted = 50_000;

/**
 * Bounds the requests of each user, and of each address where nobody is signed in. Counted in this process: a public
 * read is answered from memory, and counting it must not cost a call to Redis. Probes and requests with the API key are
 * not bounded.
 */
export async function throttleRequests(
  app: NestFastifyApplication,
  { requestsPerMinute }: ThrottleLimits,
): Promise<void> {
  const apiKey = app.get(ApiKey);
  const metrics = app.get(ThrottleMetrics);
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: 60_000,
    cache: maxCounted,
    keyGenerator,
    allowList: (request) => isProbe(request.routeOptions) || apiKey.check(request) === 'valid',
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    onExceeded: () => metrics.count('requests'),
    errorResponseBuilder: (_request, { ttl }) =>
      new TooManyRequests(`More than ${requestsPerMinute} requests in a minute: wait.`, Math.ceil(ttl / 1_000)),
  });
}

function keyGenerator(request: FastifyRequest): string {
  const user = (request as IdentifiedRequest).user;
  return user ? `user ${user.id}` : addressOf(request);
}
