import { Controller, Injectable, Logger, Post, Req } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import {
  ActivityRecordedEvent,
  ActivityService,
  CommentCancelledEvent,
  CommentEvent,
  FollowCancelledEvent,
  FollowEvent,
  METRICS_REGISTRY,
  PraiseCancelledEvent,
  PraiseEvent,
  PublishEvent,
  ViewEvent,
} from '@laurel/activity';
import { ManualClock } from '../../support/clock';
import { stopTinyApps, TinyApp, type TinyAppOptions } from './support/tiny-app';

afterEach(stopTinyApps);

const clock = new ManualClock('2036-11-20T08:00:00Z');

async function start(options: TinyAppOptions = {}) {
  const app = await TinyApp.start({ ...options, options: { clock, ...options.options } });
  const actionsOf = async (userId: string) => (await app.nest.get(ActivityService).history(userId)).days[0]?.actions;
  return { app, emitter: app.nest.get(EventEmitter2), actionsOf };
}

describe.each<[string, NonNullable<TinyAppOptions['imports']>]>([
  ['as it comes', [EventEmitterModule.forRoot()]],
  ['with wildcards', [EventEmitterModule.forRoot({ wildcard: true, delimiter: '.' })]],
])('in an app with an emitter %s', (_, imports) => {
  it('turns events into points, and their cancellations back', async () => {
    const { emitter, actionsOf } = await start({ imports });
    const article = { userId: 'ada', subject: 'article:7' };
    await emitter.emitAsync(ViewEvent.eventName, new ViewEvent(article));
    await emitter.emitAsync(PraiseEvent.eventName, new PraiseEvent(article));
    await emitter.emitAsync(CommentEvent.eventName, new CommentEvent(article));
    await emitter.emitAsync(PublishEvent.eventName, new PublishEvent(article));
    await emitter.emitAsync(FollowEvent.eventName, new FollowEvent({ userId: 'ada', subject: 'bob' }));
    expect(await actionsOf('ada')).toEqual({ view: 1, praise: 1, comment: 1, publish: 1, follow: 1 });
    expect(await actionsOf('bob')).toBeUndefined();

    await emitter.emitAsync(PraiseCancelledEvent.eventName, new PraiseCancelledEvent(article));
    await emitter.emitAsync(
      CommentCancelledEvent.eventName,
      new CommentCancelledEvent({ ...article, grantedAt: new Date(clock.now()) }),
    );
    expect(await actionsOf('ada')).toEqual({ view: 1, publish: 1, follow: 1 });
  });
});

