import { Injectable, Logger, Module, Scope, type Provider, type Type } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import {
  ActivityService,
  BusiestCommenter,
  Erasures,
  LeaderboardSettledEvent,
  METRICS_REGISTRY,
  MostFollowed,
  MostPraised,
  NewcomerOfTheWeek,
  NightOwl,
  SettlementService,
  SevenDayStreak,
  type StandingsArchive,
  TitleRule,
  type TitleFacts,
  type TitleRuleOptions,
} from '@laurel/activity';
import { ARCHIVE, Ledgers, type RankLookup, type RankPage, type RankStanding } from '@laurel/activity/internals';
import type { TitleAnswer } from '@laurel/activity/titles';
import type { Registry } from 'prom-client';
import { BoardReader } from '@laurel/leaderboard';
import { Leaderboards } from '../../../libs/activity/src/ranks/leaderboards';
import { FactsReader } from '../../../libs/activity/src/titles/facts-reader';
import { Extensions } from '../../../libs/activity/src/extensions/extensions';
import type { TitleSource } from '../../../libs/activity/src/extensions/title-source';
import { ownerField } from '../../../libs/activity/src/rules/ledger-field';
import { ManualClock } from '../../support/clock';
import type { AllOptions } from '../../support/activity-imports';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import type { ProblemBody } from './support/problem-body';
import { platforms, stopTinyApps, TinyApp, type TinyAppOptions } from './support/tiny-app';

afterEach(stopTinyApps);
afterEach(() => jest.restoreAllMocks());
afterAll(closeTestRedis);

/** A Thursday. Boards expire by Redis' own clock: days ahead of it, they live until a test ends that. */
const morning = '2036-11-20T08:00:00.000Z';
const dayMs = 86_400_000;

type Answering = (facts: TitleFacts) => unknown;

/** A rule of a class of its own. */
function rule(options: TitleRuleOptions, answer: Answering, name = `Rule${options.order}`): Type {
  const Rule = { [name]: class {} }[name] as Type;
  Object.assign(Rule.prototype as object, { title: answer });
  TitleRule(options)(Rule);
  return Rule;
}

interface Started {
  readonly app: TinyApp;
  readonly clock: ManualClock;
  /** Each user does one thing to that many subjects, named after the moment. */
  earn(scores: Readonly<Record<string, number>>, action?: string): Promise<void>;
  /** The titles of a page, by user. */
  titles(path?: string): Promise<Record<string, string | null | undefined>>;
}

async function start(
  providers: readonly Provider[],
  options: Partial<AllOptions> = {},
  given: TinyAppOptions = {},
): Promise<Started> {
  const clock = new ManualClock(morning);
  const titles = { cacheMs: 0, ...options.titles };
  const app = await TinyApp.start({ ...given, providers, options: { clock, ...options, titles } });
  return {
    app,
    clock,
    async earn(scores, action = 'praise') {
      const events = Object.entries(scores).flatMap(([userId, count]) =>
        Array.from({ length: count }, (_, i) => ({ userId, action, subject: `${clock.now()} ${i}` })),
      );
      await app.record(...events);
      clock.advance(1_000);
    },
    async titles(path = '/ranks/day?titles=true') {
      const { body } = await app.get<RankPage>(path);
      return Object.fromEntries(body.entries.map(({ userId, title }) => [userId, title && title.name]));
    },
  };
}

