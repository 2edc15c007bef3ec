import { freshPrefix, ManualClock, testRedis, TinyApp, waitUntil } from './support';

// Only what looks now and then is moved by hand: everything else goes on in its own time.
beforeEach(() => {
  const own = ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] as const;
  jest.useFakeTimers({ doNotFake: [...own, 'Date', 'performance', 'hrtime'] });
});
afterEach(() => jest.useRealTimers());

it('days that are long over are packed once a day, and their points are what they were', async () => {
  const clock = new ManualClock('2036-01-10T12:00:00Z');
  const prefix = freshPrefix();
  const app = await TinyApp.start({ options: { prefix, clock, retentionMs: { day: null, month: null } } });
  await app.record({ userId: 'ada', action: 'praise', subject: 'x', occurredAt: new Date(clock.now()) });
  const ledgers = () => testRedis().keys(`{${prefix}:*}:ledger:20360110:*`);
  const looks = async () => (await testRedis().keys(`{${prefix}}:packed:*`)).length;
  jest.advanceTimersByTime(60_000);
  await waitUntil(async () => (await looks()) === 1, { what: 'the first look' });
  expect(await ledgers()).toHaveLength(1);
  clock.advance(40 * 86_400_000);
  jest.advanceTimersByTime(60_000);
  await waitUntil(async () => (await ledgers()).length === 0, { what: 'the look of today' });
  expect(await testRedis().keys(`{${prefix}:*}:old:*`)).toHaveLength(1);
  expect((await app.page('/ranks/day?period=2036-01-10')).map(([, userId]) => userId)).toEqual(['ada']);
  expect(await app.differences()).toEqual([]);
});