describe('a follow', () => {
  const emit = (emitter: EventEmitter2, event: FollowEvent | FollowCancelledEvent) =>
    emitter.emitAsync((event.constructor as typeof FollowEvent).eventName, event);

  it('names the user followed, for whom it counts, and whom alone it is of', async () => {
    const { app, emitter, actionsOf } = await start();
    const received = async () => (await app.nest.get(ActivityService).receivedCounts('bob')).follow;
    const fields = { userId: 'ada', followedId: 'bob' };
    await emit(emitter, new FollowEvent(fields));
    await emit(emitter, new FollowEvent({ userId: 'bob', followedId: 'bob' }));
    await emit(emitter, new FollowEvent({ userId: 'cid', subject: 'user:bob' }));
    expect([await actionsOf('ada'), await actionsOf('cid'), await received()]).toEqual([
      { follow: 1 },
      { follow: 1 },
      2,
    ]);
    expect(await actionsOf('bob')).toEqual({});
    await emit(emitter, new FollowCancelledEvent({ ...fields, grantedAt: new Date(clock.now()) }));
    await emit(emitter, new FollowCancelledEvent({ userId: 'cid', followedId: 'bob' }));
    expect([await actionsOf('ada'), await actionsOf('cid'), await received()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('of nobody is refused', async () => {
    const { app, emitter, actionsOf } = await start();
    await emit(emitter, new FollowEvent({ userId: 'ada', followedId: '' }));
    expect(await actionsOf('ada')).toBeUndefined();
    const metrics = await app.nest.get<{ metrics(): Promise<string> }>(METRICS_REGISTRY).metrics();
    expect(metrics).toContain('laurel_activity_failures_total{source="event",code="invalidActivity"} 1');
  });
});

describe('the emitter', () => {
  it("is the app's own wherever its module stands among the imports", async () => {
    @Injectable()
    class Feature {
      constructor(readonly emitter: EventEmitter2) {}
    }
    const { app, emitter } = await start({
      providers: [Feature],
      extras: { imports: [EventEmitterModule.forRoot({ maxListeners: 77 })] },
    });
    expect(emitter.getMaxListeners()).toBe(77);
    expect(app.nest.get(Feature).emitter).toBe(emitter);
  });
});

describe('an actor', () => {
  it('is the one named by the event, not the one who sent the request', async () => {
    @Controller('articles')
    class Articles {
      constructor(private readonly emitter: EventEmitter2) {}

      @Post()
      async praise(@Req() request: { user?: object }): Promise<void> {
        request.user = { id: 'whoever-is-on-the-request' };
        await this.emitter.emitAsync(PraiseEvent.eventName, new PraiseEvent({ userId: 'named', subject: '7' }));
      }
    }
    const { app, actionsOf } = await start({ controllers: [Articles] });
    await app.post('/articles', {});
    expect(await actionsOf('named')).toEqual({ praise: 1 });
    expect(await actionsOf('whoever-is-on-the-request')).toBeUndefined();
  });
});

describe('an event', () => {
  it('of the same millisecond as the one before it counts as later', async () => {
    const { emitter, actionsOf } = await start();
    const occurredAt = new Date(clock.now());
    const praise = new PraiseEvent({ userId: 'ada', subject: '7', occurredAt });
    const cancelled = new PraiseCancelledEvent({ userId: 'ada', subject: '7', occurredAt });
    const again = new PraiseEvent({ userId: 'ada', subject: '7', occurredAt });
    for (const event of [again, cancelled, praise]) {
      const { eventName } = event.constructor as typeof PraiseEvent;
      await emitter.emitAsync(eventName, event);
    }
    expect(await actionsOf('ada')).toEqual({ praise: 1 });
  });

  it('of a clock of seconds is ordered by the sequence that it brings, whichever instance made it', async () => {
    const { emitter, actionsOf } = await start();
    const row = { userId: 'ada', subject: '7', occurredAt: new Date(clock.now()) };
    // One instance has made many events, the other its first.
    await emitter.emitAsync(PraiseEvent.eventName, new PraiseEvent({ ...row, sequence: 1 }));
    await emitter.emitAsync(PraiseCancelledEvent.eventName, new PraiseCancelledEvent({ ...row, sequence: 2 }));
    expect(await actionsOf('ada')).toBeUndefined();
    await emitter.emitAsync(PraiseEvent.eventName, new PraiseEvent({ ...row, sequence: 3 }));
    expect(await actionsOf('ada')).toEqual({ praise: 1 });
  });

  it('on which a rule of the app stands is heard by its name', async () => {
    const { emitter, actionsOf } = await start({
      options: { rules: [{ action: 'share', points: 4, revocable: true }] },
    });
    await emitter.emitAsync('activity.share', { userId: 'ada', subject: '7' });
    expect(await actionsOf('ada')).toEqual({ share: 1 });
    await emitter.emitAsync('activity.share.cancelled', { userId: 'ada', subject: '7' });
    expect(await actionsOf('ada')).toBeUndefined();
  });

  it('that cannot be recorded is logged by its code and its fields, counted, and harms nobody', async () => {
    const logged: unknown[] = [];
    const { app, emitter } = await start({
      configure: (nest) =>
        nest.useLogger({ log: () => undefined, warn: () => undefined, error: (...line) => logged.push(...line) }),
    });
    const hostile = { userId: '', subject: 'secret' };
    expect(emitter.emit(PraiseEvent.eventName, hostile)).toBe(true);
    await emitter.emitAsync(PraiseEvent.eventName, hostile);
    await emitter.emitAsync(PraiseEvent.eventName, undefined);
    expect(logged).toContain(
      'An event "activity.praise" was not recorded: invalidActivity: userId must not be empty: use 1 to 128 bytes',
    );
    expect(JSON.stringify(logged)).not.toContain('secret');
    const metrics = await app.nest.get<{ metrics(): Promise<string> }>(METRICS_REGISTRY).metrics();
    expect(metrics).toContain('laurel_activity_failures_total{source="event",code="invalidActivity"} 2');
    Logger.overrideLogger(false);
  });
});

describe("'activity.recorded'", () => {
  it('tells the app of each change of points, with the activity and its outcome', async () => {
    const heard: ActivityRecordedEvent[] = [];
    @Injectable()
    class Listener {
      @OnEvent(ActivityRecordedEvent.eventName)
      hear(event: ActivityRecordedEvent): void {
        heard.push(event);
      }
    }
    const { app } = await start({ imports: [EventEmitterModule.forRoot()], providers: [Listener] });
    const praise = { userId: 'ada', action: 'praise', subject: '7' };
    await app.record(praise, praise);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatchObject({ activity: praise, outcome: { outcome: 'granted', points: 2 } });
  });

  it('does not fail the recording where a listener throws', async () => {
    const { app, emitter } = await start();
    emitter.on(ActivityRecordedEvent.eventName, () => {
      throw new Error('the listener broke');
    });
    const { body } = await app.record({ userId: 'ada', action: 'praise', subject: '7' });
    expect(body.results).toMatchObject([{ outcome: 'granted' }]);
  });
});
