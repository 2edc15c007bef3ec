import { ActivityError } from '../errors';
import { resolveOptions } from './resolve-options';

const redis = { url: 'redis://localhost:6379' };
const dayMs = 86_400_000;

describe('resolveOptions', () => {
  it('fills in every default', () => {
    expect(resolveOptions({ redis })).toMatchObject({
      prefix: 'lr',
      shards: 1,
      timezone: 'UTC',
      clockSkewMs: 300_000,
      cacheMs: 500,
      ledgerRetentionMs: 31 * dayMs,
      leaderboards: [
        { name: 'day', period: 'day', latenessMs: 3_600_000, retentionMs: 31 * dayMs },
        { name: 'month', period: 'month', latenessMs: 3_600_000, retentionMs: 365 * dayMs },
      ],
      limits: [],
      apiKey: null,
      maxPending: 10_000,
      recordTimeoutMs: 5_000,
    });
  });

  it('spreads users over 16 shards on a Cluster', () => {
    expect(resolveOptions({ redis: { nodes: [{ host: 'a', port: 7000 }] } }).shards).toBe(16);
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
    expect(leaderboards).toEqual([
      { name: 'week', period: 'week', actions: undefined, latenessMs: 0, retentionMs: null },
      { name: 'ever', period: 'all', actions: ['praise'], latenessMs: 5, retentionMs: 7 },
    ]);
  });

  it('freezes what it gives', () => {
    const settings = resolveOptions({ redis });
    for (const part of [settings, settings.rules, settings.rules[0], settings.leaderboards, settings.leaderboards[0]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it.each<[string, unknown, string]>([
    ['redis', undefined, 'redis is undefined: use { url: "redis://…" }'],
    ['redis', { url: 'redis://a', client: {} }, 'redis is ["url","client"]'],
    ['redis', { url: 'http://secret' }, 'redis.url is "not shown": use redis://host:port'],
    ['redis', { nodes: [] }, 'redis.nodes is []: name at least one node'],
    [
      'redis',
      { nodes: [{ host: 'a', port: 70_000 }] },
      'redis.nodes[0].port is 70000: use a whole number from 1 to 65535',
    ],
    ['redis', { client: {} }, 'redis.client is "object": use a Redis or Cluster of ioredis'],
    ['prefix', 'a{b', 'prefix is "a{b": use 1 to 64 letters, digits and "_.:-"'],
    ['shards', 0, 'shards is 0: use a whole number from 1 to 1024'],
    ['timezone', 'Mars/Olympus', 'timezone is "Mars/Olympus": Unknown time zone'],
    ['latenessMs', -1, 'latenessMs is -1'],
    ['clockSkewMs', '5', 'clockSkewMs is "5"'],
    ['cacheMs', 1.5, 'cacheMs is 1.5'],
    ['retentionMs', { day: NaN }, 'retentionMs.day is NaN: use a whole number'],
    ['retentionMs', { decade: 1 }, 'retentionMs.decade is 1: its keys are day, week, month, year, all, ledger'],
    ['leaderboards', [], 'leaderboards is "0 of them": configure 1 to 32'],
    ['leaderboards', [{ name: 'Day', period: 'day' }], 'leaderboards[0].name is "Day"'],
    ['leaderboards', [{ name: 'day', period: 'hour' }], 'leaderboards[0].period is "hour": use one of "day"'],
    ['leaderboards', [{ name: 'day', period: 'day', actions: ['dance'] }], 'leaderboards[0].actions[0] is "dance"'],
    [
      'leaderboards',
      [
        { name: 'day', period: 'day' },
        { name: 'day', period: 'week' },
      ],
      'leaderboards[].name is "day": it stands there twice',
    ],
    ['rules', 'all', 'rules is "all": use a list'],
    ['rules', [{ action: 'Share', points: 1, revocable: true }], 'rules[0].action is "Share"'],
    ['rules', [{ action: 'share', points: 0, revocable: true }], 'rules[0].points is 0'],
    ['rules', [{ action: 'share', points: 1 }], 'rules[0].revocable is undefined: use true or false'],
    ['rules', [{ action: 'share', points: 1, revocable: true, days: 32 }], 'rules[0].days is 32'],
    [
      'rules',
      [
        { action: 'subscribe-a', points: 1, revocable: true },
        { action: 'subscribe-b', points: 1, revocable: true },
      ],
      'rules[].code is "subscrib": it stands there twice; give one of the two a code of its own',
    ],
    [
      'limits',
      [{ type: 'weekly', action: 'praise', max: 1 }],
      'limits[0].type is "weekly": use one of "sliding", "daily"',
    ],
    ['limits', [{ type: 'daily', action: 'dance', max: 1 }], 'limits[0].action is "dance"'],
    ['limits', [{ type: 'sliding', action: 'praise', max: 1, per: 'subject' }], 'limits[0].windowMs is undefined'],
    ['apiKey', 'two words', 'apiKey is "not shown": use 1 to 512'],
    ['maxPending', 0, 'maxPending is 0'],
    ['recordTimeoutMs', 10, 'recordTimeoutMs is 10'],
    ['currentUser', 'id', 'currentUser is "id": use a function'],
    ['clock', {}, 'clock is {}: use an object with a method now()'],
    ['controllers', false, 'controllers is "given by the factory": it shapes the module; give it beside useFactory'],
    ['presets', 1, 'presets is "unknown": the options are redis, prefix'],
  ])('refuses a bad %s, %j, by its name and value', (option, value, message) => {
    const refused = () => resolveOptions({ redis, [option]: value });
    expect(refused).toThrow(ActivityError);
    expect(refused).toThrow(message);
  });
});
