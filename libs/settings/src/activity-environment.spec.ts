import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultRules } from '@laurel/activity';
import { resolveOptions } from '@laurel/activity/internals';
import { periodKinds } from '@laurel/leaderboard/internals';
import { activityEnvironment } from './activity-environment';

const dayMs = 86_400_000;

describe('the environment', () => {
  it('leaves all else to the module where nothing is set, or set to nothing', () => {
    const tallies = ['given:comment', 'received:praise', 'received:follow'];
    const leaderboards = [
      ...['day', 'week', 'month'].map((name) => ({ name, period: name, tallies })),
      { name: 'all', period: 'all' },
      ...['week', 'month'].map((period) => ({ name: `category-${period}`, period, partition: 'category' })),
      { name: 'authors', period: 'month', actions: [] },
    ];
    const grants = (points: number) => ({ grants: [{ to: 'owner', points, leaderboards: ['authors'] }] });
    const given = { view: grants(1), praise: grants(2), collect: grants(2), comment: grants(3) };
    const rules = defaultRules.map((rule) => ({ ...rule, ...given[rule.action as keyof typeof given] }));
    const limits = [{ type: 'daily', action: 'view', max: 100 }];
    expect(activityEnvironment({})).toEqual({ leaderboards, firstDays: true, rules, limits });
    expect(activityEnvironment({ REDIS_URL: '', LAUREL_API_KEY: ' ' })).toEqual(activityEnvironment({}));
  });

  it('says all that the module can be told by it', () => {
    const apiKeys = [{ name: 'ci', key: 'a-key-of-the-build', may: ['record'] }];
    const options = activityEnvironment({
      REDIS_URL: 'rediss://user:secret@redis.example:6380/1',
      LAUREL_PREFIX: 'app',
      LAUREL_SHARDS: '8',
      LAUREL_TIMEZONE: 'America/Los_Angeles',
      LAUREL_LATENESS_S: '1000000000',
      LAUREL_CLOCK_SKEW_S: '60',
      LAUREL_CACHE_MS: '0',
      LAUREL_COMMAND_TIMEOUT_MS: '2000',
      LAUREL_RETENTION: 'day=7, all=365, month=none',
      LAUREL_API_KEY: 'a-key-of-the-service',
      LAUREL_API_KEYS: JSON.stringify(apiKeys),
    });
    expect(options).toMatchObject({
      redis: { url: 'rediss://user:secret@redis.example:6380/1' },
      prefix: 'app',
      shards: 8,
      timezone: 'America/Los_Angeles',
      latenessMs: 1_000_000_000_000,
      clockSkewMs: 60_000,
      cacheMs: 0,
      commandTimeoutMs: 2_000,
      retentionMs: { day: 7 * dayMs, all: 365 * dayMs, month: null },
      apiKey: 'a-key-of-the-service',
      apiKeys,
    });
    const noJson = () => activityEnvironment({ LAUREL_API_KEYS: 'key-of-ci' });
    expect(noJson).toThrow('LAUREL_API_KEYS is no JSON (not shown: it has secrets).');
    expect(() => resolveOptions({ redis: { url: 'redis://127.0.0.1' }, ...options })).not.toThrow();
  });

  it('has rules and limits, as JSON', () => {
    const rules = [{ action: 'praise', points: 5, revocable: true }];
    const limits = [{ type: 'daily', action: 'praise', max: 3 }];
    expect(activityEnvironment({ LAUREL_RULES: JSON.stringify({ rules, limits }) })).toMatchObject({ rules, limits });
    // Of what its titles tally, only what is an action there.
    const { leaderboards } = activityEnvironment({ LAUREL_RULES: JSON.stringify({ rules, limits }) });
    expect(leaderboards?.[0]).toEqual({ name: 'day', period: 'day', tallies: ['received:praise'] });
    // Without limits there are none: what caps views belongs to the rules that there are otherwise.
    expect(activityEnvironment({ LAUREL_RULES: JSON.stringify(rules) }).limits).toBeUndefined();
  });

  it('names the nodes of a Cluster, by name and by either kind of address', () => {
    const { redis } = activityEnvironment({ REDIS_CLUSTER_NODES: 'node-1:6379, 10.0.0.2:6380,[::1]:6381' });
    const nodes = [
      { host: 'node-1', port: 6379 },
      { host: '10.0.0.2', port: 6380 },
      { host: '::1', port: 6381 },
    ];
    expect(redis).toEqual({ nodes });
  });

  it('keeps everything on "none" alone', () => {
    const { retentionMs = {} } = activityEnvironment({ LAUREL_RETENTION: 'none' });
    expect(Object.entries(retentionMs)).toEqual([...periodKinds, 'ledger'].map((kind) => [kind, null]));
  });

  it.each([
    ['LAUREL_SHARDS', '0', 'LAUREL_SHARDS is 0: use a whole number from 1 to 1024.'],
    ['LAUREL_SHARDS', '1e2', 'LAUREL_SHARDS is "1e2": use a whole number from 1 to 1024.'],
    ['LAUREL_CACHE_MS', '-1', 'LAUREL_CACHE_MS is "-1": use a whole number from 0 to 60000.'],
    ['LAUREL_CLOCK_SKEW_S', 'soon', 'LAUREL_CLOCK_SKEW_S is "soon": use a whole number from 0 to 86400.'],
    ['LAUREL_LATENESS_S', '1.5', 'LAUREL_LATENESS_S is "1.5": use a whole number from 0 to 31622400000.'],
    ['LAUREL_PREFIX', 'a{b}', 'LAUREL_PREFIX is "a{b}": use 1 to 64 letters, digits and "_.:-".'],
    ['LAUREL_TIMEZONE', 'Mars/Base', expect.stringMatching(/^LAUREL_TIMEZONE is "Mars\/Base": /)],
    ['LAUREL_RETENTION', 'day=31;week=5', expect.stringMatching(/^LAUREL_RETENTION is "day=31;week=5": use none, or /)],
    ['LAUREL_RETENTION', 'day=1,day=2', expect.stringMatching(/^LAUREL_RETENTION is "day=1,day=2": /)],
    ['LAUREL_RETENTION', 'minute=1', expect.stringMatching(/^LAUREL_RETENTION is "minute=1": /)],
    ['LAUREL_RETENTION', 'day=-3', expect.stringMatching(/^LAUREL_RETENTION is "day=-3": /)],
    ['LAUREL_RETENTION', 'day=x', 'day of LAUREL_RETENTION is "x": use a whole number from 0 to 366000.'],
    ['REDIS_CLUSTER_NODES', 'a:1,b', expect.stringMatching(/^REDIS_CLUSTER_NODES is "a:1,b": use host:port,/)],
    ['REDIS_CLUSTER_NODES', 'a:70000', expect.stringMatching(/^REDIS_CLUSTER_NODES is "a:70000": /)],
    [
      'REDIS_URL',
      'http://secret@host',
      'REDIS_URL has a bad value (not shown: it may hold a password): use redis://host:port, rediss://host:port or unix:///path?db=0.',
    ],
    ['LAUREL_RULES', '[', expect.stringMatching(/^LAUREL_RULES is not JSON: /)],
    [
      'LAUREL_RULES',
      '[{"action":"praise","points":0.5,"revocable":1}]',
      'LAUREL_RULES: rules[0].points is 0.5: use a whole number from -1000000 to 1000000.\n' +
        'LAUREL_RULES: rules[0].revocable is 1: use true or false.',
    ],
    [
      'LAUREL_API_KEY',
      'two words',
      expect.stringMatching(/^LAUREL_API_KEY has a bad value \(not shown: it is a secret\): use 1 to 512/),
    ],
  ])('refuses %s %j, saying what is allowed', (name, value, message: unknown) => {
    const refusal = expect.objectContaining({ code: 'invalidOption', message }) as Error;
    expect(() => activityEnvironment({ [name]: value })).toThrow(refusal);
  });

  it('takes how Redis lets the app in, secrets and certificates from files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'laurel-redis-'));
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), `${text}\n`);
      return join(folder, name);
    };
    const pem = (what: string) => `-----BEGIN ${what}-----`;
    try {
      const access = {
        REDIS_USERNAME: 'app',
        REDIS_PASSWORD_FILE: file('password', 'secret'),
        REDIS_TLS_CA_FILE: file('ca', pem('CA')),
        REDIS_TLS_CERT_FILE: file('cert', pem('CERT')),
        REDIS_TLS_KEY_FILE: file('key', pem('KEY')),
        REDIS_TLS_SERVERNAME: 'redis.internal',
        REDIS_NAT_MAP: '10.0.0.1:6379=public:7001, [fd00::1]:6379=public:7002',
      };
      const read = {
        ...{ username: 'app', password: 'secret' },
        tls: { ca: pem('CA'), cert: pem('CERT'), key: pem('KEY'), servername: 'redis.internal' },
        natMap: { '10.0.0.1:6379': { host: 'public', port: 7001 }, 'fd00::1:6379': { host: 'public', port: 7002 } },
      };
      const nodes = [{ host: 'a', port: 1 }];
      expect(activityEnvironment({ REDIS_CLUSTER_NODES: 'a:1', ...access }).redis).toEqual({ nodes, ...read });
      const ofSentinels = { REDIS_SENTINELS: 'a:1', REDIS_SENTINEL_NAME: 'boards', REDIS_SENTINEL_USERNAME: 'watcher' };
      const sentinelPassword = { REDIS_SENTINEL_PASSWORD: 'other' };
      expect(activityEnvironment({ ...access, ...ofSentinels, ...sentinelPassword }).redis).toEqual({
        ...{ sentinels: nodes, name: 'boards', sentinelUsername: 'watcher', sentinelPassword: 'other' },
        ...read,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
    const tls = (REDIS_TLS: string) => activityEnvironment({ REDIS_URL: 'redis://a', REDIS_TLS }).redis;
    expect([tls('on'), tls('off')]).toEqual([true, false].map((one) => ({ url: 'redis://a', tls: one })));
  });

  it.each([
    [{ REDIS_PASSWORD: 'x' }, 'REDIS_PASSWORD is set alone: set REDIS_URL or REDIS_CLUSTER_NODES or REDIS_SENTINELS'],
    [{ REDIS_URL: 'redis://a', REDIS_SENTINEL_NAME: 'b' }, 'REDIS_SENTINEL_NAME is set alone: set REDIS_SENTINELS as'],
    [{ REDIS_SENTINELS: 'a:1' }, 'REDIS_SENTINELS is set alone: set REDIS_SENTINEL_NAME as well'],
    [{ REDIS_URL: 'redis://a', REDIS_NAT_MAP: 'a:1=b:2' }, 'REDIS_NAT_MAP is set alone: set REDIS_CLUSTER_NODES or'],
    [{ REDIS_CLUSTER_NODES: 'a:1', REDIS_NAT_MAP: 'a:1' }, 'REDIS_NAT_MAP is "a:1": use announced:port=reached:port'],
    [{ REDIS_URL: 'redis://a', REDIS_TLS: 'yes' }, 'REDIS_TLS is "yes": use one of "on", "off"'],
    [
      { REDIS_URL: 'redis://a', REDIS_TLS_CA_FILE: '/nowhere' },
      'REDIS_TLS_CA_FILE is "/nowhere": name a file that this',
    ],
    [
      { REDIS_URL: 'redis://a', REDIS_TLS: 'off', REDIS_TLS_SERVERNAME: 'b' },
      'REDIS_TLS is "off": use "on", or leave out',
    ],
    [{ REDIS_URL: 'redis://a', REDIS_PASSWORD: 'x', REDIS_PASSWORD_FILE: __filename }, 'REDIS_PASSWORD is set as well'],
    [{ REDIS_URL: 'redis://:x@a', REDIS_PASSWORD: 'y' }, 'redis has user or password twice'],
    [{ REDIS_URL: 'redis://a', REDIS_CLUSTER_NODES: 'a:1' }, 'REDIS_URL is set as well; keep one of the two'],
  ])('refuses %j, which does not say how to reach Redis', (variables, message) => {
    expect(() => activityEnvironment(variables)).toThrow(message);
  });
});
