import {
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Head,
  Header,
  HttpCode,
  HttpException,
  Injectable,
  Logger,
  type NestInterceptor,
  Param,
  ParseIntPipe,
  Post,
  Redirect,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { once } from 'node:events';
import { get } from 'node:http';
import { mergeMap, type Observable } from 'rxjs';
import { ActivityService, defaultRules, type Rule, ScoreVisit, SkipVisit, VisitInterceptor } from '@laurel/activity';
import { testZone } from '../../support/midday-zone';
import { dayBoard, ManualClock, oneTinyApp, platforms, TinyApp, type TinyAppOptions, waitUntil } from './support';

/** Signs in the user whom the request names. */
@Injectable()
class Sign implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    if (request.headers['x-user'] !== undefined) request.user = { id: request.headers['x-user'] };
    return true;
  }
}

@ScoreVisit()
@Controller('articles')
class Articles {
  @Get()
  list(): string {
    return 'articles';
  }

  @Get('search')
  @SkipVisit()
  search(): string {
    return 'found';
  }

  @Get('moved')
  @Redirect('/articles', 302)
  moved(): void {
    return;
  }

  @Get('broken')
  broken(): never {
    throw new Error('it broke');
  }

  @Get('forbidden')
  forbidden(): never {
    throw new HttpException('no', 403);
  }

  @Get('unchanged')
  @HttpCode(304)
  unchanged(): void {
    return;
  }

  @Post()
  write(): string {
    return 'written';
  }

  @Head('headers')
  headers(): void {
    return;
  }

  @Get(':id')
  read(@Param('id') id: string): string {
    if (id === 'gone') throw new HttpException('no such article', 404);
    return `article ${id}`;
  }
}

@Controller('health')
class Plain {
  @Get()
  health(): string {
    return 'up';
  }
}

/** A controller of one page that is scored, with what else stands at it. */
function pageAt(path: string, ...decorators: readonly ClassDecorator[]): Type {
  @ScoreVisit()
  @Controller(path)
  class Page {
    @Get()
    page(): string {
      return 'page';
    }
  }
  for (const decorate of decorators) decorate(Page);
  return Page;
}

const withVisits = (given: TinyAppOptions): TinyAppOptions => ({
  ...given,
  options: { currentUser: undefined, timezone: testZone, ...given.options },
  controllers: [Articles, Plain, ...(given.controllers ?? [])],
  providers: [
    { provide: APP_GUARD, useClass: Sign },
    { provide: APP_INTERCEPTOR, useExisting: VisitInterceptor },
  ],
});

/** An app of a test's own. */
const start = async (given: TinyAppOptions) => using(await TinyApp.start(withVisits(given)));

function using(app: TinyApp) {
  const { service } = app;
  const views = async (user: string) => (await service.history(user)).days[0]?.actions.view ?? 0;
  const visit = (path: string, user?: string, init: RequestInit = {}) =>
    app.send<unknown>(path, { ...init, ...(user !== undefined && { headers: { 'x-user': user } }) });
  /** Visits are recorded after the answer and in order: when this one is, those before it are as well. */
  const settled = async (user: string) => {
    const before = await views(user);
    await visit(`/articles/last-${before}`, user);
    await waitUntil(async () => (await views(user)) > before, { what: 'the last visit being recorded' });
    return (await views(user)) - 1;
  };
  return { app, visit, views, settled };
}

let tests = 0;
/** The reader of a test. */
let ada = 'ada';
beforeEach(() => (ada = `ada ${++tests}`));

