import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { onRequestHookHandler, preValidationHookHandler } from 'fastify';

/** A route as it is registered. */
export interface RegisteredRoute {
  readonly url: string;
  readonly method: string | readonly string[];
}

interface RouteHooks {
  readonly onRequest?: onRequestHookHandler;
  readonly preValidation?: preValidationHookHandler;
}

/**
 * Adds hooks to the routes that they concern, behind the hooks that all requests have. Which routes these are is found
 * out once, at the start: the other routes pay nothing, and none has to ask.
 */
export function hookRoutes(
  app: NestFastifyApplication,
  concerns: (route: RegisteredRoute) => boolean,
  { onRequest, preValidation }: RouteHooks,
): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRoute', (route) => {
      if (!concerns(route)) return;
      if (onRequest) route.onRequest = withHook(route.onRequest, onRequest);
      if (preValidation) route.preValidation = withHook(route.preValidation, preValidation);
    });
}

/** Once each: the route for HEAD that Fastify adds to one for GET comes with the hooks of that. */
function withHook<Known extends object, Hook extends object>(
  hooks: Known | Known[] | undefined,
  hook: Hook,
): (Known | Hook)[] {
  const known = hooks === undefined ? [] : Array.isArray(hooks) ? hooks : [hooks];
  return [...new Set<Known | Hook>([...known, hook])];
}
