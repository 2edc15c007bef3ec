import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RegisteredRoute } from './hook-routes';

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

/** Whether a route takes bodies that only the API key may send. */
export const isBulk = ({ method, url }: RegisteredRoute) => method === 'POST' && bulk.includes(url);
