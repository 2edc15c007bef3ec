import { ActivityService, Adjustments, Erasures, Exclusions, Reviews } from '@laurel/activity';
import {
  PointsAdjustedEvent,
  PointsVoidedEvent,
  UserErasedEvent,
  UserExcludedEvent,
  UserIncludedEvent,
} from '@laurel/activity/moderation';
import { Ledgers } from '@laurel/activity/internals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { exclusionKeys } from '../../../libs/activity/src/moderation/exclusions/exclusion-records';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { stopTinyApps, TinyApp, type TinyAppOptions } from './support/tiny-app';

afterEach(async () => {
  jest.restoreAllMocks();
  await stopTinyApps();
});
afterAll(closeTestRedis);

const announced = [PointsAdjustedEvent, PointsVoidedEvent, UserExcludedEvent, UserIncludedEvent, UserErasedEvent];
const praise = { userId: 'ann', action: 'praise', subject: 'article:7' };

const start = async (options: TinyAppOptions['options'] = {}, extras: TinyAppOptions['extras'] = {}) => {
  const app = await TinyApp.start({ options, extras });
  const heard: unknown[] = [];
  const emitter = app.nest.get(EventEmitter2);
  for (const { eventName } of announced) emitter.on(eventName, (event: unknown) => heard.push(event));
  const { nest } = app;
  return {
    ...{ app, emitter, heard, service: nest.get(ActivityService), adjustments: nest.get(Adjustments) },
    ...{ exclusions: nest.get(Exclusions), reviews: nest.get(Reviews), erasures: nest.get(Erasures) },
    /** Whatever was announced before it has been heard: listeners hear in order. */
    all: async (): Promise<readonly unknown[]> => {
      const before = heard.length;
      await nest.get(Erasures).erase('the last');
      await waitUntil(() => heard.some((one) => one instanceof UserErasedEvent && one.userId === 'the last'));
      expect(heard.length).toBeGreaterThan(before);
      return heard.filter((one) => !(one instanceof UserErasedEvent && one.userId === 'the last'));
    },
  };
};

