import { EventEmitter2 } from '@nestjs/event-emitter';
import { ActivityRecordedEvent, ActivityService, METRICS_REGISTRY, type ActivityModuleOptions } from '@laurel/activity';
import { closeTestRedis } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { stopTinyApps, TinyApp } from './support/tiny-app';

const { eventName } = ActivityRecordedEvent;
const praise = { userId: 'ann', action: 'praise', subject: 'article:7' };
const praises = (count: number, first = 0) =>
  Array.from({ length: count }, (_, i) => ({ ...praise, subject: `article:${first + i}` }));

/** A promise and what settles it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

const start = async (options: Partial<ActivityModuleOptions> = {}) => {
  const app = await TinyApp.start({ options: { recordTimeoutMs: 5_000, ...options } });
  const metric = async (name: string) => {
    const text = await app.nest.get<{ metrics(): Promise<string> }>(METRICS_REGISTRY).metrics();
    return Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const emitter = app.nest.get(EventEmitter2);
  /** As the emitter takes listeners: what they return is theirs. */
  const listen = (hear: (event: ActivityRecordedEvent) => unknown) => emitter.on(eventName, hear);
  return { app, service: app.nest.get(ActivityService), emitter, listen, metric };
};

afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe('listeners to activity.recorded', () => {
  it('hear of each activity that changed points, with what became of it', async () => {
    const { service, listen } = await start();
    const heard: ActivityRecordedEvent[] = [];
    listen((event: ActivityRecordedEvent) => heard.push(event));
    await service.record([...praises(3), praise, { ...praise, subject: 'own', ownerId: 'ann' }]);
    await service.revoke(praises(1)[0] as typeof praise);
    await waitUntil(() => heard.length === 5);
    expect(heard.map(({ activity, outcome }) => [activity.subject, outcome.points])).toEqual([
      ['article:0', 2],
      ['article:1', 2],
      ['article:2', 2],
      ['article:7', 2],
      ['article:0', -2],
    ]);
  });

  it('break nothing where they throw, at once or later: the others hear, callers are answered, it is counted', async () => {
    const { service, emitter, listen, metric } = await start();
    const heard: string[] = [];
    listen(() => {
      throw new Error('a listener of the tests');
    });
    listen(() => Promise.reject(new Error('a listener of the tests')));
    listen(({ activity }: ActivityRecordedEvent) => heard.push(activity.subject));
    emitter.once(eventName, () => heard.push('once'));
    const outcomes = await service.record(praises(2));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['granted', 'granted']);
    await waitUntil(() => heard.length === 3);
    expect([...heard].sort()).toEqual(['article:0', 'article:1', 'once']);
    await waitUntil(async () => (await metric('laurel_observer_failures_total{reason="threw"}')) === 4);
    await waitUntil(async () => (await metric('laurel_observer_waiting')) === 0);
  });

  it('delay nothing where they are slow: neither the answer nor another listener', async () => {
    const { service, listen, metric } = await start();
    const { opened, open } = gate();
    const heard: string[] = [];
    listen(() => opened);
    listen(({ activity }: ActivityRecordedEvent) => heard.push(activity.subject));
    await service.record(praises(30));
    await waitUntil(() => heard.length === 30);
    expect(await metric('laurel_observer_waiting')).toBe(30);
    open();
    await waitUntil(async () => (await metric('laurel_observer_waiting')) === 0);
  });

  it('answer before a listener begins, however long it keeps the process busy', async () => {
    const { service, listen } = await start();
    const order: string[] = [];
    listen(() => order.push('listener'));
    await service.record(praise).then(() => order.push('answer'));
    await waitUntil(() => order.length === 2);
    expect(order).toEqual(['answer', 'listener']);
  });

  it('are at work on so many events at once, each listener, and no more', async () => {
    const { service, listen } = await start({ observers: { concurrency: 3 } });
    const gates: ReturnType<typeof gate>[] = [];
    let most = 0;
    let atWork = 0;
    listen(async () => {
      atWork += 1;
      most = Math.max(most, atWork);
      const one = gate();
      gates.push(one);
      await one.opened;
      atWork -= 1;
    });
    await service.record(praises(20));
    for (let done = 0; done < 20; done += 1) {
      await waitUntil(() => gates.length > done);
      gates[done]?.open();
    }
    await waitUntil(() => atWork === 0 && gates.length === 20);
    expect(most).toBe(3);
  });

  it('slow down who records where they are behind, and lose nothing', async () => {
    const { service, listen, metric } = await start({ observers: { concurrency: 2, maxWaiting: 10 } });
    const { opened, open } = gate();
    const heard = new Set<string>();
    listen(async ({ activity }: ActivityRecordedEvent) => {
      await opened;
      heard.add(activity.subject);
    });
    await service.record(praises(10));
    let recorded = 0;
    const waiting = praises(40, 10).map((one) => service.record(one).then(() => (recorded += 1)));
    await waitUntil(async () => (await metric('laurel_observer_full_total')) === 40);
    expect(recorded).toBe(0);
    expect(await metric('laurel_observer_waiting')).toBe(10);
    open();
    await Promise.all(waiting);
    await waitUntil(() => heard.size === 50);
  });

  it('have their callers told where they stay behind, and nothing is recorded then', async () => {
    const options = { observers: { concurrency: 1, maxWaiting: 1 }, recordTimeoutMs: 1_500 };
    const { service, listen } = await start(options);
    const { opened, open } = gate();
    listen(() => opened);
    await service.record(praise);
    const second = { ...praise, subject: 'article:8' };
    await expect(service.record(second)).rejects.toMatchObject({ code: 'overloaded' });
    open();
    // The one that is told of it late has it all the same.
    await waitUntil(async () => ['granted', 'duplicate'].includes((await service.record(second)).outcome));
  });

  it('that record themselves do not wait for the room that they alone can make', async () => {
    const observers = { concurrency: 2, maxWaiting: 2 };
    const { service, listen, metric } = await start({ observers });
    const badges: string[] = [];
    listen(async ({ activity }: ActivityRecordedEvent) => {
      if (activity.action === 'comment') return;
      const badge = { userId: activity.userId, action: 'comment', subject: activity.subject };
      badges.push((await service.record(badge)).outcome);
    });
    const outcomes = await Promise.all(praises(40).map((one) => service.record(one)));
    expect(outcomes.filter(({ outcome }) => outcome === 'granted')).toHaveLength(40);
    await waitUntil(() => badges.length === 40);
    expect(new Set(badges)).toEqual(new Set(['granted']));
    await waitUntil(async () => (await metric('laurel_observer_waiting')) === 0);
    expect(await metric('laurel_observer_failures_total{reason="threw"}')).toBeNaN();
  });

  it('wait like everybody with what they leave running when they have ended', async () => {
    const { service, listen, metric } = await start({ observers: { maxWaiting: 1 } });
    const [ended, full] = [gate(), gate()];
    let later: Promise<unknown> | undefined;
    listen(({ activity }: ActivityRecordedEvent) => {
      if (activity.action !== 'praise') return full.opened;
      later = ended.opened.then(() => service.record({ ...activity, action: 'collect' }));
      return undefined;
    });
    await service.record(praise);
    await waitUntil(async () => (await metric('laurel_observer_waiting')) === 0);
    await service.record({ ...praise, action: 'comment' });
    ended.open();
    await waitUntil(async () => (await metric('laurel_observer_full_total')) === 1);
    full.open();
    expect(await later).toMatchObject({ outcome: 'granted' });
  });

  it('get more at once than there is room for, in turn', async () => {
    const { service, listen, metric } = await start({ observers: { maxWaiting: 5 } });
    let heard = 0;
    listen(() => (heard += 1));
    await Promise.all([service.record(praises(50)), service.record(praises(50, 50)), service.record(praises(1, 100))]);
    await waitUntil(() => heard === 101);
    await waitUntil(async () => (await metric('laurel_observer_waiting')) === 0);
  });

  it('are no longer waited for after a time, so that one that hangs stops nothing', async () => {
    const { service, listen, metric } = await start({ observers: { concurrency: 1, maxWaiting: 2, timeoutMs: 100 } });
    let heard = 0;
    listen(() => {
      heard += 1;
      return new Promise(() => undefined);
    });
    for (const one of praises(6)) await service.record(one);
    await waitUntil(() => heard === 6);
    await waitUntil(async () => (await metric('laurel_observer_failures_total{reason="timeout"}')) === 6);
    expect(await metric('laurel_observer_waiting')).toBe(0);
  });

  it('give back the room of activities that changed nothing, or failed', async () => {
    const { service, listen, metric } = await start({ observers: { maxWaiting: 3 } });
    let heard = 0;
    listen(() => (heard += 1));
    await service.record(praise);
    for (let i = 0; i < 20; i += 1) await service.record([praise, praise, praise]);
    await expect(service.record({ ...praise, userId: '' })).rejects.toMatchObject({ code: 'invalidActivity' });
    await waitUntil(async () => (await metric('laurel_observer_waiting')) === 0);
    expect(heard).toBe(1);
  });

  it('hear to the end what was recorded before the app stops', async () => {
    const { app, service, listen } = await start();
    const { opened, open } = gate();
    let heard = 0;
    listen(async () => {
      await opened;
      heard += 1;
    });
    await service.record(praises(20));
    const closed = app.nest.close();
    open();
    await closed;
    expect(heard).toBe(20);
  });

  it('hold up the end of the app for a bounded time alone', async () => {
    const { app, service, listen } = await start({ recordTimeoutMs: 1_000 });
    listen(() => new Promise(() => undefined));
    await service.record(praise);
    const startedMs = performance.now();
    await app.nest.close();
    // The observer never ends: that this does is the bound.
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });
});

describe('the options of observers', () => {
  it.each([
    [{ concurrency: 0 }, /observers\.concurrency is 0: use a whole number from 1 to 1000/],
    [{ maxWaiting: 0 }, /observers\.maxWaiting is 0/],
    [{ timeoutMs: 1 }, /observers\.timeoutMs is 1/],
    [{ patience: 1 }, /observers\.patience is unknown: there are concurrency, maxWaiting, timeoutMs/],
  ])('refuse %j by name', async (observers, message) => {
    await expect(TinyApp.start({ options: { observers } as object })).rejects.toThrow(message);
  });
});