describe('the chain of title rules', () => {
  const early = rule({ order: 1 }, ({ userId }) => (userId === 'ada' ? 'Early' : null));
  const late = rule({ order: 2 }, ({ userId }) => (userId === 'cyd' ? null : 'Late'));

  it.each([
    ['listed in order', [early, late]],
    ['listed the other way about', [late, early]],
  ])('gives each user the title of the first rule that names one, %s', async (_, rules) => {
    const { earn, titles } = await start(rules);
    await earn({ ada: 3, bob: 2, cyd: 1 });
    expect(await titles()).toEqual({ ada: 'Early', bob: 'Late', cyd: null });
  });

  it('changes by nothing but the list of providers and the orders', async () => {
    const without = await start([late]);
    await without.earn({ ada: 2, cyd: 1 });
    expect(await without.titles()).toEqual({ ada: 'Late', cyd: null });
    const reordered = class extends early {};
    TitleRule({ order: 3 })(reordered);
    const moved = await start([late, reordered]);
    await moved.earn({ ada: 2, cyd: 1 });
    expect(await moved.titles()).toEqual({ ada: 'Late', cyd: null });
    const none = await start([]);
    await none.earn({ ada: 1 });
    expect(await none.titles()).toEqual({ ada: null });
  });

  it('finds rules in any module, with what they are given, and each once', async () => {
    @Injectable()
    class Names {
      readonly of = new Map([['ada', 'Countess']]);
    }
    @TitleRule({ order: 1 })
    @Injectable()
    class FromElsewhere implements TitleRule {
      constructor(private readonly names: Names) {}

      title({ userId }: TitleFacts): TitleAnswer {
        return this.names.of.get(userId) ?? null;
      }
    }
    @Module({ providers: [Names, FromElsewhere] })
    class ThereModule {}
    @Module({ providers: [Names, FromElsewhere] })
    class HereModule {}
    const asMade = rule({ order: 2 }, () => ({ id: 'made', name: 'Made by a factory' }));
    const made: Provider = { provide: 'a rule', useFactory: () => new asMade() as object };
    const { earn, titles } = await start([made], {}, { imports: [ThereModule, HereModule] });
    await earn({ ada: 2, bob: 1 });
    expect(await titles()).toEqual({ ada: 'Countess', bob: 'Made by a factory' });
  });

  it('takes a text for its own id, and a title as it is', async () => {
    const both = rule({ order: 1 }, ({ rank }) => (rank === 1 ? 'First' : { id: 'x.second', name: '第二 <b>' }));
    const { app, earn } = await start([both]);
    await earn({ ada: 2, bob: 1 });
    const { body } = await app.get<RankPage>('/ranks/day?titles=true');
    expect(body.entries.map(({ title }) => title)).toEqual([
      { id: 'First', name: 'First' },
      { id: 'x.second', name: '第二 <b>' },
    ]);
  });

  it.each([
    [
      'two rules of one order',
      [rule({ order: 7 }, () => 'a', 'Beta'), rule({ order: 7 }, () => 'b', 'Alpha')],
      'Title rules: Alpha and Beta both have the order 7: give each its own.',
    ],
    ['an order that is no whole number', [rule({ order: 1.5 }, () => 'a', 'Half')], 'the order of Half is 1.5'],
    ['a rule without a method', [rule({ order: 1 }, undefined as unknown as Answering, 'Mute')], 'Mute has no method'],
    [
      'an unknown need',
      [rule({ order: 1, needs: ['mood' as 'hours'] }, () => 'a', 'Odd')],
      'Odd needs "mood": there are',
    ],
    [
      'first days that nobody keeps',
      [NewcomerOfTheWeek],
      'NewcomerOfTheWeek needs "firstDay": set "firstDays" of ActivityModule',
    ],
    [
      'a tally that nobody keeps',
      [MostPraised],
      'MostPraised needs "first:received:praise": name "received:praise" among the "tallies" of a leaderboard',
    ],
    [
      'a rule that is made anew for each request',
      [{ provide: 'a rule', useClass: rule({ order: 1 }, () => 'a', 'Fleeting'), scope: Scope.REQUEST }],
      'Fleeting is request-scoped',
    ],
  ] as [string, Provider[], string][])('refuses to start with %s', async (_, providers, message) => {
    await expect(start(providers)).rejects.toMatchObject({
      code: 'invalidOption',
      message: expect.stringContaining(message) as string,
    });
  });

  it('refuses to start with a streak that no leaderboard of days tells', async () => {
    const leaderboards = [{ name: 'month', period: 'month' }] as const;
    await expect(start([SevenDayStreak], { leaderboards })).rejects.toThrow('add { name: "day", period: "day" }');
  });
});

