import { addressOf, ApiKey } from '@laurel/activity/http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IdentifiedRequest } from '../identity/signed-in';
import type { ThrottleLimits } from '../options/community.options';
import { TryAgainLater } from '../problems/try-again-later';
import { RequestCounts } from './request-counts';
import { SignInThrottle } from './sign-in-throttle';

/** The most users and addresses that are counted at once. */
const maxSenders = 50_000;

/**
 * Bounds the requests of each user, and of each address where nobody is signed in. Counted in this process: a public
 * read is answered from memory, and counting it must not cost a call to Redis. Probes and requests with the API key are
 * not bounded.
 */
export function throttleRequests(app: NestFastifyApplication, { requestsPerMinute }: ThrottleLimits): void {
  const [apiKey, { throttled }] = [app.get(ApiKey), app.get(SignInThrottle)];
  const counts = new RequestCounts({ max: requestsPerMinute, windowMs: 60_000, maxSenders });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, _reply, done) => {
      if (/^\/(?:health|metrics)\b/.test(request.url) || apiKey.check(request) === 'valid') return done();
      const { user } = request as IdentifiedRequest;
      const waitMs = counts.count(user ? `user ${user.id}` : addressOf(request));
      if (waitMs === 0) return done();
      throttled.inc({ limit: 'requests' });
      done(new TryAgainLater(`More than ${requestsPerMinute} requests in a minute: wait.`, Math.ceil(waitMs / 1_000)));
    });
}
