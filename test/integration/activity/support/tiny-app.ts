import { type INestApplication, type ModuleMetadata, type Provider, type Type } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { ActivityService, METRICS_REGISTRY, ProblemFilter } from '@laurel/activity';
import { problemFastifyOptions } from '@laurel/activity/http';
import { type RankPage, type RankStanding } from '@laurel/activity/internals';
import { BoardAudits } from '@laurel/reports';
import { activityImports, type AllExtras, type AllOptions } from '../../../support/activity-imports';
import { afterThisTest } from '../../../support/endings';
import { freshPrefix, testRedisUrl } from '../../../support/redis';

/** The platforms that the module must work on. */
export const platforms = ['fastify', 'express'] as const;
export type Platform = (typeof platforms)[number];

export const apiKey = 'the-key-of-the-tests';

/** Leaderboards that many apps have. */
export const dayBoard = { name: 'day', period: 'day' } as const;
export const monthBoard = { name: 'month', period: 'month' } as const;
export const allBoard = { name: 'all', period: 'all' } as const;

export interface TinyAppOptions {
  readonly platform?: Platform | 'http2';
  readonly options?: Partial<AllOptions>;
  readonly extras?: AllExtras;
  readonly imports?: ModuleMetadata['imports'];
  readonly controllers?: readonly Type[];
  readonly providers?: readonly Provider[];
  /** Leaves the API key out. */
  readonly withoutKey?: boolean;
  /** Called before the app listens. */
  readonly configure?: (app: INestApplication) => void;
}

export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

const running = new Set<INestApplication>();

const stop = async (app: INestApplication): Promise<void> => {
  if (running.delete(app)) await app.close();
};

/** Stops every app of this test, before its end. */
export async function stopTinyApps(): Promise<void> {
  await Promise.all([...running].map(stop));
}

/** One app for all tests of a `describe`, or of a file: each keeps to users, subjects and days of its own. */
export function oneTinyApp(given: TinyAppOptions | (() => TinyAppOptions) = {}): () => TinyApp {
  let app: TinyApp | undefined;
  beforeAll(async () => {
    app = await TinyApp.start(typeof given === 'function' ? given() : given);
    running.delete(app.nest);
  });
  afterAll(() => app?.nest.close());
  return () => {
    if (!app) throw new Error('The app of a suite is there in its tests and hooks alone.');
    return app;
  };
}

/** A Nest app with the module, and an HTTP client for it. */
export class TinyApp {
  private constructor(
    readonly nest: INestApplication,
    private readonly url: string,
    readonly prefix: string,
  ) {}

  /** Starts one on a free port of the loopback, which is stopped after the test. */
  static async start(given: TinyAppOptions = {}): Promise<TinyApp> {
    const { platform = 'fastify', options, extras, imports = [], controllers = [], providers = [] } = given;
    const prefix = options?.prefix ?? freshPrefix();
    const ref = await Test.createTestingModule({
      imports: activityImports(
        {
          redis: { url: testRedisUrl() },
          ...(!given.withoutKey && { apiKey }),
          cacheMs: 0,
          // Users sign in by a header.
          currentUser: (request) => (request as { headers: Record<string, string> }).headers['x-user'] || null,
          ...options,
          prefix,
          ...extras,
        },
        imports,
      ),
      controllers: [...controllers],
      providers: [{ provide: APP_FILTER, useExisting: ProblemFilter }, ...providers],
    }).compile();
    const nest =
      platform === 'express'
        ? ref.createNestApplication(new ExpressAdapter())
        : ref.createNestApplication(
            new FastifyAdapter({ ...problemFastifyOptions, ...(platform === 'http2' && { http2: true }) }),
          );
    nest.useLogger(false);
    given.configure?.(nest);
    running.add(nest);
    afterThisTest(() => stop(nest));
    await nest.listen(0, '127.0.0.1');
    return new TinyApp(nest, await nest.getUrl(), prefix);
  }

  get service(): ActivityService {
    return this.nest.get(ActivityService);
  }

  get<Body = never>(path: string, headers: Record<string, string> = {}): Promise<Answer<Body>> {
    return this.send<Body>(path, { headers });
  }

  post<Body = never>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer<Body>> {
    return this.send<Body>(path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  /** Records events as another service does. */
  record(
    ...events: readonly object[]
  ): Promise<Answer<{ results: { outcome: string; points: number; scores: object; excluded?: true }[] }>> {
    return this.post('/activity/events', { events }, withKey);
  }

  delete<Body = never>(path: string): Promise<Answer<Body>> {
    return this.send<Body>(path, { method: 'DELETE', headers: withKey });
  }

  /** Rank, user and points of the entries of a page of standings. */
  async page(path: string): Promise<[number, string, number][]> {
    const { status, body } = await this.get<RankPage>(path);
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${JSON.stringify(body)}`);
    return body.entries.map(({ rank, userId, score }) => [rank, userId, score]);
  }

  /** All pages of a list, each by the cursor of the one before; the path has a query. */
  async pages<Page extends { readonly next: string | null }>(path: string, headers = {}): Promise<Page[]> {
    const pages: Page[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, body }: Answer<Page> = await this.get<Page>(path + cursor, headers);
      if (status !== 200) throw new Error(`${path} was answered ${status}: ${JSON.stringify(body)}`);
      pages.push(body);
      cursor = body.next === null ? null : `&cursor=${encodeURIComponent(body.next)}`;
    }
    return pages;
  }

  /** A user's points on a leaderboard, excluded or not. */
  async score(userId: string, leaderboard = 'day'): Promise<number> {
    const path = `/ranks/${leaderboard}/users/${encodeURIComponent(userId)}`;
    const { status, body } = await this.get<RankStanding>(path, withKey);
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${JSON.stringify(body)}`);
    return body.entry.score;
  }

  /** What Prometheus is told. */
  metrics(): Promise<string> {
    return this.nest.get<{ metrics(): Promise<string> }>(METRICS_REGISTRY).metrics();
  }

  /** A metric's value, by its name and labels; not a number where it is not told. */
  async metric(name: string): Promise<number> {
    const text = await this.metrics();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length),
    );
  }

  /** What the boards say otherwise than the ledgers, and what could not be compared. */
  async differences(): Promise<unknown[]> {
    const found: unknown[] = [];
    const { gaps } = await this.nest.get(BoardAudits).verify({ onDifference: (one) => found.push(one) });
    return [...found, ...gaps];
  }

  async send<Body>(path: string, init: RequestInit = {}): Promise<Answer<Body>> {
    const response = await fetch(this.url + path, { redirect: 'manual', ...init });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson && text !== '' ? JSON.parse(text) : text) as Body,
    };
  }
}

/** The headers of a service that has the key. */
export const withKey = { authorization: `Bearer ${apiKey}` };
