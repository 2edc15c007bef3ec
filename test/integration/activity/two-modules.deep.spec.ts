import { Controller, Get, Module, Param, type Type } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { Registry } from 'prom-client';
import {
  ActivityModule,
  getActivityToken,
  METRICS_REGISTRY,
  RankService,
  ScoreVisit,
  VisitInterceptor,
} from '@laurel/activity';
import { freshPrefix, testRedisUrl, waitUntil } from './support';
import { apiKey, platforms, stopTinyApps, TinyApp } from './support/tiny-app';

const praise = { userId: 'ada', action: 'praise', subject: '7' };

@Controller('articles')
class Articles {
  @Get(':id')
  @ScoreVisit()
  read(@Param('id') id: string): string {
    return id;
  }
}

interface Page {
  readonly total: number;
  readonly entries: readonly { readonly userId: string; readonly score: number }[];
}

it.each(platforms)('two modules on %s each record a visit, by rules and on boards of their own', async (platform) => {
  const common = { currentUser: () => 'ada', metricsRegistry: new Registry(), cacheMs: 0 };

  @Module({
    imports: [
      ActivityModule.forRoot({
        ...{ redis: { url: testRedisUrl() }, prefix: freshPrefix(), apiKey, ...common },
        ...{ isGlobal: false, controllers: { path: 'two' } },
        rules: [{ action: 'view', points: 5, revocable: false }],
      }),
    ],
    providers: [{ provide: APP_INTERCEPTOR, useExisting: VisitInterceptor }],
  })
  class Feature {}

  const app = await TinyApp.start({
    platform,
    options: common,
    extras: { isGlobal: false, controllers: { path: 'one' } },
    imports: [Feature],
    controllers: [Articles],
    providers: [{ provide: APP_INTERCEPTOR, useExisting: VisitInterceptor }],
  });
  expect(await app.get('/articles/1')).toMatchObject({ status: 200 });
  const page = async (path: string) => (await app.get<Page>(`${path}/ranks/day`)).body;
  await waitUntil(async () => (await page('/one')).total > 0 && (await page('/two')).total > 0);
  expect(await page('/one')).toMatchObject({ total: 1, entries: [{ userId: 'ada', score: 1 }] });
  expect(await page('/two')).toMatchObject({ total: 1, entries: [{ userId: 'ada', score: 5 }] });
});

describe('a named module', () => {
  it('hears, announces, records visits and measures apart from the one without a name', async () => {
    const blog = ActivityModule.forRoot({
      ...{ redis: { url: testRedisUrl() }, prefix: freshPrefix(), currentUser: () => 'ada', cacheMs: 0 },
      ...{ name: 'blog', isGlobal: false, controllers: false },
    });
    const app = await TinyApp.start({
      imports: [blog],
      controllers: [Articles],
      providers: [{ provide: APP_INTERCEPTOR, useExisting: getActivityToken(VisitInterceptor, 'blog') }],
    });
    const ofBlog = <T>(provided: Type<T>) => app.nest.get<T>(getActivityToken(provided, 'blog'), { strict: false });
    const [main, own, emitter] = [app.nest.get(RankService), ofBlog(RankService), app.nest.get(EventEmitter2)];
    const announced: string[] = [];
    for (const name of ['activity.recorded', 'blog.activity.recorded']) emitter.on(name, () => announced.push(name));

    await emitter.emitAsync('blog.activity.praise', praise);
    expect((await own.standings('day')).entries).toMatchObject([{ userId: 'ada', score: 2 }]);
    expect((await main.standings('day')).total).toBe(0);
    await waitUntil(() => announced.length > 0);

    await app.get('/articles/1');
    await waitUntil(async () => (await own.standings('day')).entries[0]?.score === 3);
    await emitter.emitAsync('activity.praise', { ...praise, userId: 'bob' });
    expect((await main.standings('day')).entries).toMatchObject([{ userId: 'bob', score: 2 }]);
    expect((await own.standings('day')).total).toBe(1);
    await waitUntil(() => announced.includes('activity.recorded'));
    expect(new Set(announced.slice(0, -1))).toEqual(new Set(['blog.activity.recorded']));

    const registry = app.nest.get<Registry>(getActivityToken(METRICS_REGISTRY, 'blog'), { strict: false });
    expect(await registry.metrics()).toMatch(/^laurel_activities_total{action="view",outcome="granted"} 1$/m);
    expect(await app.metrics()).not.toMatch(/action="view"/);
  });

  it('is refused by name where its name cannot be one', async () => {
    const extras = { name: 'My blog' };
    await expect(TinyApp.start({ extras })).rejects.toThrow(/^name is "My blog": use 1 to 32 of a-z, 0-9 and "-"/);
  });
});

describe('a registry that outlives an app', () => {
  it('shows nothing of a module that refused to start', async () => {
    const [metricsRegistry, prefix] = [new Registry(), freshPrefix()];
    const app = await TinyApp.start({ options: { metricsRegistry, prefix, shards: 1 } });
    await app.record(praise);
    const misfit = TinyApp.start({ options: { metricsRegistry, prefix, shards: 2 } });
    await expect(misfit).rejects.toMatchObject({ code: 'shardCountMismatch' });
    expect(await metricsRegistry.metrics()).toMatch(/^laurel_redis_up 1$/m);
  });

  it('goes on counting at the next start, and shows nothing of what has closed', async () => {
    const metricsRegistry = new Registry();
    for (const starts of [1, 2]) {
      const app = await TinyApp.start({ options: { metricsRegistry } });
      await app.record(praise);
      const text = await metricsRegistry.metrics();
      expect(text).toContain(`laurel_activities_total{action="praise",outcome="granted"} ${starts}\n`);
      expect(text).toMatch(/^laurel_redis_up 1$/m);
      await stopTinyApps();
      const after = await metricsRegistry.metrics();
      expect(after).toContain(`laurel_activities_total{action="praise",outcome="granted"} ${starts}\n`);
      expect(after).not.toMatch(/^laurel_(redis_up|pending_activities|observer_waiting|stream_listeners) /m);
    }
  });
});
