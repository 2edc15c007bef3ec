// The OpenAPI document of the community, which has the routes of the library too, and what guards each route.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('./register-typescript.cjs');
require('reflect-metadata');
const { ModulesContainer, NestFactory } = require('@nestjs/core');
const { FastifyAdapter } = require('@nestjs/platform-fastify');
const { CommunityModule } = require('../apps/community/src/community.module.ts');
const { openApiDocument } = require('../apps/community/src/serving/openapi.ts');

/** As the app starts, but for what needs a server: Nest's preview reads the routes and creates nothing. */
const module = CommunityModule.forRoot({ databaseUrl: '', authSecret: '', activity: { redis: {} } });
const app = await NestFactory.create(module, new FastifyAdapter(), { preview: true, logger: ['error'] });

export const document = openApiDocument(app);

const controllers = [...app.get(ModulesContainer).values()].flatMap((one) => [...one.controllers.values()]);

/** The names of the guards of a route, by its `operationId`. */
export function guardsOf(operationId) {
  const [controller, method] = operationId.split('_');
  const { metatype } = controllers.find((one) => one.name === controller);
  const guarded = [metatype, metatype.prototype[method]];
  return guarded.flatMap((place) => Reflect.getMetadata('__guards__', place) ?? []).map(({ name }) => name);
}
