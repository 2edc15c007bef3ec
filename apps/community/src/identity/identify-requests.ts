import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IdentifiedRequest } from './signed-in';
import { Tokens } from './tokens';

/**
 * Sets each request's user before any route, as the ranking module's routes need it too. A hook and not a guard, so
 * that public reads, which have no token, pay nothing for it. A bad or expired token sets no user: routes that need a
 * user refuse it, other routes answer as to any visitor. So does one whose user has signed out.
 */
export function identifyRequests(app: NestFastifyApplication): void {
  const tokens = app.get(Tokens);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, _reply, done) => {
      const { authorization } = request.headers;
      const user = authorization === undefined ? null : tokens.identify(authorization);
      if (authorization === undefined || user === null) return done();
      void tokens.hasEnded(authorization).then((hasEnded) => {
        if (!hasEnded) (request as IdentifiedRequest).user = user;
        done();
      });
    });
}
