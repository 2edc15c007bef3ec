import { Controller, Injectable, Logger, Post, Req } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import {
  ActivityRecordedEvent,
  Adjustments,
  CollectCancelledEvent,
  CollectEvent,
  CommentCancelledEvent,
  CommentEvent,
  Erasures,
  Exclusions,
  FollowCancelledEvent,
  FollowEvent,
  PraiseCancelledEvent,
  PraiseEvent,
  PublishCancelledEvent,
  PublishEvent,
  Reviews,
  ViewCancelledEvent,
  ViewEvent,
} from '@laurel/activity';
import { Ledgers } from '@laurel/activity/internals';
import {
  PointsAdjustedEvent,
  PointsVoidedEvent,
  UserErasedEvent,
  UserExcludedEvent,
  UserIncludedEvent,
} from '@laurel/activity/moderation';
import type { Ledger } from '@laurel/leaderboard';
import { exclusionKeys } from '../../support/keys';
import { directoryOf, ManualClock, oneTinyApp, testRedis, TinyApp, type TinyAppOptions, waitUntil } from './support';

const clock = new ManualClock('2036-11-20T08:00:00Z');
const of = oneTinyApp({ options: { clock } });

const announced = [PointsAdjustedEvent, PointsVoidedEvent, UserExcludedEvent, UserIncludedEvent, UserErasedEvent];
const recorded = ActivityRecordedEvent.eventName;

let users = 0;
/** A user nobody has met. */
const someone = () => `user ${++users}`;
const praiseOf = (userId: string, subject = 'article:7') => ({ userId, action: 'praise', subject });

const emitterOf = (app: TinyApp) => app.nest.get(EventEmitter2);
const emit = (event: object, app = of()) =>
  emitterOf(app).emitAsync((event.constructor as typeof PraiseEvent).eventName, event);
const start = (given: TinyAppOptions = {}) => TinyApp.start({ ...given, options: { clock, ...given.options } });
const actionsOf = async (userId: string, app = of()) => (await app.service.history(userId)).days[0]?.actions;
const metric = async (name: string, app = of()) => (await app.metric(name)) || 0;

/** A promise and what settles it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** As the emitter takes listeners: what they return is theirs. */
const listen = (hear: (event: ActivityRecordedEvent) => unknown, app = of()) => emitterOf(app).on(recorded, hear);

afterEach(() => {
  jest.restoreAllMocks();
  for (const name of [recorded, ...announced.map(({ eventName }) => eventName)]) {
    emitterOf(of()).removeAllListeners(name);
  }
});

