import { Redis } from 'ioredis';
import { ActivityError } from '../errors/errors';
import { resolveOptions } from './resolve-options';

const redis = { url: 'redis://localhost:6379' };
const dayMs = 86_400_000;
const circle: unknown[] = [];
circle.push(circle);
const cut = (spec: string) => ({ period: spec, spec, fedSpec: spec });

describe('resolveOptions', () => {
  it('fills in every default', () => {
    expect(resolveOptions({ redis })).toMatchObject({
      ...{ prefix: 'lr', shards: null, timezone: 'UTC', clockSkewMs: 300_000, cacheMs: 500, limits: [], apiKeys: [] },
      ...{ maxPending: 10_000, recordTimeoutMs: 5_000, commandTimeoutMs: 900, ledgerRetentionMs: (32 + 365) * dayMs },
      leaderboards: [
        { name: 'day', period: 'day', latenessMs: 3_600_000, retentionMs: 31 * dayMs },
        { name: 'month', period: 'month', latenessMs: 3_600_000, retentionMs: 365 * dayMs },
      ],
    });
  });

  it('takes what is undefined, as the environment gives it, as left out', () => {
    const names = ['apiKey', 'timezone', 'shards', 'retentionMs', 'limits', 'rules', 'clock', 'metricsRegistry'];
    const undefinedOptions = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(resolveOptions({ redis, ...undefinedOptions })).toEqual(resolveOptions({ redis }));
  });

  it('refuses a client with a keyPrefix, which would be missing in what is looked for', () => {
    const client = new Redis({ lazyConnect: true, keyPrefix: 'app:' });
    expect(() => resolveOptions({ redis: { client } })).toThrow(
      /redis.client has the keyPrefix "app:": .*option prefix/,
    );
  });

  it('takes each leaderboard by its kind and its own words', () => {
    const { leaderboards } = resolveOptions({
      redis,
      latenessMs: 0,
      retentionMs: { week: null },
      leaderboards: [
        { name: 'week', period: 'week' },
        { name: 'ever', period: 'all', actions: ['praise'], latenessMs: 5, retentionMs: 7 },
      ],
    });
    const none = { tallies: [], where: [], hasOwnLedger: false, decimals: 0, visibility: 'all', maxPoints: null };
    const shared = { ...none, timezone: 'UTC', points: null, partition: null, rolling: null, floor: 0 };
    expect(leaderboards).toMatchObject([
      { ...shared, ...cut('week'), name: 'week', actions: undefined, latenessMs: 0, retentionMs: null },
      { ...shared, ...cut('all'), name: 'ever', actions: ['praise'], latenessMs: 5, retentionMs: 7 },
    ]);
  });

  it.each<[object, object]>([
    [{ period: 'week' }, { spec: { kind: 'week', startsOn: 'sunday' } }],
    [{ period: 'week', weekStart: 'monday' }, { spec: 'week' }],
    [{ period: 'week', weeksFrom: '2024-09-01' }, { spec: { kind: 'week', countedFrom: '2024-09-01' } }],
    [
      { contest: { from: '2026-11-01', to: '2026-11-01' } },
      { period: 'contest', spec: { kind: 'contest', from: '2026-11-01', to: '2026-11-01' }, retentionMs: 1830 * dayMs },
    ],
    [
      { seasons: ['2026-09-07', '2027-01-18'] },
      { spec: { kind: 'season', starts: ['2026-09-07', '2027-01-18'] }, retentionMs: 1830 * dayMs },
    ],
    [
      { rolling: { days: 7 } },
      {
        period: 'rolling',
        spec: { kind: 'rolling', days: 7 },
        fedSpec: 'day',
        rolling: { days: 7, refreshMs: 10_000 },
        // A month's windows, and what the oldest of them is made from.
        retentionMs: (31 + 8) * dayMs,
      },
    ],
    [
      { period: 'day', partition: 'category' },
      { partition: 'category', hasOwnLedger: false },
    ],
    [
      { period: 'day', timezone: 'asia/shanghai' },
      { timezone: 'Asia/Shanghai', hasOwnLedger: true },
    ],
    [
      { period: 'day', points: { praise: 5 } },
      { points: { praise: 5 }, hasOwnLedger: true },
    ],
  ])('takes a leaderboard %j', (config, expected) => {
    const { leaderboards } = resolveOptions({
      redis,
      weekStart: 'sunday',
      leaderboards: [
        { name: 'day', period: 'day' },
        { name: 'own', ...config },
      ],
    });
    expect(leaderboards[1]).toMatchObject(expected);
  });

  it.each<[object, string]>([
    [{}, ' is []: give one of "period", "contest", "seasons" and "rolling".'],
    [{ period: 'day', rolling: { days: 7 } }, ' is ["period","rolling"]: give one of'],
    [{ period: 'contest' }, '.period is "contest": use one of "hour"'],
    [{ period: 'day', timezon: 'UTC' }, '.timezon is unknown: there are name, period'],
    [{ period: 'day', timezone: 'Mars/Olympus' }, '.timezone is "Mars/Olympus": use an IANA name such as "UTC"'],
    [{ period: 'week', weekStart: 'friday' }, '.weekStart is "friday": use one of "monday", "sunday"'],
    [{ period: 'month', weekStart: 'sunday' }, '.weekStart is "sunday": use it only where'],
    [{ period: 'week', weeksFrom: '2024-09-01' }, '.weeksFrom is "2024-09-01": use a monday'],
    [{ period: 'week', weeksFrom: 'September' }, '.weeksFrom is "September": use a day such as "2026-11-20".'],
    [{ period: 'day', weeksFrom: '2024-09-02' }, '.weeksFrom is "2024-09-02": use it only where'],
    [
      { contest: { from: '2026-11-02', to: '2026-11-01' } },
      '.contest ends on 2026-11-01 before it begins on 2026-11-02: use a "to" on or after "from".',
    ],
    [
      { contest: { from: '2026-02-30', to: '2026-11-01' } },
      '.contest.from is "2026-02-30": use a day such as "2026-11-20".',
    ],
    [{ contest: { from: '2026-02-03' } }, '.contest.to is undefined: use a day such as "2026-11-20".'],
    [{ contest: { from: '2026-02-03', until: 'x' } }, '.contest.until is unknown: there are from, to'],
    [{ contest: '2026' }, '.contest is "2026": use an object with from, to'],
    [{ seasons: ['2026-02-03'] }, '.seasons has 1 items'],
    [{ seasons: ['2026-02-03', '2026-02-03'] }, '.seasons is ["2026-02-03","2026-02-03"]: name each day after'],
    [{ rolling: { days: 0 } }, '.rolling.days is 0: use a whole number from 1 to 366'],
    [{ rolling: { days: 7, refreshMs: 1 } }, '.rolling.refreshMs is 1: use a whole number from 100'],
    [
      { rolling: { days: 7 }, retentionMs: 7 * dayMs },
      `.retentionMs is ${7 * dayMs}: use a whole number from ${8 * dayMs}`,
    ],
    [{ period: 'day', partition: 'a b' }, '.partition is "a b": use 1 to 32 of letters'],
    [{ period: 'day', where: [{ partition: 'a' }] }, '.where[0] is {"partition":"a"}: give it only, except, or both.'],
    [{ period: 'day', where: [{ partition: 'a', only: ['ä'.repeat(33)] }] }, '.where[0].only[0] must be at most 64'],
    [{ period: 'day', tallies: ['praise'] }, '.tallies[0] is "praise": use "given:" or "received:"'],
    [{ period: 'day', tallies: ['given:dance'] }, '.tallies[0] is "given:dance"'],
    [
      { period: 'day', actions: ['view'], tallies: ['given:praise'] },
      '.tallies[0] is "given:praise": use "given:" or "received:" and an action that counts on it, one of view.',
    ],
    [{ period: 'day', tallies: ['given:view', 'given:view'] }, '.tallies is "given:view": it is given twice'],
    [
      { rolling: { days: 7 }, tallies: ['given:view'] },
      '.tallies is ["given:view"]: leave it out: rolling windows have none',
    ],
    [{ period: 'day', points: {} }, '.points is {}: name at least one action'],
    [{ period: 'day', points: { praise: 0.5 } }, '.points.praise is 0.5: use a whole number from -1000000'],
    [{ period: 'day', floor: -1 }, '.floor is -1: use 0'],
    [{ period: 'day', floor: '0' }, '.floor is "0": use 0'],
    [{ period: 'day', maxPoints: 0 }, '.maxPoints is 0: use'],
    [{ period: 'day', points: { dance: 1 } }, '.points.dance is unknown: there are view, praise'],
    [{ period: 'day', actions: ['view'], points: { praise: 2 } }, '.points.praise is unknown: there are view.'],
  ])('refuses a leaderboard %j', (config, message) => {
    const leaderboards = [
      { name: 'day', period: 'day' as const },
      { name: 'own', ...config },
    ];
    expect(() => resolveOptions({ redis, leaderboards })).toThrow(`leaderboards[1]${message}`);
  });

  it.each<[object, string]>([
    [{ grants: {} }, 'rules[0].grants is {}: use a list'],
    [{ grants: [{ to: 'giver', points: 1 }] }, 'rules[0].grants[0].to is "giver": use one of "owner"'],
    [{ grants: [{ to: 'owner', points: 0.5 }] }, 'grants[0].points is 0.5: use a whole number from -1000000'],
    [{ grants: [{ to: 'owner', points: 1, on: 'x' }] }, 'grants[0].on is unknown: there are to, points'],
    [{ grants: [1, 2].map((points) => ({ to: 'owner', points })) }, 'give an owner one grant'],
    [{ code: 'owner' }, 'rules[0].code is "owner": it is reserved for ledgers'],
    [{ code: 'adjust' }, 'rules[0].code is "adjust": it is reserved for ledgers'],
  ])('refuses a rule with %j', (change, message) => {
    const rules = [{ action: 'praise', points: 1, revocable: true, ...change }];
    expect(() => resolveOptions({ redis, rules })).toThrow(message);
  });

  it.each([
    [0, 0.5, 'rules[0].points is 0.5: use a whole number from -1000000 to 1000000.'],
    [1, 0.25, 'rules[0].points is 0.25: use a number from -100000 to 100000 with at most 1 decimal.'],
    [2, 10_000.01, 'rules[0].points is 10000.01: use a number from -10000 to 10000 with at most 2 decimals.'],
  ])('refuses, with %i decimals, a rule of %p points', (decimals, points, message) => {
    const rules = [{ action: 'read', points, revocable: true }];
    expect(() => resolveOptions({ redis, decimals, rules })).toThrow(message);
  });

  it('has limits with as many decimals as points have', () => {
    const limits = [{ type: 'daily', points: 0.125 }] as const;
    expect(() => resolveOptions({ redis, decimals: 2, limits })).toThrow(
      'limits[0].points is 0.125: use a number from 0.01 to 10000000 with at most 2 decimals.',
    );
  });

  it('refuses leaderboards of which none shares the ledger of the module', () => {
    const leaderboards = [{ name: 'day', period: 'day' as const, timezone: 'Asia/Shanghai' }];
    expect(() => resolveOptions({ redis, leaderboards })).toThrow('let at least one have the "timezone" of the module');
  });

  it('freezes what it gives', () => {
    const settings = resolveOptions({ redis });
    for (const part of [settings, settings.rules, settings.rules[0], settings.leaderboards, settings.leaderboards[0]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it.each<[string, unknown, string]>([
    ['redis', undefined, ' is undefined: use { url: "redis://…" }'],
    ['redis', { url: 'redis://a', client: {} }, ' is ["url","client"]'],
    [
      'redis',
      { url: 'http://secret' },
      '.url has a bad value (not shown: it may hold a password): use redis://host:port',
    ],
    ['redis', { nodes: [] }, '.nodes is []: name at least one node'],
    ['redis', { nodes: [{ host: 'a', port: 70_000 }] }, '.nodes[0].port is 70000: use a whole number from 1 to 65535'],
    ['redis', { client: {} }, '.client is "object": use a Redis or Cluster of ioredis'],
    // Nobody would know how many shards it should have.
    ['redis', { client: { evalsha: () => null } }, '.client is "object": use a Redis or Cluster of ioredis'],
    ['redis', { url: 'unix:///a.sock?db=x' }, '.url has a bad value (not shown'],
    ['redis', { url: 'redis://a', natMap: {} }, '.natMap is unknown: there are url, username, password, tls'],
    ['redis', { url: 'redis://:a@b', password: 'hidden' }, ' has user or password twice: give them in url or'],
    ['redis', { url: 'unix:///a.sock', tls: true }, ' has tls for a Unix socket, which has none: leave it out'],
    ['redis', { url: 'rediss://a', tls: false }, ' has tls: false beside rediss://: keep one of the two'],
    [
      'redis',
      { url: 'redis://a', tls: { ca: '/ca.crt' } },
      ".tls.ca has a bad value (not shown: it may be a key): use the authorities' certificates in PEM, not the name of its file",
    ],
    [
      'redis',
      { url: 'redis://a', tls: { cert: '-----BEGIN ' } },
      '.tls has one of cert and key: give both, or neither',
    ],
    [
      'redis',
      { nodes: [{ host: 'a', port: 1 }], natMap: { a: { host: 'b', port: 1 } } },
      '.natMap."a" is no address: use "host:port"',
    ],
    ['redis', { sentinels: [{ host: 'a', port: 1 }] }, '.name is undefined: use the name under which the Sentinels'],
    ['prefix', 'a{b', ' is "a{b": use 1 to 64 letters, digits and "_.:-"'],
    ['shards', 0, ' is 0: use a whole number from 1 to 1024'],
    ['timezone', 'Mars/Olympus', ' is "Mars/Olympus": use an IANA name such as "UTC"'],
    ['latenessMs', -1, ' is -1'],
    ['clockSkewMs', '5', ' is "5"'],
    ['cacheMs', 1.5, ' is 1.5'],
    ['cacheMs', circle, ' is what JSON cannot hold: use a whole number'],
    ['firstDays', 'yes', ' is "yes": use true or false'],
    ['retentionMs', { day: NaN }, '.day is NaN: use a whole number'],
    ['retentionMs', 5, ' is 5: use an object with hour, day, week'],
    [
      'retentionMs',
      { decade: 1 },
      '.decade is 1: its keys are hour, day, week, month, quarter, year, all, contest, ledger',
    ],
    ['leaderboards', [], ' has 0 items: configure 1 to 32'],
    ['leaderboards', [{ name: 'Day', period: 'day' }], '[0].name is "Day"'],
    ['leaderboards', [{ name: 'day', period: 'minute' }], '[0].period is "minute": use one of "hour"'],
    ['leaderboards', [{ name: 'day', period: 'day', actions: ['dance'] }], '[0].actions[0] is "dance"'],
    [
      'leaderboards',
      [
        { name: 'day', period: 'day' },
        { name: 'day', period: 'week' },
      ],
      '[].name is "day": it is given twice',
    ],
    ['rules', 'all', ' is "all": use a list'],
    ['rules', [{ action: 'Share', points: 1, revocable: true }], '[0].action is "Share"'],
    [
      'rules',
      [{ action: 'recorded', points: 1, revocable: true }],
      '[0].action is "recorded": the module itself emits "activity.recorded"',
    ],
    ['rules', [{ action: 'share', points: -1_000_001, revocable: true }], '[0].points is -1000001'],
    ['rules', [{ action: 'share', points: 1 }], '[0].revocable is undefined: use true or false'],
    ['rules', [{ action: 'share', points: 1, revocable: true, days: 32 }], '[0].days is 32'],
    [
      'rules',
      [
        { action: 'subscribe-a', points: 1, revocable: true },
        { action: 'subscribe-b', points: 1, revocable: true },
      ],
      '[].code is "subscrib": it is given twice; give one of the two a code of its own',
    ],
    ['limits', [{ type: 'daily', action: 'dance', max: 1 }], '[0].action is "dance"'],
    ['apiKey', 'two words', ' has a bad value (not shown: it is a secret): use 1 to 512'],
    ['apiKeys', [{ name: 'a', key: 'k'.repeat(15) }], '[0].key has a bad value (not shown: it is a secret): use 16'],
    ['apiKeys', ['k'.repeat(16)], ' has a bad value (not shown: it has secrets): use a list of objects'],
    ['apiKeys', ['a', 'a'].map((name) => ({ name, key: 'k'.repeat(16) })), '[].name is "a": it is given twice'],
    ['apiKeys', [{ name: 'a', key: 'k'.repeat(16), may: ['all'] }], '[0].may[0] is "all": use one of "read"'],
    ['maxPending', 0, ' is 0'],
    ['recordTimeoutMs', 10, ' is 10'],
    ['commandTimeoutMs', 60_001, ' is 60001'],
    ['currentUser', 'id', ' is "id": use a function'],
    ['clock', {}, ' is {}: use an object with a method now()'],
    ['controllers', false, ' cannot be given by the factory: it shapes the module; give it beside useFactory'],
    ['observers', { concurrency: 0 }, '.concurrency is 0: use a whole number from 1 to 1000'],
    ['observers', { maxWaiting: 0 }, '.maxWaiting is 0'],
    ['observers', { timeoutMs: 1 }, '.timeoutMs is 1'],
    ['observers', { patience: 1 }, '.patience is unknown: there are concurrency, maxWaiting, timeoutMs'],
    ['decimals', 3, ' is 3: use a whole number from 0 to 2.'],
    ['presets', 1, ' is unknown: the options are redis, prefix'],
  ])('refuses a bad %s, %j, by its name and value', (option, value, message) => {
    const refused = () => resolveOptions({ redis, [option]: value });
    expect(refused).toThrow(ActivityError);
    expect(refused).toThrow(`${option}${message}`);
  });
});
