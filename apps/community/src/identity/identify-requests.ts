import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IdentifiedRequest } from './signed-in';
import { Tokens } from './tokens';

/**
 * Sets each request's user before any route, as the ranking module's routes need it too. A hook and not a guard, so
 * that public reads, which have no token, pay nothing for it. A bad or expired token sets no user: routes that need a
 * user refuse it, other routes answer as to any visitor.
 */
export function identifyRequests(app: NestFastifyApplication): void {
  const tokens = app.get(Tokens);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, _reply, done) => {
      const { authorization } = request.headers;
      if (authorization !== undefined) (request as IdentifiedRequest).user = tokens.identify(authorization);
      done();
    });
}
