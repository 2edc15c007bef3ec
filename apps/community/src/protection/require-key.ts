import { admitted, ApiKey } from '@laurel/activity/http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { hookRoutes, type RegisteredRoute } from './hook-routes';

/** Refuses requests to some routes without the API key, as a route itself would, before a byte of a body is held. */
export function requireKey(app: NestFastifyApplication, concerns: (route: RegisteredRoute) => boolean): void {
  const apiKey = app.get(ApiKey);
  hookRoutes(app, concerns, {
    onRequest: (request, _reply, done) => {
      admitted(apiKey.check(request));
      if (request.method === 'GET') apiKey.assertMay(request, 'read');
      done();
    },
  });
}