describe('a rule that fails', () => {
  const next = rule({ order: 9, needs: [] }, () => 'Next');
  const failuresOf = async (app: TinyApp, name: string) => {
    const metrics = await app.nest.get<Registry>(METRICS_REGISTRY).getMetricsAsJSON();
    const found = metrics.find((metric) => metric.name === 'laurel_title_failures_total');
    return found?.values
      .filter(({ labels }) => labels.rule === name)
      .map(({ labels, value }) => [labels.reason, value]);
  };

  it.each([
    [
      'throws',
      'error',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', 'error', () => Promise.reject(new Error('no'))],
    ['hangs', 'timeout', () => new Promise<never>(() => undefined)],
    ['looks at what it did not name', 'error', ({ counts }: TitleFacts) => counts],
    ['looks at a tally that it did not name', 'error', (facts: TitleFacts) => facts.isFirst('given:praise')],
    ['answers a number', 'invalid', () => 7],
    ['answers an empty text', 'invalid', () => ''],
    ['answers a very long text', 'invalid', () => 'x'.repeat(101)],
    ['answers half a character', 'invalid', () => '\ud800'],
    ['answers a title without an id', 'invalid', () => ({ name: 'x' })],
    ['answers a title without a text', 'invalid', () => ({ id: 'x', name: null })],
  ] as [string, string, Answering][])('that %s shows no title, is logged once and counted', async (_, reason, fail) => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const failing = rule({ order: 1, needs: [] }, (facts) => (facts.userId === 'ada' ? fail(facts) : null), 'Failing');
    const { app, earn, titles } = await start([failing, next], { titles: { timeoutMs: 500 } });
    await earn({ ada: 2, bob: 1 });
    expect(await titles()).toEqual({ ada: null, bob: 'Next' });
    expect(await titles()).toEqual({ ada: null, bob: 'Next' });
    expect(await failuresOf(app, 'Failing')).toEqual([[reason, 2]]);
    expect(logged).toHaveBeenCalledTimes(1);
    expect(logged.mock.calls[0]?.[0]).toContain('The rule Failing');
  });

  it('that hangs for everybody holds a page up once, not once a user', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const hanging = rule({ order: 1 }, () => new Promise<never>(() => undefined), 'Hanging');
    const { app, earn, titles } = await start([hanging, next], { titles: { timeoutMs: 500 } });
    await earn(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`user-${i}`, 1])));
    const startedMs = performance.now();
    const shown = await titles('/ranks/day?limit=20&titles=true');
    // Once a user would be ten seconds.
    expect(performance.now() - startedMs).toBeLessThan(9_000);
    expect(Object.values(shown)).toEqual(Array.from({ length: 20 }, () => null));
    expect(await failuresOf(app, 'Hanging')).toEqual([['timeout', 20]]);
  });

  it('that answers asynchronously and in time is as good as any', async () => {
    const slow = rule({ order: 1 }, async ({ userId }) => {
      await Promise.resolve();
      return userId === 'ada' ? { id: 'slow', name: 'Slow' } : null;
    });
    const { earn, titles } = await start([slow, next]);
    await earn({ ada: 2, bob: 1 });
    expect(await titles()).toEqual({ ada: 'Slow', bob: 'Next' });
  });
});

