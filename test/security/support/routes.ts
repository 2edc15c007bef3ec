import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ask } from '../../community/support/person';

export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** A JSON schema, as far as it is looked into. */
export type Schema = Readonly<Record<string, unknown>>;

/** A parameter of a route, as OpenAPI has it. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** A route of the OpenAPI document. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The OpenAPI document of an app. */
export interface OpenApi {
  readonly routes: readonly Route[];
  readonly components: Schema;
}

/** Reads what an app says of itself. */
export async function readOpenApi(app: NestFastifyApplication): Promise<OpenApi> {
  const { body } = await ask<{
    paths: Record<string, Record<string, Omit<Route, 'method' | 'path'>>>;
    components: Schema;
  }>(app, 'GET', '/docs-json');
  const routes = Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([name, operation]) => {
      const method = methods.find((known) => known.toLowerCase() === name);
      if (!method) throw new Error(`${name} ${path} has a method that this test does not know.`);
      return { ...operation, method, path };
    }),
  );
  return { routes, components: body.components };
}
