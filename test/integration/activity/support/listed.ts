import { ActivityService, Erasures, type ActivityChange, REDIS_CLIENT } from '@laurel/activity';
import { Ledgers } from '@laurel/activity/internals';
import type { RedisClient } from '@laurel/leaderboard';
import type { Command, Redis } from 'ioredis';
import { AsyncLocalStorage } from 'node:async_hooks';
import { dayMs, ManualClock } from '../../../support/clock';
import { keys } from '../../../support/keys';
import { freshPrefix } from '../../../support/redis';
import { TinyApp } from './tiny-app';

const noonMs = Date.parse('2036-11-20T12:00:00Z');

/** An app whose users name one another in the ways that lists know. */
export const startListed = async (url: string, shards = 1) => {
  const clock = new ManualClock(noonMs);
  const prefix = freshPrefix();
  const app = await TinyApp.start({
    options: {
      redis: { url },
      clock,
      prefix,
      shards,
      limits: [
        { type: 'sliding', action: 'follow', max: 9, windowMs: 9 * dayMs, per: 'subject' },
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

export const recordDays = async ({ service, clock }: Awaited<ReturnType<typeof startListed>>, days: number) => {
  for (let day = 0; day < days; day += 1) {
    if (day > 0) clock.advance(dayMs);
    await service.record(['zoe', 'yan'].flatMap(dayOf));
    await service.revoke({ userId: 'eva', action: 'follow', subject: 'user:zoe' });
    await service.revoke({ userId: 'zoe', action: 'praise', subject: 'article:bob', ownerId: 'bob' });
  }
};

/** User-days of others, written at once. */
export const addOthers = async (redis: Redis, prefix: string, tag: string, count: number) => {
  const lua = `for i = ARGV[2], ARGV[3] do
    redis.call('HSET', KEYS[1] .. i, 'p:article:1', '453600000', 'owner:p:3:u' .. i .. 'article:9', '93600000')
  end`;
  for (let from = 0; from < count; from += 20_000) {
    await redis.eval(lua, 1, keys.ledger(prefix, tag, '20361119', 'other-'), '', from, from + 19_999);
  }
};
