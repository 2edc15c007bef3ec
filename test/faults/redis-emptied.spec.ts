import { type PostgresServer, type RedisServer, startPostgres, startRedis } from '@laurel/servers';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { runCli } from '../support/run-cli';
import { announceSeed, drawer } from '../support/seed';
import { waitUntil } from '../support/wait-until';
import { Crowd } from './support/crowd';
import { MortalCommunity } from './support/mortal-community';
import { pointsInDatabase, pointsOnBoard, waitingIn } from './support/truth';

describe('a Redis that keeps nothing, killed in the middle of the load', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let database: Client;
  let community: MortalCommunity;
  let servers: Record<string, string>;

  beforeAll(async () => {
    announceSeed();
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    database = new Client({ connectionString: postgres.url });
    await database.connect();
    servers = { REDIS_URL: redis.url, DATABASE_URL: postgres.url };
    community = await MortalCommunity.start({ PORT: '0', ...servers });
  });
  afterAll(async () => {
    await community.stop();
    await database.end();
    await Promise.all([postgres.stop(), redis.stop()]);
  });

  const replay = async () => {
    const { exitCode, out, err } = await runCli(['replay', '--since', '2020-01-01T00:00:00Z', '--json'], {
      env: servers,
    });
    expect([exitCode, err]).toEqual([0, expect.stringMatching(/^Replaying: /)]);
    return JSON.parse(out) as { activities: number; points: number; outcomes: Record<string, number> };
  };
  const boards = async () => {
    await waitUntil(async () => (await waitingIn(database)) === 0, { withinMs: 30_000 });
    const [truth, board] = [await pointsInDatabase(database), await pointsOnBoard(community.url)];
    return { truth: new Map([...truth].sort()), board: new Map([...board].sort()) };
  };

  it('is healed by a replay while the app runs and people go on', async () => {
    const draw = drawer();
    const crowd = await Crowd.gather(() => community.url, 16, draw);
    const acting = crowd.act(40);
    await delay(300 + draw(500));
    await redis.kill();
    await delay(draw(300));
    await redis.restart();
    await acting;
    const before = await boards();
    // What was given before is gone: this test would not know a Redis that remembers.
    expect(before.board).not.toEqual(before.truth);

    const goingOn = crowd.act(10);
    const { points } = await replay();
    expect(points).toBeGreaterThan(0);
    await goingOn;
    const after = await boards();
    expect(after.board).toEqual(after.truth);
  });

  it('is changed by no further replay', async () => {
    const { activities, points, outcomes } = await replay();
    const { rows } = await database.query<{ events: number }>('SELECT count(*)::int AS events FROM outbox');
    expect(activities).toBe(rows[0]?.events);
    expect([points, outcomes.granted, outcomes.revoked]).toEqual([0, 0, 0]);
    const { truth, board } = await boards();
    expect(board).toEqual(truth);
  });
});
