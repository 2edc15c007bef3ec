import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from './environment';

const AUTH_SECRET = 'a-long-secret-of-the-tests-alone';
const servers = { REDIS_URL: 'redis://redis.example', DATABASE_URL: 'postgres://db.example/laurel' };
const needed = { AUTH_SECRET, ...servers };

describe('the environment of the community', () => {
  it('needs nothing but a secret and its servers', () => {
    expect(readEnvironment(needed)).toMatchObject({
      host: '127.0.0.1',
      port: 3_000,
      databaseUrl: servers.DATABASE_URL,
      activity: { redis: { url: servers.REDIS_URL } },
      outboxRetentionDays: 31,
      loadBounds: { maxRequests: 256, maxLateMs: 500 },
      stopTimes: { drainMs: 1_000, shutdownMs: 25_000 },
      throttle: { requestsPerMinute: 6_000, signInsPerAddress: 100, triesPerName: 10 },
      corsOrigins: [],
      maxConnections: 20_000,
      authSecret: AUTH_SECRET,
      warnings: [],
    });
    for (const name of ['AUTH_SECRET', 'REDIS_URL', 'DATABASE_URL']) {
      expect(() => readEnvironment({ ...needed, [name]: '' })).toThrow(`${name} is not set: `);
    }
  });

  it('takes the secret of a file where none is given, under the same rules', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-secret-'));
    const AUTH_SECRET_FILE = join(folder, 'secret');
    const read = (HOST: string) => readEnvironment({ ...needed, AUTH_SECRET_FILE, AUTH_SECRET: '', HOST }).authSecret;
    try {
      expect(() => read('0.0.0.0')).toThrow(
        `AUTH_SECRET_FILE is "${AUTH_SECRET_FILE}": name a file that this user can read`,
      );
      await writeFile(AUTH_SECRET_FILE, `${'x'.repeat(32)}\n`);
      expect(read('0.0.0.0')).toBe('x'.repeat(32));
      expect(readEnvironment({ ...needed, AUTH_SECRET_FILE }).authSecret).toBe(AUTH_SECRET);
      await writeFile(AUTH_SECRET_FILE, '\n');
      expect(() => read('127.0.0.1')).toThrow('AUTH_SECRET is too short: use 8');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('wants secrets that nobody can guess where others can try, and warns where only this machine can', () => {
    const weak = { AUTH_SECRET: 'x'.repeat(31), LAUREL_API_KEY: 'x'.repeat(15) };
    const strong = { ...servers, AUTH_SECRET: 'x'.repeat(32), LAUREL_API_KEY: 'x'.repeat(16) };
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'app.example']) {
      expect(readEnvironment({ ...strong, HOST }).warnings).toEqual([]);
      for (const name of ['AUTH_SECRET', 'LAUREL_API_KEY'] as const) {
        expect(() => readEnvironment({ ...strong, [name]: weak[name], HOST })).toThrow(`${name} is too short: use `);
      }
    }
    for (const HOST of ['127.0.0.1', '::1', 'localhost']) {
      expect(readEnvironment({ ...servers, ...weak, HOST }).warnings).toEqual([
        expect.stringMatching(/^AUTH_SECRET is weak: use 32 characters/),
        expect.stringMatching(/^LAUREL_API_KEY is weak: use 16 characters/),
      ]);
    }
  });

  it('takes each of its variables', () => {
    const environment = readEnvironment({
      ...needed,
      HOST: '0.0.0.0',
      PORT: '8080',
      DATABASE_URL: 'postgres://user:password@db.example:5432/community',
      LAUREL_OUTBOX_RETENTION_DAYS: '7',
      LAUREL_MAX_REQUESTS: '1000',
      LAUREL_MAX_LATE_MS: '900',
      LAUREL_SHUTDOWN_MS: '60000',
      LAUREL_DRAIN_MS: '10000',
      LAUREL_INGEST_STREAM: 'activities',
      LAUREL_TIMEZONE: 'Asia/Tokyo',
    });
    expect(environment).toMatchObject({
      host: '0.0.0.0',
      port: 8_080,
      databaseUrl: 'postgres://user:password@db.example:5432/community',
      outboxRetentionDays: 7,
      loadBounds: { maxRequests: 1_000, maxLateMs: 900 },
      stopTimes: { drainMs: 10_000, shutdownMs: 60_000 },
      ingestStream: 'activities',
      activity: { timezone: 'Asia/Tokyo' },
    });
  });

  it('says who is throttled and who is trusted', () => {
    const read = (variables: Record<string, string>) => readEnvironment({ ...needed, ...variables });
    expect(read({ LAUREL_THROTTLE: 'off', LAUREL_THROTTLE_REQUESTS: '10' }).throttle).toBeUndefined();
    expect(read({ LAUREL_THROTTLE_TRIES: '5' }).throttle).toMatchObject({ triesPerName: 5 });
    expect(read({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
    expect(read({ TRUST_PROXY: '10.0.0.0/8, loopback,::1' }).trustProxy).toEqual(['10.0.0.0/8', 'loopback', '::1']);
    const corsOrigins = ['https://a.example', 'http://b.example:8080'];
    expect(read({ CORS_ORIGINS: corsOrigins.join(', ') })).toMatchObject({ corsOrigins });
  });

  it('says whether articles are reviewed, which needs moderators who have the API key', () => {
    const read = (variables: Record<string, string>) => readEnvironment({ ...needed, ...variables }).reviewsArticles;
    expect(read({})).toBe(false);
    expect(read({ LAUREL_REVIEW_ARTICLES: 'off' })).toBe(false);
    expect(read({ LAUREL_REVIEW_ARTICLES: 'on', LAUREL_API_KEY: 'a-key-of-sixteen-characters' })).toBe(true);
    expect(() => read({ LAUREL_REVIEW_ARTICLES: 'on' })).toThrow(
      'LAUREL_REVIEW_ARTICLES is "on": set LAUREL_API_KEY too, by which moderators approve articles.',
    );
  });

  it.each([
    ['PORT', '70000', 'PORT is 70000: use a whole number from 0 to 65535.'],
    ['PORT', 'http', 'PORT is "http": use a whole number from 0 to 65535.'],
    ['HOST', 'a host', expect.stringMatching(/^HOST is "a host": use an address/)],
    [
      'DATABASE_URL',
      'mysql://me:secret@host/db',
      expect.stringMatching(/^DATABASE_URL has a bad value \(not shown: it may hold a password\): use postgres:/),
    ],
    ['AUTH_SECRET', '', expect.stringMatching(/^AUTH_SECRET is not set: use 8 characters or more/)],
    ['AUTH_SECRET', 'short', expect.stringMatching(/^AUTH_SECRET is too short: use 8/)],
    ['LAUREL_OUTBOX_RETENTION_DAYS', '0', 'LAUREL_OUTBOX_RETENTION_DAYS is 0: use a whole number from 1 to 36500.'],
    ['LAUREL_SHUTDOWN_MS', '10', 'LAUREL_SHUTDOWN_MS is 10: use a whole number from 1000 to 3600000.'],
    [
      'LAUREL_DRAIN_MS',
      '12500',
      'LAUREL_DRAIN_MS is "12500": use less than half of LAUREL_SHUTDOWN_MS, which is 25000.',
    ],
    ['LAUREL_THROTTLE', 'maybe', 'LAUREL_THROTTLE is "maybe": use on or off.'],
    ['LAUREL_THROTTLE_TRIES', '0', expect.stringMatching(/^LAUREL_THROTTLE_TRIES is 0: use a whole number from 1/)],
    ['TRUST_PROXY', 'true', expect.stringMatching(/^TRUST_PROXY is "true": use the number of proxies/)],
    ['TRUST_PROXY', '10.0.0.0/33', expect.stringMatching(/^TRUST_PROXY is "10.0.0.0\/33": use/)],
    ['TRUST_PROXY', '0.0.0.0/0', expect.stringMatching(/^TRUST_PROXY is "0.0.0.0\/0": use/)],
    ['CORS_ORIGINS', '*', expect.stringMatching(/^CORS_ORIGINS is "\*": use origins such as/)],
    ['CORS_ORIGINS', 'https://a.example/', expect.stringMatching(/^CORS_ORIGINS is "https:\/\/a.example\/": use/)],
    ['LAUREL_SHARDS', '0', expect.stringMatching(/^LAUREL_SHARDS is 0: use/)],
  ])('refuses %s %j, saying what is allowed', (name, value, message: unknown) => {
    const refusal = expect.objectContaining({ code: 'invalidOption', message }) as Error;
    expect(() => readEnvironment({ ...needed, [name]: value })).toThrow(refusal);
  });
});
