import { ActivityModule, ActivityService, PraiseEvent } from '@laurel/activity';
import { laurelMatchers, TestLaurel } from '@laurel/testing';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';
import { Test, type TestingModule } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { testRedis, testRedisUrl } from '../../support/redis';

expect.extend(laurelMatchers);

describe('an app’s own test with @laurel/testing', () => {
  let laurel: TestLaurel;
  const apps: TestingModule[] = [];
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await laurel.stop();
  });

  const start = async () => {
    const activity = ActivityModule.forRoot({ timezone: 'Europe/Berlin', ...laurel.options });
    const app = await Test.createTestingModule({ imports: [EventEmitterModule.forRoot(), activity] }).compile();
    apps.push(app);
    return app.init();
  };
  const praise = (userId: string, subject: string) => ({ userId, action: 'praise', subject }) as const;

  it('has a Redis of its own, a clock that it sets, and matchers that wait for what events record', async () => {
    laurel = await TestLaurel.start({ now: '2001-11-20T22:59:59Z' });
    const app = await start();
    await app.get(ActivityService).record([praise('ann', '1'), praise('ann', '1'), praise('ben', '2')]);
    app.get(EventEmitter2).emit(PraiseEvent.eventName, new PraiseEvent(praise('ben', '3')));
    await expect(app).toHavePoints('ben', 4, 'day');
    await expect(app).toRank(['ben', 'ann'], 'day');
    await expect(app).not.toHavePoints('ann', 4, 'day');

    laurel.clock.advance(1_000); // midnight in Berlin
    await expect(app).toHavePoints('ben', 0, 'day');
    await expect(app).toRank([], 'day');
    await expect(app).toHavePoints('ben', 4, 'month');
  });

  it('says what is there instead', async () => {
    laurel = await TestLaurel.start({ redisUrl: testRedisUrl() });
    const app = await start();
    await app.get(ActivityService).record(praise('ann', '1'));
    await expect(expect(app).toHavePoints('ann', 3, 'day')).rejects.toThrow(
      'expected the points of ann on day to be 3: 2',
    );
    await expect(expect(app).toRank(['ben'], 'day')).rejects.toThrow(
      'expected the first 1 of day to be ["ben"]: ["ann"]',
    );
    await expect(expect(app).not.toRank(['ann'], 'day')).rejects.toThrow('not to be ["ann"]');
  });

  it('finds no data of the test before, and leaves none on a Redis that it was given', async () => {
    laurel = await TestLaurel.start({ redisUrl: testRedisUrl() });
    const prefixes: string[] = [];
    for (const userId of ['ann', 'ben']) {
      prefixes.push(laurel.fresh().options.prefix as string);
      const app = await start();
      await app.get(ActivityService).record(praise(userId, '1'));
      await expect(app).toRank([userId], 'month');
    }
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await laurel.stop();
    for (const prefix of prefixes) expect(await testRedis().keys(`{${prefix}*`)).toEqual([]);
  });

  it('ends the Redis that it has started', async () => {
    laurel = await TestLaurel.start();
    const { url } = laurel.options.redis as { url: string };
    await laurel.stop();
    const client = new Redis(url, { lazyConnect: true, retryStrategy: null });
    client.on('error', () => undefined);
    await expect(client.connect()).rejects.toThrow();
  });
});
