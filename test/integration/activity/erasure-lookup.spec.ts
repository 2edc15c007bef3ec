import { ActivityService, Erasures, type ActivityChange } from '@laurel/activity';
import { Ledgers, ownerField, REDIS_CLIENT } from '@laurel/activity/internals';
import { Resharding, type RedisClient } from '@laurel/leaderboard';
import type { Command } from 'ioredis';
import { AsyncLocalStorage } from 'node:async_hooks';
import { keys } from '../../support/keys';
import { ManualClock } from '../../support/clock';
import { mentions } from '../../support/mentions';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { stopTinyApps, TinyApp } from './support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

const dayMs = 86_400_000;
const noonMs = Date.parse('2036-11-20T12:00:00Z');

const start = async ({ shards = 1, prefix = freshPrefix(), noMs = noonMs } = {}) => {
  const clock = new ManualClock(noMs);
  const app = await TinyApp.start({
    options: {
      clock,
      prefix,
      shards,
      limits: [
        { type: 'sliding', action: 'follow', max: 9, windowMs: dayMs, per: 'subject' },
        { type: 'sliding', action: 'praise', max: 9, windowMs: dayMs, per: 'action' },
      ],
    },
  });
  const [service, erasures, ledgers] = [app.nest.get(ActivityService), app.nest.get(Erasures), app.nest.get(Ledgers)];
  /**
   * The commands that work sends, by name: not those that the app's timers send meanwhile, and not a script that Redis
   * does not know yet, which is sent once more.
   */
  const sentBy = async (work: () => Promise<unknown>) => {
    const client: { sendCommand(command: Command): unknown } = app.nest.get<RedisClient>(REDIS_CLIENT);
    const send = client.sendCommand.bind(client);
    const isOfWork = new AsyncLocalStorage<true>();
    const names: string[] = [];
    const spy = jest.spyOn(client, 'sendCommand').mockImplementation((command, ...rest: []) => {
      if (isOfWork.getStore() && command.name !== 'eval') names.push(command.name);
      return send(command, ...rest);
    });
    await isOfWork.run(true, work);
    spy.mockRestore();
    return names;
  };
  return { app, clock, prefix, service, erasures, ledgers, sentBy };
};

/** Twenty activities of a day, of a user and about them. */
const dayOf = (userId: string): ActivityChange[] => [
  ...Array.from({ length: 12 }, (_, i) => ({ userId, action: 'view', subject: `/${i}` })),
  ...['bob', 'cho', 'dan'].flatMap((ownerId) => [
    { userId, action: 'praise', subject: `article:${ownerId}`, ownerId },
    { userId, action: 'follow', subject: `user:${ownerId}` },
  ]),
  { userId: 'eva', action: 'follow', subject: `user:${userId}` },
  { userId: 'eva', action: 'praise', subject: 'article:1', ownerId: userId },
];

const recordDays = async ({ service, clock }: Awaited<ReturnType<typeof start>>, days: number) => {
  for (let day = 0; day < days; day += 1) {
    if (day > 0) clock.advance(dayMs);
    await service.record(['zoe', 'yan'].flatMap(dayOf));
    await service.revoke({ userId: 'eva', action: 'follow', subject: 'user:zoe' });
    await service.revoke({ userId: 'zoe', action: 'praise', subject: 'article:bob', ownerId: 'bob' });
  }
};

/** User-days of others, written at once. */
const addOthers = async (prefix: string, tag: string, count: number) => {
  const lua = `for i = ARGV[2], ARGV[3] do
    redis.call('HSET', KEYS[1] .. i, 'p:article:1', '2;1', 'owner:p:3:u' .. i .. 'article:9', '0v1;1')
  end`;
  for (let from = 0; from < count; from += 20_000) {
    await testRedis().eval(lua, 1, keys.ledger(prefix, tag, '20361119', 'other-'), '', from, from + 19_999);
  }
};

/** What an earlier version left: no list, and no word of any. */
const forgetLists = async (prefix: string) => {
  const lists = await testRedis().keys(`{${prefix}:*}:naming:*`);
  if (lists.length > 0) await testRedis().del(...lists);
  await testRedis().hdel(keys.layout(prefix), 'naming');
};

