import { placeOf, placeOfRedis, sentenceOf } from './what-runs';

describe('what runs where', () => {
  it('names servers without user and password', () => {
    const nodes = [
      { host: '10.0.0.1', port: 7000 },
      { host: '10.0.0.2', port: 7000 },
    ];
    expect(placeOf('postgres://laurel:hunter2@db.example:5432/app?sslmode=require')).toBe('db.example:5432/app');
    expect([
      placeOfRedis({ url: 'rediss://user:hunter2@redis.example:6380/1', password: 'hunter2' }),
      placeOfRedis({ url: 'unix:///run/redis.sock?db=0' }),
      placeOfRedis({ nodes, password: 'hunter2' }),
      placeOfRedis({ sentinels: nodes, name: 'points', sentinelPassword: 'hunter2' }),
    ]).toEqual([
      'redis.example:6380/1',
      '/run/redis.sock',
      '10.0.0.1:7000, 10.0.0.2:7000 (Cluster)',
      'points by Sentinels 10.0.0.1:7000, 10.0.0.2:7000',
    ]);
  });

  it('is one sentence', () => {
    const runs = {
      ...{ url: 'http://127.0.0.1:3000', redis: '127.0.0.1:6379', postgres: '127.0.0.1:5432/app' },
      ...{ prefix: 'lr', timezone: 'UTC', settlesEveryMs: 10_000, outboxKeptDays: 31, outboxForgetsEveryMs: 600_000 },
      ingestStream: 'visits',
    };
    expect(sentenceOf(runs)).toBe(
      'Listening on http://127.0.0.1:3000 with Redis at 127.0.0.1:6379 (prefix lr), PostgreSQL at 127.0.0.1:5432/app, ' +
        'days in UTC, settling every 10 s, events kept 31 days, forgotten every 600 s, activities from the stream visits',
    );
  });
});