describe('what a rule sees', () => {
  async function seen(needs: TitleRuleOptions['needs'], options: Partial<AllOptions> = {}) {
    const facts = new Map<string, TitleFacts>();
    const watching = rule({ order: 1, ...(needs && { needs }) }, (one) => void facts.set(one.userId, one));
    const started = await start([watching], options);
    return { ...started, facts };
  }

  it('is the user on this leaderboard in this period: points, rank, counts and streak', async () => {
    const { app, clock, earn, titles, facts } = await seen(undefined);
    await earn({ ada: 2 });
    clock.set('2036-11-21T08:00:00Z');
    await earn({ ada: 3, bob: 3 });
    await earn({ ada: 1 }, 'comment');
    await app.nest
      .get(ActivityService)
      .revoke({ userId: 'ada', action: 'comment', subject: `${clock.now() - 1_000} 0` });
    await titles();
    const counts = facts.get('ada')?.counts;
    expect({ ...counts?.given }).toEqual({ praise: 3 });
    expect({ ...counts?.received }).toEqual({});
    const told = (userId: string) => {
      const { leaderboard, partition, points, rank, streak, lastDay, period } = facts.get(userId) as TitleFacts;
      return [leaderboard, partition, period.key, lastDay, points, rank, streak];
    };
    expect(told('ada')).toEqual(['day', null, '2036-11-21', '2036-11-21', 6, 2, 2]);
    expect(told('bob')).toEqual(['day', null, '2036-11-21', '2036-11-21', 6, 1, 1]);
    await titles('/ranks/day?titles=true&ranking=competition');
    expect(told('ada')).toEqual(['day', null, '2036-11-21', '2036-11-21', 6, 1, 2]);
    await titles('/ranks/month?titles=true');
    expect({ ...facts.get('ada')?.counts.given }).toEqual({ praise: 5 });
    await titles('/ranks/day?titles=true&period=2036-11-20');
    expect(told('ada')).toEqual(['day', null, '2036-11-20', '2036-11-20', 4, 1, 1]);
  });

  it('counts activities on the user’s subjects apart', async () => {
    const { app, earn, titles, facts } = await seen(['counts', 'hours']);
    await earn({ ada: 1 });
    await received(app, 'ada', 'p', 3);
    await titles();
    expect({ ...facts.get('ada')?.counts.given }).toEqual({ praise: 1 });
    expect({ ...facts.get('ada')?.counts.received }).toEqual({ praise: 3 });
    expect(facts.get('ada')?.hours.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it('is not asked for where it is not known', async () => {
    const leaderboards = [
      { name: 'day', period: 'day' },
      { name: 'year', period: 'year' },
    ] as const;
    const { earn, titles, facts } = await seen(['counts'], { leaderboards });
    await earn({ ada: 1 });
    expect(await titles('/ranks/year?titles=true')).toEqual({ ada: null });
    expect(facts.size).toBe(0);
    await titles('/ranks/day?titles=true');
    expect(facts.size).toBe(1);
  });

  it('is of the zone of the module', async () => {
    const { clock, earn, titles, facts } = await seen(['hours'], { timezone: 'Asia/Kathmandu' });
    clock.set('2036-11-20T18:20:00Z');
    await earn({ ada: 2 });
    await titles();
    expect(facts.get('ada')?.lastDay).toBe('2036-11-21');
    expect(facts.get('ada')?.hours[0]).toBe(2);
  });
});

/** Gives `count` grants of an action to whose subjects others did it to, as recording does. */
async function received(app: TinyApp, userId: string, code: string, count: number): Promise<void> {
  const { main } = app.nest.get(Ledgers);
  const names = main.settings.boards.map(({ name }) => name);
  const boards = names.filter((name) => !name.includes('.') || name.endsWith(`.r.${code}`));
  const occurredAtMs = main.settings.clock.now();
  await main.apply(
    Array.from({ length: count }, (_, i) => {
      const field = ownerField(code, `giver ${i}`, 'x');
      return { kind: 'grant', member: userId, field, points: 1, occurredAtMs, boards };
    }),
  );
}

describe.each([1, 8])('the ready rules, on %i shards', (shards) => {
  const tallies = ['given:comment', 'received:praise', 'received:follow'] as const;
  const leaderboards = [
    { name: 'day', period: 'day', tallies },
    { name: 'week', period: 'week', tallies },
    { name: 'month', period: 'month' },
  ] as const;
  const all = [MostPraised, MostFollowed, BusiestCommenter, SevenDayStreak, NightOwl, NewcomerOfTheWeek];
  const open = (rules: readonly Provider[]) => start(rules, { shards, leaderboards, firstDays: true });
  const week = '/ranks/week?titles=true&limit=50';

  it('most praised: the one with most praises in the period, exactly, first to get there among equals', async () => {
    const { app, clock, earn, titles } = await open([MostPraised]);
    await earn({ ada: 9, bob: 1, cyd: 1 });
    await received(app, 'cyd', 'p', 2);
    clock.advance(1_000);
    await received(app, 'bob', 'p', 2);
    expect(await titles(week)).toEqual({ ada: null, bob: null, cyd: 'Most praised' });
    await received(app, 'bob', 'p', 3);
    expect(await titles(week)).toEqual({ ada: null, bob: 'Most praised', cyd: null });
    expect(await titles('/ranks/month?titles=true')).toEqual({ ada: null, bob: null, cyd: null });
    clock.set('2036-11-21T08:00:00Z');
    await earn({ cyd: 1 });
    expect(await titles()).toEqual({ cyd: null });
    await received(app, 'cyd', 'p', 1);
    expect(await titles()).toEqual({ cyd: 'Most praised' });
    expect(await titles(week)).toEqual({ ada: null, bob: 'Most praised', cyd: null });
  });

  it('most praised: who that is, is read once for all users who are asked about at once', async () => {
    const { app, earn, clock } = await open([MostPraised]);
    await earn({ ada: 2, bob: 1 });
    await received(app, 'bob', 'p', 1);
    const reader = app.nest.get(FactsReader);
    const leaderboard = app.nest.get(Leaderboards).find('day', undefined);
    const period = app.nest.get(Leaderboards).period(leaderboard, 'current');
    const reads = jest.spyOn(BoardReader.prototype, 'at');
    const read = (member: string) => {
      const entry = { member, score: 1, rank: 1, reachedAt: new Date(clock.now()) };
      return reader.read(
        { leaderboard, period, ranking: 'ordinal' },
        { userIds: [member], entries: Promise.resolve([entry]) },
        new Set(['first:received:praise'] as const),
      );
    };
    const found = await Promise.all([read('ada'), read('bob')]);
    expect(found.flat().map(({ leaders }) => leaders.get('received:praise'))).toEqual(['bob', 'bob']);
    expect(reads).toHaveBeenCalledTimes(1);
    await read('ada');
    expect(reads).toHaveBeenCalledTimes(2);
  });

  it('most praised: nobody on a page on which the most praised does not stand', async () => {
    const { app, earn, titles } = await open([MostPraised]);
    await earn({ ada: 5, bob: 4, cyd: 1 });
    await received(app, 'cyd', 'p', 1);
    expect(await titles('/ranks/week?titles=true&limit=2')).toEqual({ ada: null, bob: null });
    expect(await titles('/ranks/week?titles=true&limit=2&offset=2')).toEqual({ cyd: 'Most praised' });
  });

  it('most followed: the one who gained most followers', async () => {
    const { app, earn, titles } = await open([MostFollowed]);
    await earn({ ada: 1, bob: 1 });
    await received(app, 'ada', 'p', 5);
    await received(app, 'bob', 'f', 1);
    expect(await titles(week)).toEqual({ ada: null, bob: 'Most followed' });
  });

  it('busiest commenter: the one with most comments, not with most points', async () => {
    const { app, clock, earn, titles } = await open([BusiestCommenter]);
    await earn({ ada: 9, bob: 1 });
    await earn({ ada: 1, bob: 2 }, 'comment');
    expect(await titles(week)).toEqual({ ada: null, bob: 'Busiest commenter' });
    const subject = (i: number) => `${clock.now() - 1_000} ${i}`;
    const service = app.nest.get(ActivityService);
    await service.revoke([0, 1].map((i) => ({ userId: 'bob', action: 'comment', subject: subject(i) })));
    expect(await titles(week)).toEqual({ ada: 'Busiest commenter', bob: null });
  });

  it('seven-day streak: seven days in a row, up to today or yesterday', async () => {
    const { clock, earn, titles } = await open([SevenDayStreak]);
    for (let day = 14; day <= 20; day++) {
      clock.set(`2036-11-${day}T12:00:00Z`);
      await earn({ ada: 1, ...(day !== 17 && { bob: 1 }) });
    }
    expect(await titles(week)).toEqual({ ada: 'Seven-day streak', bob: null });
    clock.set('2036-11-21T23:59:59.999Z');
    expect(await titles(week)).toEqual({ ada: 'Seven-day streak', bob: null });
    clock.set('2036-11-22T00:00:00Z');
    expect(await titles(week)).toEqual({ ada: null, bob: null });
    expect(await titles('/ranks/day?titles=true&period=2036-11-20')).toEqual({ ada: 'Seven-day streak', bob: null });
    expect(await titles('/ranks/day?titles=true&period=2036-11-19')).toEqual({ ada: null, bob: null });
  });

  it('night owl: at least half of five things or more between midnight and five', async () => {
    const { clock, earn, titles } = await open([NightOwl]);
    clock.set('2036-11-20T04:30:00Z');
    await earn({ ada: 3, bob: 4, cyd: 3 });
    clock.set('2036-11-20T05:00:00Z');
    await earn({ ada: 3, cyd: 4 });
    expect(await titles(week)).toEqual({ ada: 'Night owl', bob: null, cyd: null });
  });

  it('newcomer of the week: first seen within seven days', async () => {
    const { clock, earn, titles } = await open([NewcomerOfTheWeek]);
    clock.set('2036-11-16T08:00:00Z');
    await earn({ old: 1 });
    clock.set('2036-11-17T08:00:00Z');
    await earn({ new: 1, old: 1 });
    clock.set('2036-11-23T08:00:00Z');
    await earn({ new: 1, old: 1 });
    expect(await titles()).toEqual({ new: 'Newcomer of the week', old: null });
    clock.set('2036-11-24T08:00:00Z');
    await earn({ new: 1, old: 1 });
    expect(await titles()).toEqual({ new: null, old: null });
    expect(await titles('/ranks/day?titles=true&period=2036-11-17')).toEqual({
      new: 'Newcomer of the week',
      old: 'Newcomer of the week',
    });
  });

  it('are asked one after the other: who has two has the first', async () => {
    const { app, earn, titles } = await open(all);
    await earn({ ada: 2, bob: 1 });
    expect(await titles(week)).toEqual({ ada: 'Newcomer of the week', bob: 'Newcomer of the week' });
    await earn({ ada: 1 }, 'comment');
    await received(app, 'bob', 'f', 1);
    expect(await titles(week)).toEqual({ ada: 'Busiest commenter', bob: 'Most followed' });
    await received(app, 'bob', 'p', 1);
    expect(await titles(week)).toEqual({ ada: 'Busiest commenter', bob: 'Most praised' });
  });
});

describe.each(platforms)('the answers, on %s', (platform) => {
  const leader = rule({ order: 1, needs: [] }, ({ rank }) => (rank === 1 ? { id: 'leader', name: 'Leader' } : null));
  const title = { id: 'leader', name: 'Leader' };

  it('have titles where they are asked for, and the own answer always', async () => {
    const { app, earn } = await start([leader], {}, { platform });
    await earn({ ada: 3, bob: 2, cyd: 1 });
    const page = async (path: string) => (await app.get<RankPage>(path)).body.entries.map((entry) => entry.title);
    expect(await page('/ranks/day')).toEqual([undefined, undefined, undefined]);
    expect(await page('/ranks/day?titles=false')).toEqual([undefined, undefined, undefined]);
    expect(await page('/ranks/day?titles=true')).toEqual([title, null, null]);
    expect(await page('/ranks/day?titles=true&offset=1')).toEqual([null, null]);
    expect(await page('/ranks/day/users/bob/around?radius=1')).toEqual([undefined, undefined, undefined]);
    expect(await page('/ranks/day/users/bob/around?radius=1&titles=true')).toEqual([title, null, null]);

    const own = async (user: string) => (await app.get<RankStanding>(`/ranks/day/users/${user}`)).body.entry;
    expect(await own('ada')).toMatchObject({ rank: 1, title });
    expect(await own('bob')).toMatchObject({ rank: 2, title: null });
    expect(await own('gone')).toMatchObject({ rank: null, score: 0, title: null });

    const lookup = async (query: string) => {
      const { body } = await app.post<RankLookup>(`/ranks/day/lookup${query}`, {
        userIds: ['bob', 'gone', 'ada', 'ada'],
      });
      return body.entries.map((entry) => entry.title);
    };
    expect(await lookup('')).toEqual([undefined, undefined, undefined, undefined]);
    expect(await lookup('?titles=true')).toEqual([null, null, title, title]);
  });

  it.each(['1', 'yes', '', 'TRUE'])('refuse titles=%s', async (value) => {
    const { app } = await start([leader], {}, { platform });
    const { status, body } = await app.get<ProblemBody>(`/ranks/day?titles=${value}`);
    expect([status, body.errors]).toEqual([400, [{ path: 'titles', message: 'must be true or false' }]]);
  });
});

describe('titles', () => {
  it('stand in the OpenAPI document', async () => {
    const { app } = await start([]);
    const document = SwaggerModule.createDocument(app.nest, new DocumentBuilder().build());
    const schemas = document.components?.schemas ?? {};
    const parameters = document.paths['/ranks/{leaderboard}']?.get?.parameters;
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'titles', required: false }));
    for (const name of ['RankEntry', 'OptionalRankEntry']) {
      expect(schemas[name]).toMatchObject({ properties: { title: { nullable: true } } });
      expect((schemas[name] as { required: string[] }).required).not.toContain('title');
    }
    expect(schemas.RankTitle).toMatchObject({ required: ['id', 'name'] });
  });

  it('are kept for cacheMs, each for its user, leaderboard, period and ranking', async () => {
    const asked: string[] = [];
    const counting = rule({ order: 1, needs: [] }, ({ userId, leaderboard, rank }) => {
      asked.push(`${leaderboard} ${userId}`);
      return `${rank}`;
    });
    const { clock, earn, titles } = await start([counting], { titles: { cacheMs: 5_000 } });
    await earn({ ada: 2, bob: 2 });
    await titles();
    expect(await titles('/ranks/day?titles=true&limit=1')).toEqual({ bob: '1' });
    expect(asked).toEqual(['day bob', 'day ada']);
    expect(await titles('/ranks/day?titles=true&ranking=dense')).toEqual({ bob: '1', ada: '1' });
    await titles('/ranks/month?titles=true');
    expect(asked).toHaveLength(6);
    clock.advance(4_999);
    await titles();
    expect(asked).toHaveLength(6);
    clock.advance(1);
    await titles();
    expect(asked).toHaveLength(8);
    clock.advance(-60_000);
    await titles();
    expect(asked).toHaveLength(10);
  });

  it('of a settled period are settled with it: when boards and ledgers are gone, and by other rules', async () => {
    const prefix = freshPrefix();
    let given = 'Praising';
    const praising = rule({ order: 1, needs: ['counts'] }, ({ counts }) =>
      (counts.given.praise ?? 0) >= 2 ? given : null,
    );
    const steady = rule({ order: 2, needs: ['streak'] }, () => 'Steady');
    const first = rule({ order: 3, needs: [] }, ({ rank }) => (rank === 1 ? 'First' : null));
    const options = {
      prefix,
      retentionMs: { day: 2 * dayMs },
      leaderboards: [{ name: 'day', period: 'day' }] as const,
    };
    const { app, clock, earn, titles } = await start([praising, steady, first], options);
    await earn({ ada: 2, bob: 1 });
    const past = '/ranks/day?titles=true&period=2036-11-20';
    const won = { ada: 'Praising', bob: 'Steady' };
    expect(await titles(past)).toEqual(won);
    clock.set('2036-11-21T08:00:00Z');
    given = 'Great';
    expect(await titles(past)).toEqual({ ...won, ada: 'Great' });
    given = 'Praising';
    const heard: LeaderboardSettledEvent[] = [];
    app.nest.get(EventEmitter2).on(LeaderboardSettledEvent.eventName, (event: LeaderboardSettledEvent) => {
      heard.push(event);
    });
    await app.nest.get(SettlementService).settleDue();
    expect(heard.map(({ winners }) => winners.map(({ userId, title }) => [userId, title?.name]))).toEqual([
      Object.entries(won),
    ]);
    given = 'Something else';
    // Its board lives; then it is in the archive alone; then no ledger of the day is kept.
    for (const later of ['2036-11-21T09:00:00Z', '2036-11-24T08:00:00Z', '2037-03-24T08:00:00Z']) {
      clock.set(later);
      expect((await app.get<RankPage>(past)).body.period.state).toBe('settled');
      expect(await titles(past)).toEqual(won);
    }
    const standing = await app.get<RankStanding>('/ranks/day/users/bob?period=2036-11-20');
    expect(standing.body.entry.title).toEqual({ id: 'Steady', name: 'Steady' });
    await app.nest.get(Erasures).erase('ada');
    expect(await titles(past)).toEqual({ bob: 'Steady' });
    expect((await app.nest.get<StandingsArchive>(ARCHIVE).find('day', '2036-11-20'))?.titled).toBe(true);
  });

  it('of a settled period are those of the first, and of the first of a tally wherever they stand', async () => {
    const counting = rule({ order: 900, needs: ['counts'] }, () => 'Counted');
    const given = { titles: { settledPlaces: 2 }, retentionMs: { day: dayMs } };
    const leaderboards = [{ name: 'day', period: 'day', tallies: ['given:comment'] }] as const;
    const { app, clock, earn, titles } = await start([BusiestCommenter, counting], { ...given, leaderboards });
    await earn({ ada: 9, bob: 8, cyd: 7, dan: 6, eve: 5 });
    await earn({ dan: 1 }, 'comment');
    const past = '/ranks/day?titles=true&period=2036-11-20';
    const { main } = app.nest.get(Ledgers);
    clock.set('2036-11-21T08:00:00Z');
    const read = jest.spyOn(main.history, 'ofMembers');
    await app.nest.get(SettlementService).settleDue();
    expect(read.mock.calls.map(([members]) => members)).toEqual([['ada', 'bob', 'dan']]);
    const settled = { ada: 'Counted', bob: 'Counted', dan: 'Busiest commenter', cyd: null, eve: null };
    expect(await titles(past)).toEqual(settled);
    clock.set('2036-11-24T08:00:00Z');
    expect(await titles(past)).toEqual(settled);
  });

  it('of a period are settled later where what they are made from cannot be read', async () => {
    const counting = rule({ order: 1, needs: ['counts'] }, () => 'Counted');
    const { app, clock, earn, titles } = await start([counting]);
    jest.spyOn(Logger.prototype, 'error').mockImplementation();
    await earn({ ada: 1 });
    clock.set('2036-11-21T08:00:00Z');
    const { main } = app.nest.get(Ledgers);
    jest.spyOn(main.history, 'ofMembers').mockRejectedValue(new Error('gone'));
    const settlement = app.nest.get(SettlementService);
    expect((await settlement.settleDue())?.failed).toHaveLength(1);
    expect(await app.nest.get<StandingsArchive>(ARCHIVE).find('day', '2036-11-20')).toBeNull();
    jest.restoreAllMocks();
    expect((await settlement.settleDue())?.archived).toHaveLength(1);
    expect(await titles('/ranks/day?titles=true&period=2036-11-20')).toEqual({ ada: 'Counted' });
  });

  it('of a settled period of an earlier version, or of an archive without titles, are made from what is kept', async () => {
    const praising = rule({ order: 1, needs: ['counts'] }, ({ counts }) =>
      (counts.given.praise ?? 0) >= 2 ? 'Praising' : null,
    );
    const steady = rule({ order: 2, needs: ['streak'] }, () => 'Steady');
    const first = rule({ order: 3, needs: [] }, ({ rank }) => (rank === 1 ? 'First' : null));
    const options = { retentionMs: { day: dayMs }, leaderboards: [{ name: 'day', period: 'day' }] as const };
    const { app, clock, earn, titles } = await start([praising, steady, first], options);
    // As earlier versions settle.
    jest.spyOn(app.nest.get(Extensions).titles as TitleSource, 'settle').mockReturnValue(null);
    await earn({ ada: 2, bob: 1 });
    const past = '/ranks/day?titles=true&period=2036-11-20';
    expect(await titles(past)).toEqual({ ada: 'Praising', bob: 'Steady' });
    clock.set('2036-11-21T08:00:00Z');
    await app.nest.get(SettlementService).settleDue();
    clock.set('2036-11-24T08:00:00Z');
    expect((await app.get<RankPage>(past)).body.period.state).toBe('settled');
    expect(await titles(past)).toEqual({ ada: 'Praising', bob: null });
    clock.set('2036-12-24T08:00:00Z');
    expect(await titles(past)).toEqual({ ada: 'First', bob: null });
  });

  it('are missing, not the page, where what they are made from cannot be read', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const counting = rule({ order: 1, needs: ['counts'] }, () => 'Counted');
    const { app, earn, titles } = await start([counting]);
    await earn({ ada: 1 });
    const { main } = app.nest.get(Ledgers);
    jest.spyOn(main.history, 'ofMembers').mockRejectedValue(new Error('gone'));
    expect(await titles()).toEqual({ ada: null });
    expect(logged).toHaveBeenCalledTimes(1);
    jest.restoreAllMocks();
    expect(await titles()).toEqual({ ada: 'Counted' });
  });

  it('of an erased user are gone with the cached facts', async () => {
    const counting = rule({ order: 1, needs: ['counts'] }, ({ counts }) => (counts.given.praise ? 'Praising' : null));
    const { app, earn, titles } = await start([counting]);
    await earn({ ada: 1, bob: 1 });
    const { main } = app.nest.get(Ledgers);
    const { prefix, tags } = main.settings;
    await testRedis().del(`{${prefix}:${tags[0]}}:ledger:20361120:ada`);
    expect(await titles()).toEqual({ bob: 'Praising', ada: null });
  });
});
