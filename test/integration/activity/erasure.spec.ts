import { ActivityModule, Exclusions, Ledgers, RedisArchive, SettlementService, type RankPage } from '@laurel/activity';
import { systemClock } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { stopTinyApps, TinyApp, withKey } from './support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

const dayMs = 86_400_000;
const noonMs = Math.floor(systemClock.now() / dayMs) * dayMs + dayMs / 2;

/** A user nobody would call so, who must not reach another's keys. */
const hostile = '{lr:1-0}:*[a-z]?\\:\n\0💥"';

interface Receipt {
  readonly userId: string;
  readonly erased: Readonly<Record<string, number>>;
}

/** Everything under a prefix, keys and what they hold, as text. */
async function everything(redis: Redis, prefix: string): Promise<string[]> {
  const found: string[] = [];
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `*${prefix}*`, 'COUNT', 1_000);
    cursor = next;
    for (const key of keys) {
      const type = await redis.type(key);
      const held =
        type === 'string'
          ? await redis.get(key)
          : type === 'hash'
            ? await redis.hgetall(key)
            : type === 'set'
              ? await redis.smembers(key)
              : await redis.zrange(key, '0', '-1');
      found.push(JSON.stringify([key, held]));
    }
  } while (cursor !== '0');
  return found;
}

const start = async (shards: number) => {
  const clock = new ManualClock(noonMs - 3 * dayMs);
  const prefix = freshPrefix();
  const app = await TinyApp.start({
    options: {
      clock,
      prefix,
      shards,
      retentionMs: { ledger: null },
      limits: [{ type: 'sliding', action: 'view', max: 100, windowMs: dayMs, per: 'subject' }],
      leaderboards: [
        { name: 'day', period: 'day' },
        { name: 'month', period: 'month' },
        { name: 'recent', rolling: { days: 7 } },
        { name: 'team', period: 'month', partition: 'team' },
        { name: 'views', period: 'month', points: { view: 3 } },
      ],
    },
  });
  const record = (userIds: readonly string[]) =>
    app.record(
      ...userIds.flatMap((userId) =>
        ['a', 'b'].map((subject) => ({
          userId,
          action: 'view',
          subject,
          occurredAt: new Date(clock.now()),
          partitions: { team: `team ${userId.length}` },
        })),
      ),
    );
  const erase = (userId: string) =>
    app.send<Receipt>(`/activity/users/${encodeURIComponent(userId)}`, { method: 'DELETE', headers: withKey });
  return { app, clock, prefix, record, erase };
};

describe.each([1, 8])('erasing a user on %d shards', (shards) => {
  it.each(['ann', hostile])('leaves no trace of %j, and everyone else as he was', async (userId) => {
    const { app, clock, prefix, record, erase } = await start(shards);
    const others = ['bob', 'cho', `${userId}x`, userId.slice(1), '*'];
    for (let days = 0; days < 3; days++, clock.advance(dayMs)) {
      await record([userId, ...others]);
      await app.record({ userId, action: 'praise', subject: 'p', occurredAt: new Date(clock.now()) });
      await app.record({ userId, action: 'praise', subject: 'p', revoke: true, occurredAt: new Date(clock.now() + 1) });
    }
    await app.nest.get(SettlementService).settleDue(undefined, { announces: false });
    await app.nest.get(SettlementService).settleDue();
    await app.get('/ranks/recent');
    await app.nest.get(Exclusions).exclude(userId, { reason: 'optedOut' });
    await app.post('/activity/reviews', { userId, reason: 'unsure' }, withKey);
    const redis = testRedis();
    const holds = (text: string) => text.includes(JSON.stringify(userId).slice(1, -1) + '"') || text.includes(`"${JSON.stringify(userId).slice(1, -1)}`);
    const isHis = (text: string) => holds(text) && !others.some((other) => other.length > 1 && text.includes(JSON.stringify(other).slice(1, -1)));
    expect((await everything(redis, prefix)).some(isHis)).toBe(true);

    const { status, body } = await erase(userId);
    expect({ status, userId: body.userId }).toEqual({ status: 200, userId });
    expect(body.erased).toMatchObject({ ledgers: 6, limits: 4, exclusions: 2, reviews: 1 });
    for (const kind of ['boards', 'rolling', 'lists', 'archived']) expect(body.erased[kind]).toBeGreaterThan(0);

    const left = (await everything(redis, prefix)).map((text) => text.replaceAll(JSON.stringify(`${userId}x`).slice(1, -1), ''));
    const own = JSON.stringify(userId).slice(1, -1);
    expect(left.filter((text) => text.includes(own))).toEqual([]);
    for (const path of ['/ranks/day?period=previous', '/ranks/month', '/ranks/views', '/ranks/recent']) {
      const page = await app.get<RankPage>(path);
      expect(page.body.entries.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5]);
      expect(new Set(page.body.entries.map((entry) => entry.userId))).toEqual(new Set(others));
    }
    const again = await erase(userId);
    expect(new Set(Object.values(again.body.erased))).toEqual(new Set([0]));
  });
});

describe('erasing a user', () => {
  it('needs the key, and a user', async () => {
    const { app, erase } = await start(1);
    expect((await app.send('/activity/users/ann', { method: 'DELETE' })).status).toBe(401);
    expect((await erase('x'.repeat(129))).status).toBe(400);
    expect((await erase('nobody')).body.erased).toMatchObject({ boards: 0, ledgers: 0, archived: 0 });
  });

  it('goes on where it was cut short', async () => {
    const { app, prefix, record, erase } = await start(1);
    await record(['ann', 'bob']);
    const ledgers = app.nest.get(Ledgers);
    const redis = testRedis();
    // What a process does that dies after the boards of the first ledger.
    const { keys: boards } = ledgers.main.boardPeriod('day', ledgers.main.periodOf('day'), null);
    await redis.zrem(boards[0] as string, 'ann');
    const { body } = await erase('ann');
    expect(body.erased).toMatchObject({ boards: 4, ledgers: 2 });
    expect((await everything(redis, prefix)).filter((text) => text.includes('ann'))).toEqual([]);
    expect(new RedisArchive(redis, { prefix, shards: 1 })).toBeDefined();
    expect(ActivityModule).toBeDefined();
  });

  it('asks the app’s directory to erase him, and counts what it did', async () => {
    const { app, erase } = await start(1);
    expect(app).toBeDefined();
    const { body } = await erase('ann');
    expect(body.erased).not.toHaveProperty('articles');
  });
});
