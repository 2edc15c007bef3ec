import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
  Module,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { TerminusModule, HealthCheckService } from '@nestjs/terminus';
import { Test } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import {
  ActivityHealth,
  ActivityModule,
  ActivityService,
  LiveModule,
  METRICS_REGISTRY,
  RankService,
  type ActivityModuleOptions,
  REDIS_CLIENT,
} from '@laurel/activity';
import { Ledgers } from '@laurel/activity/internals';
import { eraseUser, freshPrefix, ManualClock, testRedisUrl, waitUntil } from './support';
import { dayBoard, oneTinyApp, platforms, TinyApp, withKey } from './support/tiny-app';

const praise = { userId: 'ada', action: 'praise', subject: '7' };

describe('forRootAsync', () => {
  const optionsOf = (): ActivityModuleOptions => ({ redis: { url: testRedisUrl() }, prefix: freshPrefix() });

  @Injectable()
  class OptionsFactory {
    createActivityOptions(): ActivityModuleOptions {
      return optionsOf();
    }
  }

  @Module({
    providers: [{ provide: 'PREFIX', useFactory: freshPrefix }, OptionsFactory],
    exports: ['PREFIX', OptionsFactory],
  })
  class ConfigModule {}

  it.each([
    [
      'a factory',
      () =>
        ActivityModule.forRootAsync({
          imports: [ConfigModule],
          inject: ['PREFIX'],
          useFactory: (prefix: string) => ({ ...optionsOf(), prefix }),
        }),
    ],
    ['a class', () => ActivityModule.forRootAsync({ useClass: OptionsFactory })],
    [
      'a provider that is there',
      () => ActivityModule.forRootAsync({ imports: [ConfigModule], useExisting: OptionsFactory }),
    ],
  ])('takes its options from %s', async (_, module) => {
    const ref = await Test.createTestingModule({ imports: [EventEmitterModule.forRoot(), module()] }).compile();
    await ref.init();
    expect(await ref.get(ActivityService).record(praise)).toMatchObject({ outcome: 'granted' });
    expect(await ref.get(RankService).standings('day')).toMatchObject({ total: 1 });
    await ref.close();
  });

  it('ends the start where an option is bad, naming it', async () => {
    const bad = Test.createTestingModule({
      imports: [ActivityModule.forRootAsync({ useFactory: () => ({ ...optionsOf(), timezone: 'Mars/Olympus' }) })],
    }).compile();
    await expect(bad).rejects.toThrow('timezone is "Mars/Olympus"');
  });
});

it('without SettlementModule, a user is told where they stand although a contest of long ago is gone, and without TitlesModule no stream has titles', async () => {
  const clock = new ManualClock('2036-11-20T08:00:00Z');
  const leaderboards = [dayBoard, { name: 'old', contest: { from: '2036-01-01', to: '2036-01-02' }, retentionMs: 0 }];
  const options = { redis: { url: testRedisUrl() }, prefix: freshPrefix(), leaderboards, clock };
  const imports = [EventEmitterModule.forRoot(), ActivityModule.forRoot(options), LiveModule.forRoot()];
  const ref = (await Test.createTestingModule({ imports }).compile()).createNestApplication(new FastifyAdapter());
  await ref.listen(0, '127.0.0.1');
  for (const path of ['day', 'day/stream'])
    expect((await fetch(`${await ref.getUrl()}/ranks/${path}?titles=true`)).status).toBe(400);
  const ranks = ref.get(RankService);
  await expect(ranks.standing('old', 'ada')).rejects.toMatchObject({ code: 'unknownPeriod' });
  expect((await ranks.everywhere('ada')).standings.map(({ leaderboard }) => leaderboard)).toEqual(['day']);
  await ref.close();
});

