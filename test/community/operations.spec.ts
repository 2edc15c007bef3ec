import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DECORATORS } from '@nestjs/swagger';
import { getMetadataStorage } from 'class-validator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestCommunity } from './support/community';
import { ask, Person } from './support/person';

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, { operationId?: string; responses: Record<string, unknown> }>>;
}

describe('operations', () => {
  let community: TestCommunity;

  beforeAll(async () => {
    community = await TestCommunity.start({}, { metricsKeptMs: 60_000 });
  });
  afterAll(() => community.stop());

  it('says that it lives and is ready', async () => {
    expect(await ask(community.app, 'GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await ask(community.app, 'GET', '/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', details: { redis: { status: 'up' }, database: { status: 'up' } } },
    });
  });

  it('gives metrics of the process and of the leaderboards', async () => {
    const person = await Person.register(community.app);
    await person.writes();
    const { status, headers, text } = await ask(community.app, 'GET', '/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toMatch(/^laurel_redis_up 1$/m);
    expect(text).toMatch(/^process_cpu_user_seconds_total /m);
    // Found out once for all who ask within a moment.
    expect((await ask(community.app, 'GET', '/metrics')).text).toBe(text);
  });

  it('serves the OpenAPI document that the types of the pages are made from', async () => {
    const { body } = await ask<unknown>(community.app, 'GET', '/docs-json');
    const committed = readFileSync(join(__dirname, '../../apps/community/openapi.json'), 'utf8');
    expect(body).toEqual(JSON.parse(committed));
  });

  it('describes every route of the contract in OpenAPI 3.1', async () => {
    const { status, body: document, text } = await ask<Document>(community.app, 'GET', '/docs-json');
    expect(status).toBe(200);
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        route: `${method.toUpperCase()} ${path}`,
        ...operation,
      })),
    );
    expect(operations.map(({ route }) => route)).toEqual(
      expect.arrayContaining([
        'GET /ranks',
        'GET /ranks/{leaderboard}',
        'GET /ranks/{leaderboard}/users/{userId}',
        'GET /ranks/{leaderboard}/users/{userId}/around',
        'POST /ranks/{leaderboard}/lookup',
        'GET /activity/users/{userId}',
        'POST /activity/events',
        'POST /auth/register',
        'POST /auth/login',
        'GET /articles',
        'POST /articles',
        'GET /articles/{id}',
        'POST /articles/{id}/publish',
        'PUT /articles/{id}/praise',
        'DELETE /articles/{id}/praise',
        'PUT /articles/{id}/collect',
        'DELETE /articles/{id}/collect',
        'POST /articles/{id}/comments',
        'DELETE /comments/{id}',
        'PUT /users/{id}/follow',
        'DELETE /users/{id}/follow',
        'GET /users/{id}',
        'GET /health/live',
        'GET /health/ready',
        'GET /metrics',
      ]),
    );
    expect(operations.filter(({ responses }) => Object.keys(responses).length === 0)).toEqual([]);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = reference
        .split('/')
        .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document);
      expect([reference, typeof target]).toEqual([reference, 'object']);
    }
    // A keyword of OpenAPI 3.0 that 3.1 ignores: null would not be allowed where it is used.
    expect(text).not.toContain('"nullable"');
    expect((await ask(community.app, 'GET', '/docs')).status).toBe(200);
  });

  it('describes every field it validates without a compiler plugin: the built app serves this document', () => {
    const fields = inputs(community.app).flatMap((input) => {
      const described = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, input.prototype) as
        string[] | undefined;
      return getMetadataStorage()
        .getTargetValidationMetadatas(input, '', false, false)
        .map(({ propertyName }) => ({
          field: `${input.name}.${propertyName}`,
          isDescribed: described?.includes(`:${propertyName}`) ?? false,
        }));
    });
    expect(fields.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['StandingsQuery.limit', 'Registration.password', 'HoldOptions.userId']),
    );
    expect(fields.filter(({ isDescribed }) => !isDescribed)).toEqual([]);
    expect(readFileSync(join(__dirname, '../../nest-cli.json'), 'utf8')).not.toContain('"plugins"');
  });

  it('lists the boards, and what each action is worth', async () => {
    const { body } = await ask<{ leaderboards: { name: string }[] }>(community.app, 'GET', '/ranks');
    expect(body.leaderboards.map(({ name }) => name)).toEqual([
      'day',
      'week',
      'month',
      'all',
      'category-week',
      'category-month',
    ]);
    const { body: points } = await ask<{ actions: object[] }>(community.app, 'GET', '/points');
    expect(points.actions).toContainEqual({ action: 'publish', points: 10, revocable: true });
  });

  it('serves the page with a policy under which nothing foreign and nothing inline runs', async () => {
    const { text } = await ask(community.app, 'GET', '/');
    const parts = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, url = '']) => url);
    expect(parts.some((url) => url.endsWith('.js')) && parts.some((url) => url.endsWith('.css'))).toBe(true);
    for (const url of ['/', ...parts]) {
      const { status, headers } = await ask(community.app, 'GET', url);
      expect([url, status]).toEqual([url, 200]);
      expect(headers['content-security-policy']).toMatch(/default-src 'none'; ?script-src 'self'/);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    expect(text).not.toMatch(/https?:\/\/|<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=/);
  });
});

/** The classes of what the routes take. */
function inputs(app: NestFastifyApplication): (new () => object)[] {
  const scanner = new MetadataScanner();
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  const types = controllers.flatMap(({ metatype }) => {
    const prototype: object = (metatype as { readonly prototype: object } | null)?.prototype ?? {};
    return scanner
      .getAllMethodNames(prototype)
      .flatMap((name) => (Reflect.getMetadata('design:paramtypes', prototype, name) ?? []) as (new () => object)[]);
  });
  return [...new Set(types)];
}
