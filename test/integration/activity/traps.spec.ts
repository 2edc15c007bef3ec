import {
  Controller,
  Get,
  Injectable,
  Logger,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { Observable } from 'rxjs';
import {
  ActivityModule,
  ActivityService,
  RankService,
  ScoreVisit,
  SkipVisit,
  VisitInterceptor,
  type ActivityModuleOptions,
} from '@laurel/activity';
import { freshPrefix, testRedisUrl } from '../../support/redis';
import { stopTinyApps, TinyApp, type TinyAppOptions } from './support/tiny-app';

let warned: jest.SpiedFunction<Logger['warn']>;
beforeEach(() => (warned = jest.spyOn(Logger.prototype, 'warn')));
afterEach(async () => {
  await stopTinyApps();
  warned.mockRestore();
});

/** What the start of an app warns of. */
async function warningsOf(given: TinyAppOptions): Promise<readonly string[]> {
  await TinyApp.start(given);
  return warned.mock.calls.map(([line]) => String(line));
}

@Controller('articles')
class Articles {
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

describe('an app without EventEmitterModule', () => {
  it('is refused at the start, with the line to add', async () => {
    const imports = [ActivityModule.forRoot({ redis: { url: testRedisUrl() }, prefix: freshPrefix() })];
    await expect(Test.createTestingModule({ imports }).compile()).rejects.toThrow(
      /^imports has no EventEmitterModule: add EventEmitterModule\.forRoot\(\) of @nestjs\/event-emitter to the imports/,
    );
  });
});

describe('@ScoreVisit()', () => {
  it('without the interceptor is told at the start, by its routes and with what to provide', async () => {
    expect(await warningsOf({ controllers: [Articles, Pages] })).toEqual(
      ['Articles.read', 'Pages.page'].map(
        (name) =>
          `${name} has @ScoreVisit() and earns nothing: provide { provide: APP_INTERCEPTOR, useExisting: VisitInterceptor }.`,
      ),
    );
  });

  it.each([
    ['an existing one for all', { provide: APP_INTERCEPTOR, useExisting: VisitInterceptor }],
    ['one of its own for all', { provide: APP_INTERCEPTOR, useClass: VisitInterceptor }],
  ])('with %s is not', async (_, provider) => {
    expect(await warningsOf({ controllers: [Articles, Pages], providers: [provider] })).toEqual([]);
  });

  it('is told of the routes alone that none of their own watches', async () => {
    @UseInterceptors(VisitInterceptor)
    @ScoreVisit()
    @Controller('watched')
    class Watched {
      @Get()
      page(): string {
        return 'page';
      }
    }
    const warnings = await warningsOf({ controllers: [Watched, Articles] });
    expect(warnings).toEqual([expect.stringMatching(/^Articles\.read /)]);
  });

  it('is not told of where the app calls the interceptor itself', async () => {
    @Injectable()
    class Telling implements NestInterceptor {
      constructor(readonly visits: VisitInterceptor) {}

      intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
        return next.handle();
      }
    }
    @UseInterceptors(Telling)
    @ScoreVisit()
    @Controller('told')
    class Told {
      @Get()
      page(): string {
        return 'page';
      }
    }
    expect(await warningsOf({ controllers: [Told] })).toEqual([]);
  });
});

describe('options', () => {
  it('with a key that can be found by trying are told of', async () => {
    const warnings = await warningsOf({ options: { apiKey: 'short' } });
    expect(warnings).toEqual(['apiKey has 5 characters and can be found by trying: use 16 or more.']);
  });

  it('that are undefined, as the environment gives them, are as left out', async () => {
    const nothing = process.env.NO_SUCH_VARIABLE_OF_THE_TESTS;
    const options: ActivityModuleOptions = {
      redis: { url: testRedisUrl() },
      prefix: freshPrefix(),
      apiKey: nothing,
      timezone: nothing,
      rulesFile: nothing,
      shards: undefined,
      retentionMs: undefined,
      limits: undefined,
      metricsRegistry: undefined,
    };
    const app = await TinyApp.start({ options, withoutKey: true });
    expect(await app.nest.get(RankService).standings('day')).toMatchObject({ total: 0 });
  });

  it.each(['//x', 'a//b', 'a b', '/a/?', 'x#'])('with the path %j are refused by name', (path) => {
    const module = () => ActivityModule.forRoot({ redis: { url: testRedisUrl() }, controllers: { path } });
    expect(module).toThrow(/^controllers\.path is ".*": use segments/);
  });

  it('with a number of milliseconds for all kinds are refused by name', async () => {
    const options = { retentionMs: 5 } as object;
    await expect(TinyApp.start({ options })).rejects.toThrow(/^retentionMs is 5: use an object with day, week/);
  });
});

describe('a revoke without the owner that its grant had', () => {
  const rules = [{ action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 3 }] }] as const;
  const praise = { userId: 'ada', action: 'praise', subject: 'article:7' };

  it('says that the owner keeps the points, and takes them when it is sent again with the owner', async () => {
    const app = await TinyApp.start({ options: { rules } });
    const [service, ranks] = [app.nest.get(ActivityService), app.nest.get(RankService)];
    const scoreOfOwner = async () => (await ranks.standing('day', 'bob')).entry.score;
    await service.record({ ...praise, ownerId: 'bob' });
    expect(await scoreOfOwner()).toBe(3);
    expect(await service.revoke(praise)).toMatchObject({ outcome: 'revoked', points: -2, reason: 'noOwner' });
    expect(await scoreOfOwner()).toBe(3);
    expect(await service.revoke({ ...praise, ownerId: 'bob' })).toMatchObject({ owner: { points: -3 } });
    expect(await scoreOfOwner()).toBe(0);
  });

  it('says nothing where the owner is named, or a subject that is a user names it', async () => {
    const service = (await TinyApp.start({ options: { rules } })).nest.get(ActivityService);
    for (const more of [{ ownerId: 'bob' }, { subject: 'user:bob' }]) {
      await service.record({ ...praise, ...more });
      expect(await service.revoke({ ...praise, ...more })).not.toHaveProperty('reason');
    }
  });
});