describe("listeners to operators' work", () => {
  it('hear of an adjustment that changed points, once, with its changes and its reason', async () => {
    const { service, adjustments, all } = await start();
    await service.record(praise);
    const asked = { userId: 'ann', points: -50, reason: 'spam', id: 'ticket-1' };
    const adjusted = await adjustments.adjust(asked);
    await adjustments.adjust(asked);
    // There is nothing left to take.
    await adjustments.adjust({ ...asked, id: 'ticket-2' });
    await expect(adjustments.adjust({ ...asked, points: 0 })).rejects.toMatchObject({ code: 'invalidAdjustment' });
    expect(await all()).toEqual([new PointsAdjustedEvent(adjusted, 'spam')]);
    expect(adjusted).toMatchObject({ outcome: 'revoked', changes: { day: -2, month: -2 } });
  });

  it('are waited for by adjustments that find no room, as by recordings', async () => {
    const { adjustments, emitter, app } = await start({ observers: { maxWaiting: 1 }, recordTimeoutMs: 1_000 });
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const hear: () => unknown = () => opened;
    emitter.on(PointsAdjustedEvent.eventName, hear);
    const asked = { userId: 'ann', points: 5, reason: 'thanks', id: '1' };
    await adjustments.adjust(asked);
    await expect(adjustments.adjust({ ...asked, id: '2' })).rejects.toMatchObject({ code: 'overloaded' });
    // What must not wait does not.
    await app.nest.get(Exclusions).exclude('bob');
    open();
    await waitUntil(async () =>
      ['granted', 'duplicate'].includes((await adjustments.adjust({ ...asked, id: '2' })).outcome),
    );
  });

  it('hear that a user is off the leaderboards, and back, and not of each reason', async () => {
    const { exclusions, reviews, all } = await start();
    await exclusions.exclude('ann', { reason: 'staff' });
    await exclusions.exclude('ann', { reason: 'banned' });
    const { id } = await reviews.hold({ userId: 'ann', reason: 'a ring' });
    await exclusions.include('ann');
    await reviews.release(id);
    await exclusions.include('ann');
    const events = await all();
    expect(events).toMatchObject([
      { userId: 'ann', exclusions: [{ reason: 'staff', source: 'operator' }] },
      { userId: 'ann' },
    ]);
    expect(events.map((event) => event?.constructor)).toEqual([UserExcludedEvent, UserIncludedEvent]);
  });

  it('hear of an exclusion once where many calls exclude at once', async () => {
    const { exclusions, all } = await start();
    await Promise.all(Array.from({ length: 20 }, () => exclusions.exclude('ann')));
    expect(await all()).toHaveLength(1);
  });

  it('hear of an exclusion that failed halfway when it is repeated', async () => {
    const prefix = freshPrefix();
    const { app, exclusions, heard, all } = await start({ prefix });
    const move = jest.spyOn(app.nest.get(Ledgers).main.excluded, 'move');
    move.mockRejectedValueOnce(new Error('a fault of the tests'));
    await expect(exclusions.exclude('ann')).rejects.toThrow();
    expect(heard).toEqual([]);
    expect(await testRedis().hget(exclusionKeys.unfinished(prefix), 'ann')).toMatch(/ included$/);
    await exclusions.exclude('ann');
    expect(await all()).toMatchObject([{ userId: 'ann', exclusions: [{ reason: 'banned' }] }]);
  });

  it('hear of what was voided, once, after the user shows again', async () => {
    const { service, reviews, all } = await start();
    await service.record([praise, { ...praise, subject: 'article:8' }]);
    const held = await reviews.hold({ userId: 'ann', reason: 'a ring', from: '2020-01-01T00:00:00Z' });
    await reviews.void(held.id);
    await reviews.void(held.id);
    const events = await all();
    expect(events.map((event) => event?.constructor)).toEqual([
      UserExcludedEvent,
      UserIncludedEvent,
      PointsVoidedEvent,
    ]);
    const gifts = { grants: 0, points: 0, owners: 0, losses: [] };
    const voided = { grants: 2, points: 4, removedFrom: [], gifts };
    expect(events[2]).toEqual(new PointsVoidedEvent('ann', held.id, held.from, voided));
  });

  it('hear of what many calls voided once', async () => {
    const { service, reviews, all } = await start();
    await service.record(praise);
    const held = await reviews.hold({ userId: 'ann', reason: 'a ring', from: '2020-01-01T00:00:00Z' });
    await Promise.all(Array.from({ length: 5 }, () => reviews.void(held.id)));
    const names = (await all()).map((event) => event?.constructor.name);
    // One call shows the user again, and another may close the review first.
    expect(names.sort()).toEqual(['PointsVoidedEvent', 'UserExcludedEvent', 'UserIncludedEvent']);
  });

  it('hear of an erasure when it has come to its end', async () => {
    const { service, exclusions, erasures, all } = await start();
    await service.record(praise);
    await exclusions.exclude('ann');
    await erasures.erase('ann');
    await expect(exclusions.exclude('ann')).rejects.toMatchObject({ code: 'erased' });
    const events = await all();
    expect(events.map((event) => event?.constructor)).toEqual([UserExcludedEvent, UserErasedEvent]);
    expect(events[1]).toEqual(new UserErasedEvent('ann'));
  });

  it('hear under the name of their module', async () => {
    const { emitter, app } = await start({}, { name: 'blog' });
    const heard: unknown[] = [];
    emitter.on('blog.activity.user.excluded', (event) => heard.push(event));
    const exclusions = app.nest.get(Exclusions, { strict: false });
    await exclusions.exclude('ann');
    await waitUntil(() => heard.length === 1);
  });
});
