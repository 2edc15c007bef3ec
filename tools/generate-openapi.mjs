// Writes the community's OpenAPI document into apps/community/openapi.json, and the pages' types from it into
// apps/web/src/contract/api.generated.ts. The types say by a digest what they were made from, so that a check needs not
// make them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { put, root } from './pages.mjs';

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

/** The OpenAPI document of the community, which has the routes of the library too. */
export const document = openApiDocument(app);

const controllers = [...app.get(ModulesContainer).values()].flatMap((one) => [...one.controllers.values()]);

/** The names of the guards of a route, by its `operationId`. */
export function guardsOf(operationId) {
  const [controller, method] = operationId.split('_');
  const { metatype } = controllers.find((one) => one.name === controller);
  const guarded = [metatype, metatype.prototype[method]];
  return guarded.flatMap((place) => Reflect.getMetadata('__guards__', place) ?? []).map(({ name }) => name);
}

const documentFile = 'apps/community/openapi.json';
const typesFile = 'apps/web/src/contract/api.generated.ts';
const text = `${JSON.stringify(document, null, 2)}\n`;

/** What the pages' types are made of: what is answered, but for problems, which the pages read in one place. */
function forPages() {
  const copy = JSON.parse(text);
  for (const operation of Object.values(copy.paths).flatMap(Object.values)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (status.startsWith('2')) delete response.headers;
      else delete operation.responses[status];
    }
  }
  return copy;
}

async function typesOf(source) {
  const { astToString, default: openapiTS } = await import('openapi-typescript');
  return astToString(await openapiTS(source, { immutable: true, rootTypes: true, rootTypesNoSchemaPrefix: true }));
}

const isCheck = process.argv.includes('--check');
const types = isCheck
  ? readFileSync(join(root, typesFile), 'utf8').split('\n').slice(2).join('\n')
  : await typesOf(forPages());
const digest = createHash('sha256').update(text).update(types).digest('hex');
const opening = `// Generated from ${documentFile} by \`npm run generate\`. Do not edit.\n// sha256 of that and of what follows: ${digest}\n`;
put(documentFile, text);
put(typesFile, opening + types);