describe('an erasure', () => {
  it('sends as many commands with 300,000 user-days of others as with none, and few for each day of the user', async () => {
    const counts: number[] = [];
    const days = 10;
    for (const others of [0, 300_000]) {
      const started = await start();
      await recordDays(started, days);
      const { prefix, ledgers, erasures, sentBy } = started;
      await addOthers(prefix, ledgers.main.settings.tags[0] as string, others);
      const sent = await sentBy(() => erasures.erase('zoe'));
      expect(sent.filter((name) => name === 'scan')).toEqual([]);
      expect(await testRedis().keys(`{${prefix}:*zoe*`)).toEqual([]);
      counts.push(sent.length);
      await stopTinyApps();
    }
    expect(counts[1]).toBe(counts[0]);
    expect(counts[0]).toBeLessThanOrEqual(200 + 3 * days);
  });

  it.each([1, 8])('finds all that names the user, and leaves what names others, on %d shards', async (shards) => {
    const started = await start({ shards });
    await recordDays(started, 3);
    const { prefix, erasures, sentBy } = started;
    expect((await mentions(testRedis(), prefix, 'zoe')).length).toBeGreaterThan(20);
    expect(await sentBy(() => erasures.erase('zoe'))).not.toContain('scan');
    expect(await mentions(testRedis(), prefix, 'zoe')).toEqual([]);
    // Those whose lists named the user, and the other who did the same, are found as well.
    for (const userId of ['yan', 'bob', 'eva', 'cho', 'dan']) await erasures.erase(userId);
    for (const userId of ['yan', 'bob', 'eva', 'cho', 'dan']) {
      expect(await mentions(testRedis(), prefix, userId)).toEqual([]);
    }
    expect(await testRedis().keys(`{${prefix}:*}:naming:*`)).toEqual([]);
  });

  it('finds, and counts, what names the user among all that an owner received, so many fields a call', async () => {
    const { prefix, service, ledgers, erasures, sentBy } = await start();
    const tag = ledgers.main.settings.tags[0] as string;
    await service.record({ userId: 'zoe', action: 'praise', subject: 'article:1', ownerId: 'star' });
    const received = 25_000;
    const key = keys.ledger(prefix, tag, '20361120', 'star');
    for (let from = 0; from < received; from += 5_000) {
      const others = Array.from({ length: 5_000 }, (_, i) => [ownerField('p', `u${from + i}`, 'article:1'), '0v1;1']);
      await testRedis().hset(key, ...others.flat());
    }
    const days = { from: '2036-11-20', to: '2036-11-20' };
    const counted = async () => (await service.receivedCounts('star', days)).praise;
    const reads = await sentBy(async () => expect(await counted()).toBe(received + 1));
    // A ledger of so many fields may have pages.
    expect(reads.filter((name) => name !== 'hscan')).toEqual(['hgetall']);
    expect(reads.length).toBeGreaterThan(10);
    const sent = await sentBy(() => erasures.erase('zoe'));
    expect(sent.filter((name) => name === 'evalsha').length).toBeGreaterThan(received / 2_000);
    expect(await mentions(testRedis(), prefix, 'zoe')).toEqual([]);
    expect(await counted()).toBe(received + 1);
  });

  it('looks at every key until the data of an earlier version is listed', async () => {
    const started = await start();
    await recordDays(started, 3);
    const { prefix, erasures, sentBy } = started;
    await forgetLists(prefix);
    expect(await sentBy(() => erasures.erase('zoe'))).toContain('scan');
    expect(await mentions(testRedis(), prefix, 'zoe')).toEqual([]);
    expect(await erasures.listNames()).toBeGreaterThan(5);
    expect(await sentBy(() => erasures.erase('yan'))).not.toContain('scan');
    expect(await mentions(testRedis(), prefix, 'yan')).toEqual([]);
  });

  it('finds what was recorded while the data of an earlier version was listed', async () => {
    const started = await start({ shards: 2 });
    await recordDays(started, 2);
    const { prefix, erasures, service } = started;
    await forgetLists(prefix);
    let isOver = false;
    const recording = (async () => {
      for (let i = 0; !isOver; i += 1) {
        await service.record([
          { userId: 'zoe', action: 'praise', subject: `article:${i}`, ownerId: 'bob' },
          { userId: 'eva', action: 'follow', subject: 'user:zoe' },
        ]);
      }
    })();
    await erasures.listNames();
    isOver = true;
    await recording;
    await erasures.erase('zoe');
    expect(await mentions(testRedis(), prefix, 'zoe')).toEqual([]);
  });

  it('finds all that names the user where members have moved to other shards since', async () => {
    const started = await start({ shards: 2 });
    await recordDays(started, 2);
    const { prefix, erasures, ledgers, sentBy } = started;
    await new Resharding(testRedis(), { prefix, shards: 3, graceMs: 10 }).run();
    await Promise.all(ledgers.all.map((ledger) => ledger.syncShards()));
    expect(await sentBy(() => erasures.erase('zoe'))).not.toContain('scan');
    expect(await mentions(testRedis(), prefix, 'zoe')).toEqual([]);
  });
});
