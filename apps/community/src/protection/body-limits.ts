import { admitted, ApiKey } from '@laurel/activity/http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { hookRoutes } from './hook-routes';

/** A thousand events with the longest ids and subjects, every character escaped. */
export const maxBodyBytes = 4 * 1_024 * 1_024;

/** The longest article, every character escaped: six bytes for each half of a surrogate pair. */
const maxUsualBodyBytes = 640 * 1_024;

/** Routes behind the API key whose bodies hold many items. */
const bulk: readonly string[] = ['/activity/events', '/activity/rules'];

/** Refuses a body beyond the bound of its route with 413, before it is read to its end. */
export function limitBodies(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRoute', (route) => {
      route.bodyLimit ??= bulk.includes(route.url) ? maxBodyBytes : maxUsualBodyBytes;
    });
}

/** Refuses large bodies without the API key as the route itself would, before a byte of the body is held. */
export function guardBulk(app: NestFastifyApplication): void {
  const apiKey = app.get(ApiKey);
  hookRoutes(app, ({ method, url }) => method === 'POST' && bulk.includes(url), {
    onRequest: (request, _reply, done) => {
      admitted(apiKey.check(request));
      done();
    },
  });
}
