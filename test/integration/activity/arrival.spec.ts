import { Module } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { ActivityRecordedEvent, ActivityService, USER_DIRECTORY, type UserDirectory } from '@laurel/activity';
import { startRedis } from '@laurel/servers';
import { ManualClock } from '../../support/clock';
import type { AllOptions } from '../../support/activity-imports';
import { freshPrefix } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { stopTinyApps, TinyApp } from './support/tiny-app';

afterEach(stopTinyApps);

const praise = { userId: 'ada', action: 'praise', subject: 'article:7' };

/** A promise and what settles it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** As the emitter takes listeners: what they return is theirs. */
const hear = (emitter: EventEmitter2, listener: () => unknown) => emitter.on(ActivityRecordedEvent.eventName, listener);

/** An app whose directory answers each question about exclusions when the test lets it. */
async function startAsking(options: Partial<AllOptions>) {
  const asked: ReturnType<typeof gate>[] = [];
  const directory: UserDirectory = {
    find: () => Promise.resolve(new Map()),
    isExcluded: async () => {
      const one = gate();
      asked.push(one);
      await one.opened;
      return new Map();
    },
  };
  @Module({ providers: [{ provide: USER_DIRECTORY, useValue: directory }], exports: [USER_DIRECTORY] })
  class Directory {}
  const app = await TinyApp.start({ options, extras: { imports: [Directory] } });
  return { app, asked, service: app.nest.get(ActivityService), emitter: app.nest.get(EventEmitter2) };
}

describe('an activity without a moment', () => {
  it('has that of its call: one that is taken back while it waits for the user directory is taken back', async () => {
    const clock = new ManualClock('2036-11-20T08:00:00Z');
    const { asked, service } = await startAsking({ clock, recordTimeoutMs: 60_000 });
    const praised = service.record(praise);
    await waitUntil(() => asked.length === 1);
    clock.advance(5);
    const cancelled = service.revoke(praise);
    await waitUntil(() => asked.length === 2);
    clock.advance(5);
    asked[1]?.open();
    expect(await cancelled).toMatchObject({ outcome: 'notGranted' });
    asked[0]?.open();
    expect(await praised).toMatchObject({ outcome: 'notGranted', points: 0 });
    expect((await service.history('ada')).days).toEqual([]);
  });

  it('is numbered by its call: of two in one millisecond the later call is the later', async () => {
    const clock = new ManualClock('2036-11-20T08:00:00Z');
    const { asked, service } = await startAsking({ clock, recordTimeoutMs: 60_000 });
    const cancelled = service.revoke([praise]);
    const praised = service.record([praise]);
    await waitUntil(() => asked.length === 2);
    asked[1]?.open();
    expect(await praised).toMatchObject([{ outcome: 'granted' }]);
    asked[0]?.open();
    await cancelled;
    expect((await service.history('ada')).days).toMatchObject([{ points: 2 }]);
  });

  it('counts on the day on which it was emitted, however long it waits for listeners', async () => {
    const clock = new ManualClock('2036-11-20T23:59:58Z');
    const options = { clock, recordTimeoutMs: 60_000, observers: { maxWaiting: 1 } };
    const app = await TinyApp.start({ options });
    const [emitter, service] = [app.nest.get(EventEmitter2), app.nest.get(ActivityService)];
    const { opened, open } = gate();
    hear(emitter, () => opened);
    await service.record({ ...praise, userId: 'bob' });
    const emitted = emitter.emitAsync('activity.praise', { userId: 'ada', subject: 'article:7' });
    clock.set('2036-11-21T00:00:10Z');
    open();
    await emitted;
    expect((await service.history('ada')).days).toMatchObject([{ date: '2036-11-20', points: 2 }]);
  });
});

describe('the time that a caller waits', () => {
  it('is recordTimeoutMs in all, for listeners, the user directory and Redis together', async () => {
    const server = await startRedis();
    try {
      const { app, service, emitter } = await startAsking({
        redis: { url: server.url },
        prefix: freshPrefix(),
        recordTimeoutMs: 6_000,
        observers: { maxWaiting: 1, timeoutMs: 60_000 },
        settlement: false,
      });
      const { opened, open } = gate();
      hear(emitter, () => opened);
      // The directory does not answer and is left alone for five seconds of a clock that stands still.
      await service.record({ ...praise, userId: 'bob' });
      server.pause();
      const startedMs = performance.now();
      const recorded = service.record(praise).catch((error: unknown) => error);
      setTimeout(open, 5_500);
      expect(await recorded).toMatchObject({ code: 'unavailable' });
      const waitedMs = performance.now() - startedMs;
      expect(waitedMs).toBeGreaterThan(5_900);
      // One after the other they would be 5.5 s and 6 s.
      expect(waitedMs).toBeLessThan(11_000);
      server.resume();
      await app.nest.close();
    } finally {
      server.resume();
      await server.stop();
    }
  });

  it('is half of it at most for the user directory: what it does not say in time is recorded without', async () => {
    const { asked, service } = await startAsking({ recordTimeoutMs: 6_000 });
    const many = Array.from({ length: 1_400 }, (_, i) => ({ ...praise, userId: `user ${i}` }));
    // It takes 200 at a time, and less than the second that each question may take.
    const answering = setInterval(() => asked.at(-1)?.open(), 700);
    const recorded = await service.record(many);
    clearInterval(answering);
    expect(recorded.every(({ outcome }) => outcome === 'granted')).toBe(true);
    expect(asked.length).toBeLessThan(7);
  });
});
