import { type INestApplication, type ModuleMetadata, type Provider, type Type } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { ProblemFilter } from '@laurel/activity';
import { problemFastifyOptions } from '@laurel/activity/internals';
import { activityImports, type AllExtras, type AllOptions } from '../../../support/activity-imports';
import { freshPrefix, testRedisUrl } from '../../../support/redis';

/** The platforms that the module must work on. */
export const platforms = ['fastify', 'express'] as const;
export type Platform = (typeof platforms)[number];

export const apiKey = 'the-key-of-the-tests';

export interface TinyAppOptions {
  readonly platform?: Platform;
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

const running: INestApplication[] = [];

/** Stops every app of this suite: `afterEach(stopTinyApps)`. */
export async function stopTinyApps(): Promise<void> {
  await Promise.all(running.splice(0).map((app) => app.close()));
}

/** A Nest app with the module, and an HTTP client for it. */
export class TinyApp {
  private constructor(
    readonly nest: INestApplication,
    private readonly url: string,
  ) {}

  /** Starts one on a free port of the loopback. */
  static async start(given: TinyAppOptions = {}): Promise<TinyApp> {
    const { platform = 'fastify', options, extras, imports = [], controllers = [], providers = [] } = given;
    const ref = await Test.createTestingModule({
      imports: activityImports(
        {
          redis: { url: testRedisUrl() },
          prefix: freshPrefix(),
          ...(!given.withoutKey && { apiKey }),
          cacheMs: 0,
          ...options,
          ...extras,
        },
        imports,
      ),
      controllers: [...controllers],
      providers: [{ provide: APP_FILTER, useExisting: ProblemFilter }, ...providers],
    }).compile();
    const nest =
      platform === 'fastify'
        ? ref.createNestApplication(new FastifyAdapter({ ...problemFastifyOptions }))
        : ref.createNestApplication(new ExpressAdapter());
    nest.useLogger(false);
    given.configure?.(nest);
    running.push(nest);
    await nest.listen(0, '127.0.0.1');
    return new TinyApp(nest, await nest.getUrl());
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
