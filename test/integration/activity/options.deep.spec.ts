import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ActivityModule, type ActivityModuleOptions, type LeaderboardConfig } from '@laurel/activity';
import { resolveOptions, storedOptions } from '@laurel/activity/internals';
import { type AllOptions, freshPrefix, testRedis, testRedisUrl, TinyApp } from './support';

const redis = testRedis();
let prefix: string;
beforeEach(() => (prefix = freshPrefix()));

const leaderboards: readonly LeaderboardConfig[] = [
  { name: 'day', period: 'day', tallies: ['given:comment'] },
  { name: 'sundays', period: 'week', weekStart: 'sunday' },
  { name: 'term', period: 'week', weeksFrom: '2026-09-07' },
  { name: 'spring', contest: { from: '2026-03-01', to: '2026-05-31' } },
  { name: 'terms', seasons: ['2026-03-01', '2026-09-07'] },
  { name: 'recent', rolling: { days: 7 } },
  { name: 'writers', period: 'month', actions: ['publish', 'comment'], retentionMs: null },
  { name: 'topics', period: 'month', partition: 'category' },
  { name: 'teas', period: 'day', where: [{ partition: 'category', only: ['tea', 'maté'] }] },
  { name: 'fans', period: 'day', points: { praise: 5 } },
  { name: 'abroad', period: 'day', timezone: 'Asia/Shanghai' },
];

const start = (options: Partial<AllOptions> = {}): Promise<TinyApp> =>
  TinyApp.start({
    options: { prefix, leaderboards, timezone: 'Europe/Berlin', latenessMs: 60_000, shards: 2, ...options },
  });

const praise = { userId: 'ann', action: 'praise', subject: 'article:7', partitions: { category: 'tea' } };

const settingsMismatch = (message: RegExp): object => ({
  code: 'settingsMismatch',
  message: expect.stringMatching(message) as unknown,
});

it('the options of an app stand in Redis: what is made from there has the same leaderboards, rules and limits', async () => {
  const limits = [{ type: 'daily', action: 'view', max: 5 }] as const;
  await start({ limits, retentionMs: { ledger: 90 * 86_400_000 } });
  const stored = await storedOptions(redis, prefix);
  const url = testRedisUrl();
  const made = resolveOptions({ redis: { url }, ...stored });
  const given = resolveOptions({
    ...{ redis: { url }, prefix, leaderboards, timezone: 'Europe/Berlin', latenessMs: 60_000, shards: 2, limits },
    retentionMs: { ledger: 90 * 86_400_000 },
  });
  expect(made.leaderboards).toMatchObject(given.leaderboards);
  for (const name of ['prefix', 'shards', 'timezone', 'weekStart', 'ledgerRetentionMs', 'firstDays'] as const) {
    expect(made[name]).toEqual(given[name]);
  }
  const inOrder = (rules: typeof made.rules) => [...rules].sort((a, b) => (a.action < b.action ? -1 : 1));
  expect(inOrder(made.rules)).toEqual(inOrder(given.rules));
  expect(made.limits).toEqual(given.limits);
});

describe('an app that would misread what another has written', () => {
  const refused = async (options: Partial<ActivityModuleOptions>, message: RegExp): Promise<void> => {
    await expect(start(options)).rejects.toMatchObject(settingsMismatch(message));
  };
  const changed = (name: string, change: Partial<LeaderboardConfig>): readonly LeaderboardConfig[] =>
    leaderboards.map((one) => (one.name === name ? { ...one, ...change } : one));

  it('ends at its start, naming what was written, what is configured and what to do', async () => {
    await (await start()).record(praise, { ...praise, action: 'publish' });
    await refused(
      { leaderboards: changed('writers', { actions: ['publish'] }) },
      /"writers" with counts "comment, publish", but counts "publish" .*acceptChanges/,
    );
    await refused(
      { leaderboards: changed('teas', { where: [{ partition: 'category', only: ['tea'] }] }) },
      /"teas" with counts "all where .*"maté.*tea.* but counts "all where .*tea.*acceptChanges/,
    );
    await refused({ leaderboards: changed('abroad', { timezone: 'Asia/Tokyo' }) }, /timezone "Asia\/Shanghai"/);
    // Another ledger, in which it would begin anew.
    const elsewhere = /"writers" with timezone "Europe\/Berlin".*, but timezone "Asia\/Tokyo" .*another name/;
    await refused({ leaderboards: changed('writers', { timezone: 'Asia/Tokyo' }) }, elsewhere);
    await refused(
      { leaderboards: changed('writers', { points: { publish: 5 } }) },
      /points of the rules, but .*its own/,
    );
    const berlin = { timezone: 'Europe/Berlin' };
    await refused({ leaderboards: changed('abroad', berlin) }, /"Asia\/Shanghai".*, but timezone "Europe\/Berlin"/);
  });

  it('starts with other points, another order of actions, a leaderboard more and a leaderboard less', async () => {
    await (await start()).record(praise);
    await start({ leaderboards: changed('fans', { points: { praise: 7 } }) });
    await start({ leaderboards: changed('writers', { actions: ['comment', 'publish'] }) });
    await start({ leaderboards: [...leaderboards.slice(1), { name: 'year', period: 'year' }] });
  });
});

it('an app without EventEmitterModule is refused at the start, with the line to add', async () => {
  const imports = [ActivityModule.forRoot({ redis: { url: testRedisUrl() }, prefix })];
  await expect(Test.createTestingModule({ imports }).compile()).rejects.toThrow(
    /^imports has no EventEmitterModule: add EventEmitterModule\.forRoot\(\) of @nestjs\/event-emitter to the imports/,
  );
});

describe('options', () => {
  it('with a key that can be found by trying are told of', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn');
    await TinyApp.start({ options: { apiKey: 'short' } });
    const warnings = warned.mock.calls.map(([line]) => String(line));
    warned.mockRestore();
    expect(warnings).toEqual(['apiKey has 5 characters and can be found by trying: use 16 or more.']);
  });

  it.each(['//x', 'a//b', 'a b', '/a/?', 'x#'])('with the path %j are refused by name', (path) => {
    const module = () => ActivityModule.forRoot({ redis: { url: testRedisUrl() }, controllers: { path } });
    expect(module).toThrow(/^controllers\.path is ".*": use segments/);
  });
});