describe('events of the app', () => {
  it.each([
    ['as it comes', of],
    ['with wildcards', () => start({ imports: [EventEmitterModule.forRoot({ wildcard: true, delimiter: '.' })] })],
  ])('become points, and their cancellations take them back, by an emitter %s', async (_, on) => {
    const app = await on();
    const article = { userId: someone(), subject: 'article:7' };
    const Granting = [ViewEvent, PraiseEvent, CollectEvent, CommentEvent, PublishEvent, FollowEvent];
    for (const Event of Granting) await emit(new Event(article), app);
    const all = { view: 1, praise: 1, collect: 1, comment: 1, publish: 1, follow: 1 };
    expect(await actionsOf(article.userId, app)).toEqual(all);
    const Ending = [
      ...[ViewCancelledEvent, PraiseCancelledEvent, CollectCancelledEvent],
      ...[CommentCancelledEvent, PublishCancelledEvent, FollowCancelledEvent],
    ];
    for (const Event of Ending) await emit(new Event(article), app);
    const names = Object.keys(all).map((action) => `activity.${action}`);
    const cancelled = names.map((name) => `${name}.cancelled`);
    expect([...Granting, ...Ending].map(({ eventName }) => eventName)).toEqual([...names, ...cancelled]);
    // By default, a view stays.
    expect(await actionsOf(article.userId, app)).toEqual({ view: 1 });
  });

  it('of a follow name the user followed, for whom it counts, and whom alone it is of', async () => {
    const [ada, bob, cid] = [someone(), someone(), someone()];
    const counted = async () => [
      await actionsOf(ada),
      await actionsOf(cid),
      (await of().service.receivedCounts(bob)).follow,
    ];
    const fields = { userId: ada, followedId: bob };
    await emit(new FollowEvent(fields));
    await emit(new FollowEvent({ userId: bob, followedId: bob }));
    await emit(new FollowEvent({ userId: cid, subject: `user:${bob}` }));
    expect(await counted()).toEqual([{ follow: 1 }, { follow: 1 }, 2]);
    expect(await actionsOf(bob)).toEqual({});
    await emit(new FollowCancelledEvent({ ...fields, grantedAt: new Date(clock.now()) }));
    await emit(new FollowCancelledEvent({ userId: cid, followedId: bob }));
    expect(await counted()).toEqual([undefined, undefined, undefined]);
  });

  it('that cannot be recorded are logged by their code and their fields, counted, and harm nobody', async () => {
    const failures = 'laurel_activity_failures_total{source="event",code="invalidActivity"}';
    const before = await metric(failures);
    const logged: unknown[] = [];
    of().nest.useLogger({ log: () => undefined, warn: () => undefined, error: (...line) => logged.push(...line) });
    const hostile = { userId: '', subject: 'secret' };
    expect(emitterOf(of()).emit(PraiseEvent.eventName, hostile)).toBe(true);
    const answers: unknown = await emitterOf(of()).emitAsync(PraiseEvent.eventName, hostile);
    expect(answers).toEqual([expect.objectContaining({ code: 'invalidActivity' })]);
    await emitterOf(of()).emitAsync(PraiseEvent.eventName, undefined);
    await emit(new FollowEvent({ userId: someone(), followedId: '' }));
    expect(logged).toContain(
      'An event "activity.praise" was not recorded: invalidActivity: userId must not be empty: use 1 to 128 bytes',
    );
    expect(JSON.stringify(logged)).not.toContain('secret');
    expect((await metric(failures)) - before).toBe(3);
    Logger.overrideLogger(false);
  });

  it('are answered, where the app awaits them, by what became of them', async () => {
    const praise = new PraiseEvent({ userId: someone(), subject: 'article:7' });
    expect(await emit(praise)).toEqual([expect.objectContaining({ outcome: 'granted', points: 2 })]);
    expect(await emit(praise)).toEqual([expect.objectContaining({ outcome: 'duplicate' })]);
  });

  it('of one millisecond count in their order, or in that of the sequence that they bring', async () => {
    const occurredAt = new Date(clock.now());
    const ada = { userId: someone(), subject: '7', occurredAt };
    const [praise, cancelled, again] = [new PraiseEvent(ada), new PraiseCancelledEvent(ada), new PraiseEvent(ada)];
    for (const event of [again, cancelled, praise]) await emit(event);
    expect(await actionsOf(ada.userId)).toEqual({ praise: 1 });
    // One instance has made many events, the other its first.
    const row = { ...ada, userId: someone() };
    await emit(new PraiseEvent({ ...row, sequence: 1 }));
    await emit(new PraiseCancelledEvent({ ...row, sequence: 2 }));
    expect(await actionsOf(row.userId)).toBeUndefined();
    await emit(new PraiseEvent({ ...row, sequence: 3 }));
    expect(await actionsOf(row.userId)).toEqual({ praise: 1 });
  });
});

describe('in an app with an emitter, controllers and listeners of its own', () => {
  const heard: ActivityRecordedEvent[] = [];
  @Injectable()
  class Feature {
    constructor(readonly emitter: EventEmitter2) {}

    @OnEvent(recorded)
    hear(event: ActivityRecordedEvent): void {
      heard.push(event);
    }
  }
  @Controller('articles')
  class Articles {
    constructor(private readonly emitter: EventEmitter2) {}

    @Post()
    async praise(@Req() request: { user?: object }): Promise<void> {
      request.user = { id: 'whoever-is-on-the-request' };
      await this.emitter.emitAsync(PraiseEvent.eventName, new PraiseEvent({ userId: 'named', subject: '7' }));
    }
  }
  const own = oneTinyApp({
    options: { clock },
    providers: [Feature],
    controllers: [Articles],
    extras: { imports: [EventEmitterModule.forRoot({ maxListeners: 77 })] },
  });

  it('the module has that emitter, wherever its module stands among the imports', () => {
    expect(emitterOf(own()).getMaxListeners()).toBe(77);
    expect(own().nest.get(Feature).emitter).toBe(emitterOf(own()));
  });

  it('the actor is the one named by the event, not the one who sent the request', async () => {
    await own().post('/articles', {});
    expect(await actionsOf('named', own())).toEqual({ praise: 1 });
    expect(await actionsOf('whoever-is-on-the-request', own())).toBeUndefined();
  });
});

