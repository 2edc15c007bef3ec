import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IdentifiedRequest } from './signed-in';
import { Tokens } from './tokens';

/**
 * Tells each request who sent it, before any route: also the ranking module's routes ask. A hook and not a guard, so that
 * public reads, which bring no token, pay nothing for it. A bad or expired token is nobody's: routes that need a user
 * refuse it, the others answer as to anyone.
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
