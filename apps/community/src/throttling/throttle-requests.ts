import { addressOf, ApiKey } from '@laurel/activity/http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { IdentifiedRequest } from '../identity/signed-in';
import { hookRoutes } from '../protection/hook-routes';
import { isProbe } from '../protection/probes';
import type { ThrottleLimits } from '../options/throttle-limits';
import { RequestCounts } from './request-counts';
import { ThrottleMetrics } from './throttle-metrics';
import { TooManyRequests } from './too-many-requests';

/** The most users and addresses that are counted at once. */
const maxSenders = 50_000;

/**
 * Bounds the requests of each user, and of each address where nobody is signed in. Counted in this process: a public
 * read is answered from memory, and counting it must not cost a call to Redis. Probes and requests with the API key are
 * not bounded.
 */
export function throttleRequests(app: NestFastifyApplication, { requestsPerMinute }: ThrottleLimits): void {
  const apiKey = app.get(ApiKey);
  const metrics = app.get(ThrottleMetrics);
  const counts = new RequestCounts({ max: requestsPerMinute, windowMs: 60_000, maxSenders });
  hookRoutes(app, (route) => !isProbe(route), {
    onRequest: (request, _reply, done) => {
      if (apiKey.check(request) === 'valid') return done();
      const waitMs = counts.count(senderOf(request));
      if (waitMs === 0) return done();
      metrics.count('requests');
      const message = `More than ${requestsPerMinute} requests in a minute: wait.`;
      done(new TooManyRequests(message, Math.ceil(waitMs / 1_000)));
    },
  });
}

function senderOf(request: FastifyRequest): string {
  const { user } = request as IdentifiedRequest;
  return user ? `user ${user.id}` : addressOf(request);
}