describe('listeners to activity.recorded', () => {
  it('hear of each activity that changed points, with what became of it, and of no other', async () => {
    const heard: ActivityRecordedEvent[] = [];
    listen((event) => heard.push(event));
    const ann = someone();
    const praises = ['1', '2', '2'].map((subject) => praiseOf(ann, subject));
    await of().service.record([...praises, { ...praiseOf(ann, 'own'), ownerId: ann }]);
    await of().service.revoke(praiseOf(ann, '1'));
    await waitUntil(() => heard.length >= 3);
    await waitUntil(async () => (await metric('laurel_observer_waiting')) === 0);
    expect(heard.map(({ activity, outcome }) => `${activity.subject} ${outcome.points}`)).toEqual([
      '1 2',
      '2 2',
      '1 -2',
    ]);
  });

  it('hear to the end what was recorded before the app stops', async () => {
    const app = await start();
    const { opened, open } = gate();
    let heard = 0;
    listen(async () => {
      await opened;
      heard += 1;
    }, app);
    await app.service.record(Array.from({ length: 20 }, (_, i) => praiseOf('ann', `${i}`)));
    const closed = app.nest.close();
    open();
    await closed;
    expect(heard).toBe(20);
  });
});

describe('an activity without a moment', () => {
  /** Questions about exclusions, each answered when the test lets it. */
  const asked: ReturnType<typeof gate>[] = [];
  const isExcluded = async () => {
    const one = gate();
    asked.push(one);
    await one.opened;
    return new Map();
  };
  const asking = oneTinyApp({
    options: { clock, recordTimeoutMs: 60_000 },
    extras: { imports: [directoryOf({ isExcluded })] },
  });
  beforeEach(() => {
    asked.length = 0;
    clock.set('2036-11-22T08:00:00Z');
  });

  it('has that of its call: one that is taken back while it waits for the user directory is taken back', async () => {
    const ada = someone();
    const praised = asking().service.record(praiseOf(ada));
    await waitUntil(() => asked.length === 1);
    clock.advance(5);
    const cancelled = asking().service.revoke(praiseOf(ada));
    await waitUntil(() => asked.length === 2);
    clock.advance(5);
    asked[1]?.open();
    expect(await cancelled).toMatchObject({ outcome: 'notGranted' });
    asked[0]?.open();
    expect(await praised).toMatchObject({ outcome: 'notGranted', points: 0 });
    expect((await asking().service.history(ada)).days).toEqual([]);
  });

  it('is numbered by its call: of two in one millisecond the later call is the later', async () => {
    const ada = someone();
    const cancelled = asking().service.revoke([praiseOf(ada)]);
    const praised = asking().service.record([praiseOf(ada)]);
    await waitUntil(() => asked.length === 2);
    asked[1]?.open();
    expect(await praised).toMatchObject([{ outcome: 'granted' }]);
    asked[0]?.open();
    await cancelled;
    expect((await asking().service.history(ada)).days).toMatchObject([{ points: 2 }]);
  });
});