describe('a provider that a test replaces', () => {
  it('keeps no client open when the app closes', async () => {
    const client = new Redis(testRedisUrl());
    const clients = async () => {
      const lines = String(await client.client('LIST')).split('\n');
      return lines.filter((line) => line.includes('name=replaced')).length;
    };
    const url = testRedisUrl();
    const record = jest.fn();
    const ref = await Test.createTestingModule({
      imports: [EventEmitterModule.forRoot(), ActivityModule.forRoot({ redis: { url }, prefix: freshPrefix() })],
    })
      .overrideProvider(ActivityService)
      .useValue({ record })
      .compile();
    const app = ref.createNestApplication(new FastifyAdapter());
    await app.init();
    const own = app.get<Redis>(REDIS_CLIENT);
    await own.client('SETNAME', 'replaced');
    expect(app.get(ActivityService)).toEqual({ record });
    expect(await clients()).toBe(1);
    await app.close();
    await waitUntil(async () => own.status === 'end' && (await clients()) === 0);
    await client.quit();
  });

  it('keeps none open where it makes the shutdown fail, either', async () => {
    const ref = await Test.createTestingModule({
      imports: [
        EventEmitterModule.forRoot(),
        ActivityModule.forRoot({ redis: { url: testRedisUrl() }, prefix: freshPrefix() }),
      ],
    }).compile();
    ref.useLogger(false);
    await ref.init();
    const [own, ledger] = [ref.get<Redis>(REDIS_CLIENT), ref.get(Ledgers).main];
    jest.spyOn(ledger, 'close').mockImplementation(() => {
      throw new Error('a fault of the tests');
    });
    await ref.close().catch(() => undefined);
    await waitUntil(() => own.status === 'end');
  });
});

describe('controllers', () => {
  it('can be left out, those of optional modules with them', async () => {
    const app = await TinyApp.start({ extras: { controllers: false } });
    const answers = ['/ranks', '/ranks/day/periods', '/activity/rules'].map((path) => app.get(path));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await app.nest.get(RankService).standings('day')).toMatchObject({ total: 0 });
  });

  it('of an optional module that cannot be mounted as those of ActivityModule end the start', async () => {
    const options = { redis: { url: testRedisUrl() }, prefix: freshPrefix(), controllers: { path: 'api' } };
    // A copy says nothing to Nest, so the optional module takes what another app was given.
    const [copy, live] = [{ ...ActivityModule.forRoot(options) }, LiveModule.forRoot()];
    await TinyApp.start();
    const start = Test.createTestingModule({ imports: [EventEmitterModule.forRoot(), copy, live] }).compile();
    await expect(start).rejects.toThrow(/^controllers are not those of ActivityModule: give this module `activity` or/);
  });
});

