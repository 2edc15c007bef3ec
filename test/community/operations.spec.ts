import { METRICS_REGISTRY } from '@laurel/activity';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DECORATORS } from '@nestjs/swagger';
import { getMetadataStorage } from 'class-validator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { ask, freshPrefix, ownCommunity, Person } from './support';
import { type KnownMetrics, readExpression } from './support/promql';

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, { operationId?: string; responses: Record<string, unknown> }>>;
}

const root = join(__dirname, '../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** A rule of ops/alerts.yml. */
interface Alert {
  readonly name: string;
  readonly expression: string;
  readonly text: string;
}

const alerts: readonly Alert[] = textOf('ops/alerts.yml')
  .split('- alert: ')
  .slice(1)
  .map((text) => ({
    name: /^\w+/.exec(text)?.[0] ?? '',
    expression: (/expr: ([^]*?)\n +(?:for|labels):/.exec(text)?.[1] ?? '').replace('>-', ''),
    text,
  }));

/** A panel of ops/dashboard.json, or one of its variables. */
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

const dashboard = JSON.parse(textOf('ops/dashboard.json')) as Dashboard;
const targets = dashboard.panels.flatMap((panel) => (panel.targets ?? []).map((target) => ({ ...panel, ...target })));

const community = ownCommunity(() => [
  {},
  // What has metrics only where it is switched on.
  { metricsKeptMs: 60_000, ingestStream: `${freshPrefix()}:in`, loadBounds: { maxRequests: 256, maxLateMs: Infinity } },
]);

describe('operations', () => {
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

  it('describes it in OpenAPI 3.1, each answer and each reference', async () => {
    const { status, body: document, text } = await ask<Document>(community.app, 'GET', '/docs-json');
    expect(status).toBe(200);
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
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
    const { text: page } = await ask(community.app, 'GET', '/docs');
    expect(page).toContain('<title>Laurel community: API</title>');
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

describe('what operators watch the community by', () => {
  let known: KnownMetrics;
  let names: readonly string[];

  beforeAll(() => {
    const registered = community.app.get<Registry>(METRICS_REGISTRY).getMetricsAsArray() as unknown as readonly {
      readonly name: string;
      readonly labelNames: readonly string[];
      readonly buckets?: readonly number[];
    }[];
    names = registered.map(({ name }) => name);
    known = new Map(
      registered.flatMap(({ name, labelNames, buckets }) => [
        [name, new Set(labelNames)] as const,
        ...(buckets ? [[`${name}_bucket`, new Set([...labelNames, 'le'])] as const] : []),
      ]),
    );
  });

  it('is read by tests that see a metric or a label that the app does not export', () => {
    const { unknown } = readExpression(
      'sum by (job, shard) (rate(laurel_gone_total{job="a"}[5m])) > 0.5 or laurel_redis_up{user="1"} offset 1h == 0',
      known,
    );
    expect(unknown).toEqual(['laurel_gone_total', 'laurel_redis_up{user}', 'by (shard)']);
  });

  it.each(alerts)(
    'has the alert $name, of metrics that there are, with its page to read',
    ({ name, expression, text }) => {
      const { metrics, unknown, labels } = readExpression(expression, known);
      expect(unknown).toEqual([]);
      expect(metrics).not.toEqual([]);
      const named = [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
      expect(named.filter((label) => !labels.has(label))).toEqual([]);
      expect(text).toMatch(/ summary: \S/);
      expect(text).toMatch(/ description: \S/);
      expect(text).toContain(` runbook: docs/runbooks.md#${name.toLowerCase()}\n`);
    },
  );

  it('has a runbook for each alert, and none besides', () => {
    const headings = [...textOf('docs/runbooks.md').matchAll(/^## (Laurel\w+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(alerts.map(({ name }) => name));
  });

  it('has, for each alert, a case in which it fires and one in which it is quiet', () => {
    const cases = textOf('ops/alerts.test.yml').split('- expr: ').slice(1);
    const missing = alerts.flatMap(({ name }) => {
      const own = cases.filter((one) => one.startsWith(`ALERTS{alertname="${name}", alertstate="firing"}`));
      return [/exp_samples: \[\]/, /exp_samples:\n +- labels:/].every((wanted) => own.some((one) => wanted.test(one)))
        ? []
        : [name];
    });
    expect(missing).toEqual([]);
  });

  it('has a dashboard of metrics that there are', () => {
    const faulty = targets.flatMap(({ title, expr, legendFormat }) => {
      const { unknown, labels } = readExpression(expr, known);
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      return [...unknown, ...named.filter((label) => !labels.has(label))].map((one) => `${title}: ${one}`);
    });
    expect(faulty).toEqual([]);
    const asked = dashboard.templating.list.flatMap(({ definition = '' }) =>
      [...definition.matchAll(/^label_values\((\w+)/g)].map(([, metric = '']) => metric),
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has every metric of its own on the dashboard', () => {
    const shown = new Set(targets.flatMap(({ expr }) => readExpression(expr, known).metrics));
    const missing = names.filter(
      (name) => name.startsWith('laurel_') && !shown.has(name) && !shown.has(`${name}_bucket`),
    );
    expect(missing).toEqual([]);
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
