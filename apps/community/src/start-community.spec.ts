import { placeOf, placeOfRedis } from './start-community';

it('names the servers that the community runs on without user and password', () => {
  const nodes = [
    { host: '10.0.0.1', port: 7000 },
    { host: '10.0.0.2', port: 7000 },
  ];
  expect([
    placeOf('postgres://laurel:hunter2@db.example:5432/app?sslmode=require'),
    placeOfRedis({ url: 'rediss://user:hunter2@redis.example:6380/1', password: 'hunter2' }),
    placeOfRedis({ url: 'unix:///run/redis.sock?db=0' }),
    placeOfRedis({ nodes, password: 'hunter2' }),
    placeOfRedis({ sentinels: nodes, name: 'points', sentinelPassword: 'hunter2' }),
  ]).toEqual([
    'db.example:5432/app',
    'redis.example:6380/1',
    '/run/redis.sock',
    '10.0.0.1:7000 10.0.0.2:7000',
    '10.0.0.1:7000 10.0.0.2:7000',
  ]);
});