describe.each(platforms)('on %s', (platform) => {
  const of = oneTinyApp({ platform });

  it('activities are recorded, ranked, adjusted, kept off, erased and taken back with their subject', async () => {
    const app = of();
    const view = { userId: 'eve', action: 'view', subject: 'page:1' };
    expect((await app.record(view, { ...praise, userId: 'eve' })).body.results).toMatchObject([
      { outcome: 'granted', points: 1 },
      { outcome: 'granted', points: 2 },
    ]);
    expect(await app.page('/ranks/day')).toEqual([[1, 'eve', 3]]);
    const adjustment = { userId: 'eve', points: 4, reason: 'thanks', id: '1' };
    expect(await app.post('/activity/adjustments', adjustment, withKey)).toMatchObject({ status: 200 });
    expect(await app.score('eve')).toBe(7);
    const excluded = await app.send('/activity/exclusions/eve', { method: 'PUT', headers: withKey });
    expect(excluded).toMatchObject({ status: 200, body: { excluded: true } });
    expect(await app.page('/ranks/day')).toEqual([]);
    expect(await app.delete('/activity/exclusions/eve')).toMatchObject({ status: 200, body: { excluded: false } });
    expect(await app.post('/activity/deletions', { subject: 'page:1' }, withKey)).toMatchObject({ status: 202 });
    await waitUntil(async () => (await app.score('eve')) === 6);
    expect(await app.get('/activity/users/eve/ledger', withKey)).toMatchObject({ status: 200, body: { points: 6 } });
    expect(await eraseUser(app, 'eve')).toMatchObject({ status: 202, body: { state: 'done' } });
    expect(await app.page('/ranks/day')).toEqual([]);
    const bodies = ['{', '[]', '{"events":7}', '{"events":[{}]}'];
    for (const body of bodies) expect((await app.post('/activity/events', body, withKey)).status).toBe(400);
  });

  describe("the app's own path, guards and decorators", () => {
    @Injectable()
    class Bouncer implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
        if (Reflect.getMetadata('house', context.getClass()) !== 'rules') throw new Error('the decorator is missing');
        if (headers['x-guest'] === undefined) throw new ForbiddenException('guests only');
        return true;
      }
    }
    const controllers = { path: '/api/v1', guards: [Bouncer], decorators: [SetMetadata('house', 'rules')] };
    const guarded = oneTinyApp({ platform, extras: { controllers } });

    it.each([
      ['ActivityModule', '/ranks', 200],
      ['AccountModule', '/activity/users/ann/ledger', 401],
      ['AdminModule', '/activity/operations', 401],
      ['LiveModule', '/ranks/none/stream', 404],
      ['LiveRulesModule', '/activity/rules', 401],
      ['ModerationModule', '/activity/exclusions', 401],
      ['SettlementModule', '/ranks/day/periods', 200],
    ])('given to ActivityModule are those of %s', async (_, path, status) => {
      expect(await guarded().get(path)).toMatchObject({ status: 404 });
      expect(await guarded().get(`/api/v1${path}`)).toMatchObject({ status: 403, body: { detail: 'guests only' } });
      expect(await guarded().get(`/api/v1${path}`, { 'x-guest': '1' })).toMatchObject({ status });
      expect(await of().get(path)).toMatchObject({ status });
    });
  });

  it("controllers run the app's own guards before the module's, so that they see each attempt with a key", async () => {
    let seen = 0;
    @Injectable()
    class Throttle implements CanActivate {
      canActivate(): boolean {
        seen += 1;
        if (seen > 2) throw new ForbiddenException('too many tries');
        return true;
      }
    }
    const guess = { authorization: 'Bearer guess' };
    const byOption = { guards: [Throttle] };
    const byDecorator = { decorators: [UseGuards(Throttle)] };
    for (const controllers of [byOption, byDecorator]) {
      const app = await TinyApp.start({ platform, extras: { controllers } });
      for (const path of ['adjustments', 'rules', 'exclusions', 'reviews', 'settlement', 'refusals']) {
        seen = 0;
        const answers = [1, 2, 3].map(() => app.get<{ detail: string }>(`/activity/${path}`, guess));
        const details = (await Promise.all(answers)).map(({ body }) => body.detail);
        expect([path, ...details.sort()]).toEqual([
          path,
          'The API key is not valid.',
          'The API key is not valid.',
          'too many tries',
        ]);
      }
    }
  });
});

describe('operations', () => {
  @Injectable()
  class Readiness {
    constructor(
      private readonly health: HealthCheckService,
      @Inject(ActivityHealth) private readonly activity: ActivityHealth,
    ) {}

    check() {
      return this.health.check([() => this.activity.check('redis')]);
    }
  }
  const metricsRegistry = new Registry();
  const of = oneTinyApp({ options: { metricsRegistry }, imports: [TerminusModule], providers: [Readiness] });

  it("put the module's metrics into the app's registry", async () => {
    const app = of();
    expect(app.nest.get(METRICS_REGISTRY)).toBe(metricsRegistry);
    await app.record(praise, praise);
    const text = await metricsRegistry.metrics();
    expect(text).toContain('laurel_activities_total{action="praise",outcome="granted"} 1');
    expect(text).toContain('laurel_activities_total{action="praise",outcome="duplicate"} 1');
    expect(text).toContain('laurel_pending_activities 0');
    expect(text).toContain('laurel_redis_up 1');
    expect(text).toContain('laurel_recording_seconds_count 1');
  });

  it('answer a terminus health check', async () => {
    expect(await of().nest.get(Readiness).check()).toMatchObject({
      status: 'ok',
      details: { redis: { status: 'up' } },
    });
  });
});
