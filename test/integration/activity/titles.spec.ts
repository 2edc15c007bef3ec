import { Injectable, Logger, Module, type Provider, type Type } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import {
  BusiestCommenter,
  Erasures,
  Exclusions,
  LeaderboardSettledEvent,
  MostFollowed,
  MostPraised,
  NewcomerOfTheWeek,
  NightOwl,
  SettlementService,
  SevenDayStreak,
  TitleRule,
  type TitleFacts,
} from '@laurel/activity';
import { Ledgers, ownerField, type RankLookup, type RankPage, type RankStanding } from '@laurel/activity/internals';
import type { TitleAnswer, TitleRuleOptions } from '@laurel/activity/titles';
import { type AllOptions, dayMs, freshPrefix, ManualClock, mentions, type ProblemBody, testRedis } from './support';
import { dayBoard, oneTinyApp, platforms, TinyApp, type TinyAppOptions } from './support/tiny-app';

afterEach(() => jest.restoreAllMocks());

/** A Thursday. Boards expire by Redis' own clock: days ahead of it, they live until a test ends that. */
const morning = '2036-11-20T08:00:00.000Z';

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

/** What tests do with an app whose clock they set. */
function using(app: TinyApp, clock: ManualClock): Started {
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
      const { status, body } = await app.get<RankPage>(path);
      expect([path, status]).toEqual([path, 200]);
      return Object.fromEntries(body.entries.map(({ userId, title }) => [userId, title && title.name]));
    },
  };
}

const optionsOf = (clock: ManualClock, { titles, ...options }: Partial<AllOptions> = {}) => {
  // Days are settled when a test says so.
  const settlement = { everyMs: dayMs };
  return { clock, settlement, ...options, titles: { cacheMs: 0, timeoutMs: 10_000, ...titles } };
};

/** An app of a test's own. */
async function start(
  providers: readonly Provider[],
  options: Partial<AllOptions> = {},
  given: TinyAppOptions = {},
): Promise<Started> {
  const clock = new ManualClock(morning);
  return using(await TinyApp.start({ ...given, providers, options: optionsOf(clock, options) }), clock);
}

/** An app of all tests of a `describe`. */
function shared(providers: readonly Provider[], options: Partial<AllOptions> = {}, given: TinyAppOptions = {}) {
  const clock = new ManualClock(morning);
  const app = oneTinyApp({ ...given, providers, options: optionsOf(clock, options) });
  return () => using(app(), clock);
}

it('title rules are found in any module, with what they are given, and each once', async () => {
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
  const asMade = rule({ order: 2 }, ({ userId }) => (userId === 'cyd' ? null : { id: 'made', name: 'Made' }));
  const made: Provider = { provide: 'a rule', useFactory: () => new asMade() as object };
  const { earn, titles } = await start([made], {}, { imports: [ThereModule, HereModule] });
  await earn({ ada: 3, bob: 2, cyd: 1 });
  expect(await titles()).toEqual({ ada: 'Countess', bob: 'Made', cyd: null });
});

const facts = new Map<string, TitleFacts>();
const watching = (needs?: TitleRuleOptions['needs']) =>
  rule({ order: 1, ...(needs && { needs }) }, (one) => void facts.set(one.userId, one));
beforeEach(() => facts.clear());