describe("listeners to operators' work", () => {
  /** All that is announced from here on, once whatever was announced before has been heard: in order. */
  const hearing = () => {
    const heard: object[] = [];
    for (const { eventName } of announced) emitterOf(of()).on(eventName, (event: object) => heard.push(event));
    return async () => {
      const last = someone();
      const isLast = (one: object) => one instanceof UserErasedEvent && one.userId === last;
      await of().nest.get(Erasures).erase(last);
      await waitUntil(() => heard.some(isLast));
      return heard.filter((one) => !isLast(one));
    };
  };
  const kinds = (events: readonly object[]) => events.map(({ constructor }) => constructor);
  const exclusions = () => of().nest.get(Exclusions);
  const reviews = () => of().nest.get(Reviews);
  const hold = (userId: string) => reviews().hold({ userId, reason: 'a ring', from: '2020-01-01T00:00:00Z' });

  it('hear of an adjustment that changed points, once, with its changes and its reason', async () => {
    const [ann, all, adjustments] = [someone(), hearing(), of().nest.get(Adjustments)];
    await of().service.record(praiseOf(ann));
    const asked = { userId: ann, points: -50, reason: 'spam', id: 'ticket-1' };
    const adjusted = await adjustments.adjust(asked);
    await adjustments.adjust(asked);
    await expect(adjustments.adjust({ ...asked, points: 0 })).rejects.toMatchObject({ code: 'invalidAdjustment' });
    expect(await all()).toEqual([new PointsAdjustedEvent(adjusted, 'spam')]);
    expect(adjusted).toMatchObject({ outcome: 'revoked', changes: { day: -50, month: -50 } });
  });

  it('hear of an adjustment that one of two ledgers took and the other did not, and of the rest when it is repeated', async () => {
    const own = { name: 'views', period: 'day', points: { view: 3 } } as const;
    const app = await start({ options: { leaderboards: [{ name: 'day', period: 'day' }, own] } });
    const heard: object[] = [];
    const hear = ({ adjusted }: PointsAdjustedEvent) => heard.push(adjusted.changes);
    emitterOf(app).on(PointsAdjustedEvent.eventName, hear);
    const [, views] = app.nest.get(Ledgers).all as [unknown, Ledger];
    jest.spyOn(views, 'applyToShard').mockRejectedValueOnce(new Error('a fault of the tests'));
    const adjust = () => app.nest.get(Adjustments).adjust({ userId: 'ann', points: 5, reason: 'thanks', id: '1' });
    await expect(adjust()).rejects.toThrow('a fault of the tests');
    await adjust();
    await waitUntil(() => heard.length === 2);
    expect(heard).toEqual([{ day: 5 }, { views: 5 }]);
  });

  it('hear that a user is off the leaderboards, and back, and not of each reason', async () => {
    const [ann, all] = [someone(), hearing()];
    await exclusions().exclude(ann, { reason: 'staff' });
    await exclusions().exclude(ann, { reason: 'banned' });
    const { id } = await hold(ann);
    await exclusions().include(ann);
    await reviews().release(id);
    await exclusions().include(ann);
    const events = await all();
    expect(events).toMatchObject([
      { userId: ann, exclusions: [{ reason: 'staff', source: 'operator' }] },
      { userId: ann },
    ]);
    expect(kinds(events)).toEqual([UserExcludedEvent, UserIncludedEvent]);
  });

  it('hear of an exclusion once: of many calls at once, and of one that failed halfway when it is repeated', async () => {
    const [ann, bob, all] = [someone(), someone(), hearing()];
    await Promise.all(Array.from({ length: 20 }, () => exclusions().exclude(ann)));
    const move = jest.spyOn(of().nest.get(Ledgers).main.excluded, 'move');
    move.mockRejectedValueOnce(new Error('a fault of the tests'));
    await expect(exclusions().exclude(bob)).rejects.toThrow();
    expect(await testRedis().hget(exclusionKeys(of().prefix).unfinished, bob)).toMatch(/ included$/);
    await exclusions().exclude(bob);
    expect(await all()).toMatchObject([{ userId: ann }, { userId: bob, exclusions: [{ reason: 'banned' }] }]);
  });

  it('hear of what was voided, once, after the user shows again', async () => {
    const [ann, all] = [someone(), hearing()];
    await of().service.record([praiseOf(ann), praiseOf(ann, 'article:8')]);
    const held = await hold(ann);
    await reviews().void(held.id);
    await reviews().void(held.id);
    const events = await all();
    expect(kinds(events)).toEqual([UserExcludedEvent, UserIncludedEvent, PointsVoidedEvent]);
    const gifts = { grants: 0, points: 0, owners: 0, losses: [] };
    const voided = { grants: 2, points: 4, removedFrom: [], gifts };
    expect(events[2]).toEqual(new PointsVoidedEvent(ann, held.id, held.from, voided));
  });

  it('hear of what many calls voided once', async () => {
    const [ann, all] = [someone(), hearing()];
    await of().service.record(praiseOf(ann));
    const held = await hold(ann);
    await Promise.all(Array.from({ length: 5 }, () => reviews().void(held.id)));
    // One call shows the user again, and another may close the review first.
    const names = kinds(await all()).map(({ name }) => name);
    expect(names.sort()).toEqual(['PointsVoidedEvent', 'UserExcludedEvent', 'UserIncludedEvent']);
  });

  it('hear of an erasure when it has come to its end', async () => {
    const [ann, all] = [someone(), hearing()];
    await of().service.record(praiseOf(ann));
    await exclusions().exclude(ann);
    await of().nest.get(Erasures).erase(ann);
    await expect(exclusions().exclude(ann)).rejects.toMatchObject({ code: 'erased' });
    const events = await all();
    expect(kinds(events)).toEqual([UserExcludedEvent, UserErasedEvent]);
    expect(events[1]).toEqual(new UserErasedEvent(ann));
  });

  it('hear under the name of their module', async () => {
    const app = await start({ extras: { name: 'blog' } });
    const heard: unknown[] = [];
    emitterOf(app).on('blog.activity.user.excluded', (event) => heard.push(event));
    await app.nest.get(Exclusions, { strict: false }).exclude('ann');
    await waitUntil(() => heard.length === 1);
  });
});