describe.each(platforms)('visits on %s', (platform) => {
  const app = oneTinyApp(withVisits({ platform }));
  const shared = () => using(app());

  it('score once a day for each page, however its address is written', async () => {
    const { visit, settled } = shared();
    for (const path of ['/articles/7', '/articles/7?from=mail', '/articles/7/', '/articles/%37', '/articles/7#top']) {
      await visit(path, ada);
    }
    expect(await settled(ada)).toBe(1);
    await visit('/articles/8', ada);
    await visit('/articles', ada);
    expect(await settled(ada)).toBe(4);
    await visit('/articles/7', 'bob');
    expect(await settled('bob')).toBe(1);
  });

  it('earn nothing on invented paths, redirects, errors, unchanged pages, other methods and unmarked routes', async () => {
    const { visit, settled } = shared();
    const statuses = [
      await visit('/nowhere', ada),
      await visit('/articles/gone', ada),
      await visit('/articles/moved', ada),
      await visit('/articles/broken', ada),
      await visit('/articles/forbidden', ada),
      await visit('/articles/unchanged', ada),
      await visit('/articles/search', ada),
      await visit('/health', ada),
      await visit('/articles', ada, { method: 'POST' }),
      await visit('/articles/7', ada, { method: 'HEAD' }),
      await visit('/articles/headers', ada, { method: 'HEAD' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 302, 500, 403, 304, 200, 200, 201, 200, 200]);
    expect(await settled(ada)).toBe(0);
  });

  it('earn nothing when nobody reads: prefetched, embedded, fetched as HTML by a script, or by a bot', async () => {
    @ScoreVisit()
    @Controller('web')
    class Web {
      @Get('html')
      @Header('content-type', 'text/html; charset=utf-8')
      html(): string {
        return '<!doctype html><title>A page</title>';
      }

      @Get('turbo')
      @ScoreVisit({ isReadByScripts: true })
      @Header('content-type', 'text/html')
      turbo(): string {
        return '<turbo-frame id="page"></turbo-frame>';
      }

      @Get('json/:id')
      json(@Param('id') id: string) {
        return { id };
      }
    }
    const { app, settled } = await start({ platform, controllers: [Web] });
    const ask = async (path: string, headers: Record<string, string>) =>
      expect(await app.get(path, { 'x-user': ada, ...headers })).toMatchObject({ status: 200 });
    const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36';
    await ask('/web/json/1', { 'sec-purpose': 'prefetch;prerender' });
    await ask('/web/json/6', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' });
    await ask('/web/html', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' });
    await ask('/web/html', { 'x-requested-with': 'XMLHttpRequest' });
    await ask('/web/json/8', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' });
    expect(await settled(ada)).toBe(0);
    const metrics = await app.metrics();
    for (const [reason, count] of Object.entries({ prefetch: 1, background: 3, bot: 1 })) {
      expect(metrics).toContain(`laurel_visits_unread_total{reason="${reason}"} ${count}`);
    }
    await ask('/web/html', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'user-agent': browser });
    await ask('/web/json/1', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'user-agent': browser });
    await ask('/web/turbo', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'user-agent': browser });
    expect(await settled(ada)).toBe(4);
  });

  it('are of bots as the app says', async () => {
    const isBot = (userAgent: string) => userAgent.startsWith('Ours');
    const { visit, settled, app } = await start({ platform, options: { isBot } });
    await app.get('/articles/7', { 'x-user': ada, 'user-agent': 'Ours/1.0' });
    expect(await settled(ada)).toBe(0);
    await app.get('/articles/7', { 'x-user': ada, 'user-agent': 'Googlebot/2.1' });
    await visit('/articles/8', ada);
    expect(await settled(ada)).toBe(3);
  });

  it('earn nobody anything where nobody is signed in', async () => {
    const { visit, settled, views } = shared();
    await visit('/articles/7');
    expect(await settled(ada)).toBe(0);
    expect(await views('undefined')).toBe(0);
    expect(await views('null')).toBe(0);
  });

  it('meet the interceptor twice and count once', async () => {
    const controllers = [pageAt('twice', UseInterceptors(VisitInterceptor))];
    const { app, visit, settled } = await start({ platform, controllers });
    await visit('/twice', ada);
    expect(await settled(ada)).toBe(1);
    const metrics = await app.metrics();
    expect(metrics).toContain('laurel_activities_total{action="view",outcome="granted"} 2');
    expect(metrics).not.toContain('outcome="duplicate"');
  });

  it('count on the part of a leaderboard that the answer tells, and are dropped where telling it fails', async () => {
    @ScoreVisit({ partitions: ({ team }: { team: string | null }) => (team === null ? null : { team }) })
    @Controller('teams')
    class Teams {
      @Get(':team')
      page(@Param('team') team: string) {
        return team === 'broken' ? null : { team: team === 'none' ? null : team };
      }
    }
    const leaderboards = [dayBoard, { name: 'team', period: 'day', partition: 'team' }] as const;
    const { app, visit, settled } = await start({ platform, controllers: [Teams], options: { leaderboards } });
    for (const path of ['/teams/red', '/teams/red', '/teams/blue', '/teams/none', '/teams/broken']) {
      expect(await visit(path, ada)).toMatchObject({ status: 200 });
    }
    expect(await settled(ada)).toBe(3);
    for (const team of ['red', 'blue']) {
      const { body } = await app.get<{ entries: object[] }>(`/ranks/team?partition=${team}`);
      expect(body.entries).toMatchObject([{ userId: ada, score: 1 }]);
    }
    expect(await app.metric('laurel_visits_dropped_total')).toBe(1);
  });

  it('are of the subject and the owner that the answer tells, however the address spells them', async () => {
    interface Page {
      readonly id: number;
      readonly author: string;
    }
    @ScoreVisit({
      subject: ({ id }: Page) => (id === 0 ? null : `article:${id}`),
      ownerId: ({ author }: Page, { url }: { url: string }) => (url.includes('anonymous') ? null : author),
    })
    @Controller('pages')
    class Pages {
      @Get(':id')
      page(@Param('id', ParseIntPipe) id: number): Page {
        return { id, author: 'bob' };
      }
    }
    const rules: readonly Rule[] = defaultRules.map((rule) =>
      rule.action === 'view' ? { ...rule, grants: [{ to: 'owner', points: 0 }] } : rule,
    );
    const { app, visit, settled } = await start({ platform, controllers: [Pages], options: { rules } });
    for (const path of ['/pages/7', '/pages/07', '/pages/007', '/pages/0', '/pages/00']) {
      expect(await visit(path, ada)).toMatchObject({ status: 200 });
      await visit(path, 'bob');
    }
    expect(await settled(ada)).toBe(1);
    expect(await settled('bob')).toBe(0);
    const service = app.nest.get(ActivityService);
    expect(await service.receivedCounts('bob')).toEqual({ view: 1 });
    await visit('/pages/8?anonymous', 'bob');
    expect(await settled('bob')).toBe(2);
    expect(await service.record({ userId: ada, action: 'view', subject: 'article:7', ownerId: 'bob' })).toMatchObject({
      outcome: 'duplicate',
    });
  });

  it('are recorded before the answer where it tells what they gave, and not again after it', async () => {
    @Injectable()
    class Telling implements NestInterceptor {
      constructor(private readonly visits: VisitInterceptor) {}

      intercept(context: ExecutionContext, next: CallHandler<string>): Observable<object> {
        return next.handle().pipe(mergeMap(async (page) => ({ page, visit: await this.visits.visit(context, page) })));
      }
    }
    @UseInterceptors(Telling)
    @Controller('told')
    class Told {
      @Get('plain')
      @SkipVisit()
      plain(): string {
        return 'plain';
      }

      @Get(':id')
      @ScoreVisit()
      page(@Param('id') id: string): string {
        return id;
      }
    }
    const { app, visit, settled } = await start({ platform, controllers: [Told] });
    const granted = { outcome: 'granted', points: 1 };
    expect((await visit('/told/7', ada)).body).toMatchObject({ page: '7', visit: granted });
    expect((await visit('/told/8?again', ada)).body).toMatchObject({ page: '8', visit: granted });
    expect((await visit('/told/plain', ada)).body).toEqual({ page: 'plain', visit: null });
    expect((await visit('/told/7')).body).toEqual({ page: '7', visit: null });
    expect(await settled(ada)).toBe(2);
    expect(await app.metrics()).not.toContain('outcome="duplicate"');
    expect((await visit('/told/7', ada)).body).toMatchObject({ visit: { outcome: 'duplicate', points: 0 } });
  });

  it('never touch the page if the user is not known, or the id cannot be recorded', async () => {
    const currentUser = (request: unknown) => {
      if ((request as { user?: object }).user) throw new Error('who is it?');
      return 'x'.repeat(200);
    };
    const { app, visit } = await start({ platform, options: { currentUser } });
    expect(await visit('/articles/7', ada)).toMatchObject({ status: 200, body: 'article 7' });
    expect(await visit('/articles/7')).toMatchObject({ status: 200, body: 'article 7' });
    await waitUntil(async () => (await app.metric('laurel_visits_dropped_total')) === 2);
  });
});

describe('visits', () => {
  it('count a page that Express answers with a 304 by itself, as its reader has it from another day', async () => {
    const clock = new ManualClock('2036-11-20T08:00:00Z');
    const { app, visit, settled } = await start({ platform: 'express', options: { clock } });
    const etag = (await visit('/articles/7')).headers.get('etag') ?? '';
    // As browsers ask anew; without it `fetch` would add a `no-cache`.
    const conditions = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    const again = () => app.send<unknown>('/articles/7', { headers: { 'x-user': 'ada', ...conditions } });
    expect(await again()).toMatchObject({ status: 304 });
    expect(await settled('ada')).toBe(1);
    expect(await again()).toMatchObject({ status: 304 });
    // The page for which `settled` waited is the second.
    expect(await settled('ada')).toBe(2);
    clock.advance(86_400_000);
    expect(await again()).toMatchObject({ status: 304 });
    await waitUntil(async () => (await app.nest.get(ActivityService).history('ada')).days.length === 2);
  });

  it.each(platforms)('count a page once, whatever host and case a client writes, on %s', async (platform) => {
    const { app, visit, settled } = await start({ platform });
    await visit('/articles/Seven', 'ada');
    const [url, headers, statuses] = [await app.nest.getUrl(), { 'x-user': 'ada' }, [] as unknown[]];
    for (const path of ['http://one/articles/Seven', 'http://two/articles/Seven?x']) {
      const asked = get(url, { path, headers }, (answer) => statuses.push(answer.resume().statusCode));
      await once(asked, 'close');
    }
    statuses.push((await visit('/ARTICLES/Seven', 'ada')).status);
    expect(statuses).toEqual([200, 200, platform === 'express' ? 200 : 404]);
    expect(await settled('ada')).toBe(1);
  });
});

describe('@ScoreVisit()', () => {
  let warned: jest.SpiedFunction<Logger['warn']>;
  beforeEach(() => void (warned = jest.spyOn(Logger.prototype, 'warn')));
  afterEach(() => warned.mockRestore());

  /** What the start of an app warns of. */
  async function warningsOf(given: TinyAppOptions): Promise<readonly string[]> {
    await TinyApp.start(given);
    return warned.mock.calls.map(([line]) => String(line));
  }

  @Controller('marked')
  class Marked {
    @Get(':id')
    @ScoreVisit()
    read(): string {
      return 'article';
    }

    @Get()
    list(): string {
      return 'list';
    }
  }

  @ScoreVisit()
  @Controller('pages')
  class Pages {
    @Get()
    page(): string {
      return 'page';
    }

    @Get('search')
    @SkipVisit()
    search(): string {
      return 'found';
    }
  }

  it('without the interceptor is told at the start, by its routes and with what to provide', async () => {
    expect(await warningsOf({ controllers: [Marked, Pages] })).toEqual(
      ['Marked.read', 'Pages.page'].map(
        (name) =>
          `${name} has @ScoreVisit() and earns nothing: provide { provide: APP_INTERCEPTOR, useExisting: VisitInterceptor }.`,
      ),
    );
  });

  it.each([
    ['an existing one for all', { provide: APP_INTERCEPTOR, useExisting: VisitInterceptor }],
    ['one of its own for all', { provide: APP_INTERCEPTOR, useClass: VisitInterceptor }],
  ])('with %s is not', async (_, provider) => {
    expect(await warningsOf({ controllers: [Marked, Pages], providers: [provider] })).toEqual([]);
  });

  it('is told of the routes alone that none of their own watches', async () => {
    const watched = pageAt('watched', UseInterceptors(VisitInterceptor));
    const warnings = await warningsOf({ controllers: [watched, Marked] });
    expect(warnings).toEqual([expect.stringMatching(/^Marked\.read /)]);
  });

  it('is not told of where the app calls the interceptor itself', async () => {
    @Injectable()
    class Telling implements NestInterceptor {
      constructor(readonly visits: VisitInterceptor) {}

      intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
        return next.handle();
      }
    }
    expect(await warningsOf({ controllers: [pageAt('told', UseInterceptors(Telling))] })).toEqual([]);
  });
});