it('what a rule sees is the user on this leaderboard in this period: points, rank, counts and streak', async () => {
  const { app, clock, earn, titles } = await start([watching()]);
  await earn({ ada: 2 });
  clock.set('2036-11-21T08:00:00Z');
  await earn({ ada: 3, bob: 3 });
  await earn({ ada: 1 }, 'comment');
  await app.service.revoke({ userId: 'ada', action: 'comment', subject: `${clock.now() - 1_000} 0` });
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
  await app.get('/ranks/day/users/ada?period=2036-12-24');
  expect(await app.metric('laurel_title_failures_total{rule="all",reason="error"}')).toBeNaN();
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

describe.each([1, 3])('the ready rules, on %i shards', (shards) => {
  const tallies = ['given:comment', 'received:praise', 'received:follow'] as const;
  const leaderboards = [
    { name: 'day', period: 'day', tallies },
    { name: 'week', period: 'week', tallies },
    { name: 'month', period: 'month' },
    { name: 'topic', period: 'day', partition: 'category', tallies },
  ] as const;
  const all = [MostPraised, MostFollowed, BusiestCommenter, SevenDayStreak, NightOwl, NewcomerOfTheWeek];
  const started = shared(all, { shards, leaderboards, firstDays: true });
  const week = '/ranks/week?titles=true&limit=50';
  let one: Started;
  beforeAll(async () => {
    one = started();
    one.clock.set('2036-09-01T08:00:00Z');
    // Beside those that a test calls new, nobody is a newcomer.
    await one.earn({ ada: 1, bob: 1, cyd: 1, old: 1 });
  });

  it('most praised: the one with most praises in the period, exactly, first to get there among equals', async () => {
    const { app, clock, earn, titles } = one;
    clock.set('2036-10-02T08:00:00Z');
    await earn({ ada: 9, bob: 1, cyd: 1 });
    await received(app, 'cyd', 'p', 2);
    clock.advance(1_000);
    await received(app, 'bob', 'p', 2);
    expect(await titles(week)).toEqual({ ada: null, bob: null, cyd: 'Most praised' });
    await received(app, 'bob', 'p', 3);
    expect(await titles(week)).toEqual({ ada: null, bob: 'Most praised', cyd: null });
    expect(await titles('/ranks/month?titles=true')).toEqual({ ada: null, bob: null, cyd: null });
    clock.set('2036-10-03T08:00:00Z');
    await earn({ cyd: 1 });
    expect(await titles()).toEqual({ cyd: null });
    await received(app, 'cyd', 'p', 1);
    expect(await titles()).toEqual({ cyd: 'Most praised' });
    expect(await titles(week)).toEqual({ ada: null, bob: 'Most praised', cyd: null });
    // Nobody of a page on which the most praised does not stand.
    expect(await titles('/ranks/week?titles=true&limit=1')).toEqual({ ada: null });
    expect(await titles('/ranks/week?titles=true&limit=1&offset=2')).toEqual({ bob: 'Most praised' });
  });

  it('of one partition: the one who did most there', async () => {
    const { app, clock, titles } = one;
    clock.set('2036-11-05T08:00:00Z');
    const comment = (userId: string, subject: string, category: string, more = {}) => {
      return { userId, action: 'comment', subject, partitions: { category }, ...more };
    };
    await app.record(comment('ada', '1', 'java'), comment('ada', '2', 'java'), comment('bob', '3', 'java'));
    await app.record(comment('bob', '4', 'go'), comment('bob', '5', 'go'), comment('ada', '6', 'go'));
    await app.record(comment('cyd', '7', 'java', { action: 'praise', ownerId: 'bob' }));
    const first = (name: string) => titles(`/ranks/topic?titles=true&partition=${name}`);
    expect(await first('java')).toEqual({ ada: 'Busiest commenter', bob: 'Most praised', cyd: null });
    expect(await first('go')).toEqual({ ada: null, bob: 'Busiest commenter' });
    expect(await app.differences()).toEqual([]);
  });

  it('seven-day streak: seven days in a row, up to today or yesterday', async () => {
    const { clock, earn, titles } = one;
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

  it('newcomer of the week: first seen within seven days', async () => {
    const { clock, earn, titles } = one;
    clock.set('2036-12-17T08:00:00Z');
    await earn({ new: 1, old: 1 });
    clock.set('2036-12-23T08:00:00Z');
    await earn({ new: 1, old: 1 });
    const newcomer = { new: 'Newcomer of the week', old: null };
    expect(await titles()).toEqual(newcomer);
    clock.set('2036-12-24T08:00:00Z');
    await earn({ new: 1, old: 1 });
    expect(await titles()).toEqual({ new: null, old: null });
    expect(await titles('/ranks/day?titles=true&period=2036-12-17')).toEqual(newcomer);
  });
});

describe.each(platforms)('the answers, on %s', (platform) => {
  const leader = rule({ order: 1, needs: [] }, ({ rank }) => (rank === 1 ? { id: 'leader', name: 'Leader' } : null));
  const title = { id: 'leader', name: 'Leader' };

  const started = shared([leader], {}, { platform });

  it('have titles where they are asked for, and the own answer always', async () => {
    const { app, earn } = started();
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
      const userIds = ['bob', 'gone', 'ada', 'ada'];
      const { body } = await app.post<RankLookup>(`/ranks/day/lookup${query}`, { userIds });
      return body.entries.map((entry) => entry.title);
    };
    expect(await lookup('')).toEqual([undefined, undefined, undefined, undefined]);
    expect(await lookup('?titles=true')).toEqual([null, null, title, title]);
  });

  it.each(['1', 'yes', '', 'TRUE'])('refuse titles=%s', async (value) => {
    const { status, body } = await started().app.get<ProblemBody>(`/ranks/day?titles=${value}`);
    expect([status, body.errors]).toEqual([400, [{ path: 'titles', message: 'must be true or false' }]]);
  });
});

describe('titles', () => {
  let given: string;
  beforeEach(() => (given = 'Praising'));
  const praising = rule({ order: 1, needs: ['counts'] }, ({ counts }) =>
    (counts.given.praise ?? 0) >= 2 ? given : null,
  );
  const steady = rule({ order: 2, needs: ['streak'] }, () => 'Steady');
  const first = rule({ order: 3, needs: [] }, ({ rank }) => (rank === 1 ? 'First' : null));

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
    const options = { prefix, retentionMs: { day: 2 * dayMs }, leaderboards: [dayBoard] };
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
    const hear = (event: LeaderboardSettledEvent) => heard.push(event);
    app.nest.get(EventEmitter2).on(LeaderboardSettledEvent.eventName, hear);
    await app.nest.get(SettlementService).settleDue();
    expect(heard.map(({ winners }) => winners.map(({ userId, title }) => [userId, title?.name]))).toEqual([
      Object.entries(won),
    ]);
    given = 'Something else';
    // Within its board's own retention; then beyond it; then no ledger of the day is kept.
    for (const later of ['2036-11-21T09:00:00Z', '2036-11-24T08:00:00Z', '2037-03-24T08:00:00Z']) {
      clock.set(later);
      expect((await app.get<RankPage>(past)).body.period.state).toBe('settled');
      expect(await titles(past)).toEqual(won);
    }
    const without = await start([], options);
    without.clock.set('2037-03-24T08:00:00Z');
    expect(await without.titles(past)).toEqual(won);
    const standing = await app.get<RankStanding>('/ranks/day/users/bob?period=2036-11-20');
    expect(standing.body.entry.title).toEqual({ id: 'Steady', name: 'Steady' });
    await app.nest.get(Erasures).erase('ada');
    expect(await titles(past)).toEqual({ bob: 'Steady' });
  });

  it('of a period name nobody who is erased while they are settled', async () => {
    const prefix = freshPrefix();
    let erase = () => Promise.resolve();
    const erasing = rule({ order: 1, needs: [] }, () => erase().then(() => 'Winner'));
    const { app, clock, earn, titles } = await start([erasing], { prefix, leaderboards: [dayBoard] });
    await earn({ zoe: 2, bob: 1 });
    clock.set('2036-11-21T08:00:00Z');
    let erasure: Promise<unknown> | undefined;
    erase = async () => void (await (erasure ??= app.nest.get(Erasures).erase('zoe')));
    await app.nest.get(SettlementService).settleDue();
    expect(await mentions(testRedis(), prefix, 'zoe')).toEqual([]);
    expect(await titles('/ranks/day?titles=true&period=2036-11-20')).toEqual({ bob: 'Winner' });
    expect(await app.nest.get(Erasures).erase('bob')).toMatchObject({ erased: { archived: 1 } });
    expect(await mentions(testRedis(), prefix, 'bob')).toEqual([]);
  });

  it('of a period are settled by an instance that has rules, wherever one is', async () => {
    const options = { prefix: freshPrefix(), leaderboards: [dayBoard] };
    const apps = [await start([rule({ order: 1, needs: [] }, () => 'First')], options), await start([], options)];
    await apps[0]?.earn({ ada: 1 });
    for (const { clock } of apps) clock.set('2036-11-21T08:00:00Z');
    const [titling, bare] = apps.map(({ app }) => app.nest.get(SettlementService));
    expect(await bare?.settleDue()).toBeNull();
    expect((await titling?.settleDue())?.archived).toMatchObject([{ period: '2036-11-20', titled: true }]);
  });

  it('of a settled period are those of the first, and of the first of a tally wherever they stand', async () => {
    const counting = rule({ order: 900, needs: ['counts'] }, ({ rank }) => `Counted ${rank}`);
    const given = { titles: { settledPlaces: 2 }, retentionMs: { day: dayMs } };
    const leaderboards = [{ name: 'day', period: 'day', tallies: ['given:comment'] }] as const;
    const { app, clock, earn, titles } = await start([BusiestCommenter, counting], { ...given, leaderboards });
    await earn({ out: 10, ada: 9, bob: 8, cyd: 7, dan: 6, eve: 5 });
    await earn({ dan: 1 }, 'comment');
    await app.nest.get(Exclusions).exclude('out');
    const past = '/ranks/day?titles=true&period=2036-11-20';
    const { main } = app.nest.get(Ledgers);
    clock.set('2036-11-21T08:00:00Z');
    const read = jest.spyOn(main.history, 'ofMembers');
    await app.nest.get(SettlementService).settleDue();
    expect(read.mock.calls.map(([members]) => members)).toEqual([['out', 'ada', 'bob', 'dan']]);
    const settled = { ada: 'Counted 1', bob: 'Counted 2', dan: 'Busiest commenter', cyd: null, eve: null };
    expect(await titles(past)).toEqual(settled);
    clock.set('2036-11-24T08:00:00Z');
    expect(await titles(past)).toEqual(settled);
  });

  it('are missing, not the page, where what they are made from cannot be read, and are settled later', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const counting = rule({ order: 1, needs: ['counts'] }, () => 'Counted');
    const { app, clock, earn, titles } = await start([counting]);
    await earn({ ada: 1 });
    const { main } = app.nest.get(Ledgers);
    jest.spyOn(main.history, 'ofMembers').mockRejectedValue(new Error('gone'));
    expect(await titles()).toEqual({ ada: null });
    expect(logged).toHaveBeenCalledTimes(1);
    clock.set('2036-11-21T08:00:00Z');
    const settlement = app.nest.get(SettlementService);
    expect((await settlement.settleDue())?.failed).toHaveLength(1);
    expect(await settlement.due()).toHaveLength(1);
    jest.restoreAllMocks();
    expect((await settlement.settleDue())?.archived).toHaveLength(1);
    expect(await titles('/ranks/day?titles=true&period=2036-11-20')).toEqual({ ada: 'Counted' });
  });

  it('of a period that was settled without titles are made from what is kept', async () => {
    const prefix = freshPrefix();
    const retentionMs = { day: dayMs, ledger: 31 * dayMs };
    const options = { prefix, retentionMs, leaderboards: [dayBoard] };
    const without = await start([], options);
    await without.earn({ ada: 2, bob: 1 });
    without.clock.set('2036-11-21T08:00:00Z');
    await without.app.nest.get(SettlementService).settleDue();
    const { app, clock, titles } = await start([praising, steady, first], options);
    const past = '/ranks/day?titles=true&period=2036-11-20';
    clock.set('2036-11-21T08:00:00Z');
    expect(await titles(past)).toEqual({ ada: 'Praising', bob: 'Steady' });
    clock.set('2036-11-24T08:00:00Z');
    expect((await app.get<RankPage>(past)).body.period.state).toBe('settled');
    expect(await titles(past)).toEqual({ ada: 'Praising', bob: null });
    clock.set('2036-12-24T08:00:00Z');
    expect(await titles(past)).toEqual({ ada: 'First', bob: null });
  });
});
