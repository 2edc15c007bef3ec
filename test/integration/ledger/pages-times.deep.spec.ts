import { Ledger, Period, type Transition } from '@laurel/leaderboard';
import { startRedis, type RedisServer } from '@laurel/servers';
import { Redis } from 'ioredis';
import { ownerField } from '@laurel/activity/internals';
import { fieldNames } from '../../support/gifts';
import { ManualClock } from '../../support/clock';
import { keptBoard, rawBoard } from '../../support/ledger';
import { announceSeed, drawer } from '../../support/seed';

const dayMs = 86_400_000;
const now = 24_401 * dayMs + 43_200_000;
const day = Period.of('day', new Date(now), 'UTC');
const givers = 3_000;

let server: RedisServer;
let redis: Redis;

beforeAll(async () => {
  announceSeed();
  server = await startRedis();
  redis = new Redis(server.url);
});
afterAll(async () => {
  await redis.quit();
  await server.stop();
});

const praise = (giver: number, occurredAtMs: number, kind: Transition['kind'] = 'grant'): Transition => ({
  ...{ kind, member: 'star', field: ownerField('p', `giver-${giver}`, 'article:7'), points: 2 },
  ...{ occurredAtMs, boards: ['day', 'month'] },
});

/** A crowded day: the time at which each praise came to stand, with each of them repeated later. */
const open = async (prefix: string) => {
  const boards = [keptBoard('day'), keptBoard('month')];
  const ledger = new Ledger(redis, { prefix, fieldNames, boards, clock: new ManualClock(now) });
  await ledger.prepare();
  const since = new Map(Array.from({ length: givers }, (_, n) => [n, now - 10_000_000 + n * 1_000]));
  const all = [...since];
  for (let from = 0; from < givers; from += 500) {
    const some = all.slice(from, from + 500);
    await ledger.apply(some.map(([n, ms]) => praise(n, ms)));
    await ledger.apply(some.map(([n]) => praise(n, now - 1_000)));
  }
  return { ledger, since };
};

/** What Redis counted of a command since its figures were set back. */
const calls = async (command: string) => {
  const stats = await redis.info('commandstats');
  return Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm').exec(stats)?.[1] ?? 0);
};

describe('the time of an owner of whom much is received', () => {
  it('is that of the latest which stands, whatever ends, and is found in a few pages', async () => {
    const { ledger, since } = await open('latest');
    const draw = drawer();
    const expectLatest = async () => {
      const latest = Math.max(...since.values());
      const expected = [{ member: 'star', score: 2 * since.size, reachedAtMs: latest }];
      expect(await rawBoard(redis, ledger, 'day', day)).toEqual(expected);
    };
    await expectLatest();
    await redis.config('RESETSTAT');
    for (let n = givers - 1; n >= givers - 40; n--) {
      await ledger.apply([praise(n, now, 'revoke')]);
      since.delete(n);
      await expectLatest();
    }
    // Of each revoke: the ledger for each of the two boards, the first page, and those on the way to the latest.
    expect(await calls('hgetall')).toBeLessThanOrEqual(40 * 8);
    for (let step = 0; step < 60; step++) {
      const giver = draw(givers);
      const kind = draw(3) === 0 && !since.has(giver) ? 'grant' : 'revoke';
      const at = now + 1 + step;
      await ledger.apply([praise(giver, at, kind)]);
      if (kind === 'grant') since.set(giver, at);
      else since.delete(giver);
      await expectLatest();
    }
    ledger.close();
  });

  it('is looked for in calls of a few revokes, so that none holds up Redis', async () => {
    const { ledger, since } = await open('many');
    await redis.config('RESETSTAT');
    const last = Array.from({ length: 64 }, (_, n) => givers - 1 - n);
    const results = await ledger.apply(last.map((n) => praise(n, now, 'revoke')));
    expect(results.map(({ outcome }) => outcome)).toEqual(last.map(() => 'revoked'));
    expect(await calls('evalsha')).toBeGreaterThanOrEqual(32);
    const left = { member: 'star', score: 2 * (givers - 64), reachedAtMs: since.get(givers - 65) };
    expect(await rawBoard(redis, ledger, 'day', day)).toEqual([left]);
    ledger.close();
  });
});
