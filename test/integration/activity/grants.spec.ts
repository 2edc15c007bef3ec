import {
  Adjustments,
  defineLimit,
  LimitQuotas,
  PraiseCancelledEvent,
  PraiseEvent,
  Reviews,
  SubjectDeletions,
  type LeaderboardConfig,
  type LimitConfig,
  type Rule,
} from '@laurel/activity';
import { type LedgerPage, Ledgers, parseRules } from '@laurel/activity/internals';
import { RuleSimulation } from '@laurel/reports';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { type AllOptions, dayMs, eraseUser, ManualClock, mentions, minuteMs, testRedis, waitUntil } from './support';
import { oneTinyApp, TinyApp, withKey, dayBoard, monthBoard, allBoard } from './support/tiny-app';

/** Ahead, so that nothing expires. Each test has a month and users of its own. */
const clock = new ManualClock('2037-01-20T12:00:00Z');
let noon: number;
let people = 0;
const someone = (name: string) => `${name} ${people}`;
beforeEach(() => {
  clock.set(`${new Date(clock.now() + 40 * dayMs).toISOString().slice(0, 10)}T12:00:00Z`);
  noon = clock.now();
  people += 1;
});
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

describe('what the owners of subjects receive', () => {
  const rules: readonly Rule[] = [
    { action: 'praise', points: 2, revocable: true, ownSubject: 'ignore', grants: [{ to: 'owner', points: 3 }] },
    { action: 'boast', points: 2, revocable: true, ownSubject: 'count', grants: [{ to: 'owner', points: 3 }] },
    { action: 'follow', points: 2, revocable: true, ownSubject: 'ignore', grants: [{ to: 'owner', points: 0 }] },
    { action: 'view', points: 1, revocable: false },
  ];
  const tallies = ['received:praise', 'received:follow', 'given:follow'] as const;
  const leaderboards: readonly LeaderboardConfig[] = [
    { name: 'day', period: 'day', tallies },
    monthBoard,
    { name: 'kiritimati', period: 'day', timezone: 'Pacific/Kiritimati', tallies },
    { name: 'views', period: 'day', actions: ['view'] },
    { name: 'team', period: 'day', partition: 'team' },
    { name: 'views-there', period: 'day', timezone: 'Pacific/Kiritimati', actions: ['view'] },
  ];
  const of = oneTinyApp({ options: { clock, rules, leaderboards } });
  let ann: string, bob: string, cid: string, dan: string;
  beforeEach(
    () => ([ann, bob, cid, dan] = ['ann', 'bob', 'cid', 'dan'].map(someone) as [string, string, string, string]),
  );
  const praise = (more: object = {}) => ({
    userId: ann,
    action: 'praise',
    subject: 'article:7',
    ownerId: bob,
    ...more,
  });
  const follow = (userId = ann) => ({ userId, action: 'follow', subject: `user:${bob}` });
  const score = async (userId: string, leaderboard = 'day') => of().score(userId, leaderboard);

  it('is nothing by default for what is one’s own', async () => {
    const app = await TinyApp.start({ options: { clock } });
    const own = await app.record(
      ...['praise', 'collect', 'comment'].map((action) => ({ userId: 'ann', action, subject: 'a', ownerId: 'ann' })),
      { userId: 'ann', action: 'follow', subject: 'user:ann' },
      { userId: 'ann', action: 'follow', subject: 'me', ownerId: 'ann' },
    );
    const ignored = { outcome: 'ignored', points: 0, scores: {}, boards: {}, reason: 'ownSubject' };
    expect(own.body.results).toEqual([ignored, ignored, ignored, ignored, ignored]);
    // Of other users whose ids look alike.
    const events = ['user:ann ', 'user:Ann', 'user:', 'users:ann', `user:${'x'.repeat(300)}`, 'user:user:ann'];
    const { body } = await app.record(...events.map((subject) => ({ userId: 'ann', action: 'follow', subject })), {
      ...{ userId: 'ann', action: 'follow', subject: 'user:ann', ownerId: 'bob' },
    });
    expect(body.results.map(({ outcome }) => outcome)).toEqual([...events, 0].map(() => 'granted'));
  });

  it('is nothing beside what one’s own subject counts where its rule says so', async () => {
    const { body } = await of().record(praise({ action: 'boast', ownerId: ann }));
    expect(body.results).toMatchObject([{ outcome: 'granted', points: 2, scores: { day: 2 } }]);
    expect(body.results[0]).not.toHaveProperty('owner');
  });

  it('is reported, and shown in the owner’s history and in metrics', async () => {
    const { body } = await of().record(praise(), follow(), praise({ revoke: true }), praise({ userId: cid }));
    expect(body.results).toMatchObject([
      { outcome: 'granted', points: 2, owner: { userId: bob, outcome: 'granted', points: 3, scores: { day: 3 } } },
      { outcome: 'granted', points: 2 },
      { outcome: 'revoked', points: -2, owner: { userId: bob, outcome: 'revoked', points: -3 } },
      { outcome: 'granted', points: 2, owner: { userId: bob, points: 3 } },
    ]);
    expect(body.results[1]).not.toHaveProperty('owner');
    const history = await of().get<{ days: object[] }>(`/activity/users/${bob}`, withKey);
    expect(history.body.days).toEqual([
      { date: dateOf(noon), points: 3, actions: {}, received: { praise: 1, follow: 1 } },
    ]);
    await of().record(praise({ userId: cid }));
    for (const outcome of ['granted', 'duplicate'])
      expect(
        await of().metric(`laurel_received_activities_total{action="praise",outcome="${outcome}"}`),
      ).toBeGreaterThan(0);
  });

  it('is given once for each giver, action, subject and day, and taken back with the giver’s', async () => {
    const { service } = of();
    await service.record([praise(), praise(), praise({ userId: cid }), praise({ subject: 'article:8' })]);
    expect(await score(bob)).toBe(9);
    clock.advance(dayMs);
    await service.record(praise());
    const days = { from: dateOf(noon), to: dateOf(noon + dayMs) };
    expect([await score(bob), await score(bob, 'month')]).toEqual([3, 12]);
    expect(await service.receivedCounts(bob, days)).toEqual({ praise: 4 });
    // Of both days, as the giver's.
    expect(await service.revoke(praise())).toMatchObject({ points: -4, owner: { points: -6 } });
    expect([await score(bob), await score(bob, 'month')]).toEqual([0, 6]);
    expect(await service.receivedCounts(bob, days)).toEqual({ praise: 2 });
    const dated = { ...praise({ userId: cid }), grantedAt: new Date(noon) };
    expect(await service.revoke(dated)).toMatchObject({ points: -2, owner: { points: -3 } });
  });

  it('is counted where it gives no points, and puts nobody on a board', async () => {
    const { service } = of();
    await service.record([follow(), follow(cid), follow(dan)]);
    await service.revoke(follow(dan));
    expect(await service.receivedCounts(bob)).toEqual({ follow: 2 });
    expect((await of().page('/ranks/day')).map(([, userId]) => userId).sort()).toEqual([ann, cid]);
    expect((await service.history(bob)).days).toEqual([
      { date: dateOf(noon), points: 0, actions: {}, received: { follow: 2 } },
    ]);
  });

  it('is taken back by a cancel that names no owner, of points and of a count alike', async () => {
    const { service } = of();
    const gift = { ...follow(), subject: 'the author' };
    await service.record([praise(), { ...gift, ownerId: bob }]);
    expect(await service.revoke([praise({ ownerId: undefined }), gift])).toMatchObject([
      { outcome: 'revoked', owner: { userId: bob, outcome: 'revoked', points: -3 } },
      { outcome: 'revoked' },
    ]);
    expect([await score(bob), await service.receivedCounts(bob)]).toEqual([0, {}]);
  });

  it('is given in every ledger that counts the action, on the boards that take it', async () => {
    const { service } = of();
    const outcome = await service.record(praise({ partitions: { team: 'red' } }));
    expect(outcome.owner).toEqual({
      userId: bob,
      outcome: 'granted',
      points: 3,
      scores: { day: 3, month: 3, 'team/red': 3, kiritimati: 3 },
    });
    await service.record(follow());
    expect([await score(bob), await score(bob, 'kiritimati')]).toEqual([3, 3]);
    expect(await service.receivedCounts(bob)).toEqual({ praise: 1, follow: 1 });
    expect(await service.revoke(praise({ partitions: { team: 'red' } }))).toMatchObject({ owner: { points: -3 } });
    expect([await score(bob), await score(bob, 'kiritimati'), await score(bob, 'views')]).toEqual([0, 0, 0]);
  });

  it('is tallied, also where it gives no points, and on the tallies of what is received alone', async () => {
    const [{ service }, ledgers] = [of(), of().nest.get(Ledgers)];
    await service.record([praise(), praise({ subject: 'article:8' }), follow(), follow(cid)]);
    await service.record([follow(), praise()]);
    const tallied = async (side: 'g' | 'r', code: string, userId: string) =>
      Promise.all(
        ledgers.all.flatMap((ledger) => {
          const board = ledger.settings.boards.find(({ name }) => name.endsWith(`.${side}.${code}`));
          return board ? ledger.board(board.name, ledger.periods.of(board.name)).score(userId) : [];
        }),
      );
    const all = async (userId: string) => ({
      praised: await tallied('r', 'praise', userId),
      followed: await tallied('r', 'follow', userId),
      follows: await tallied('g', 'follow', userId),
    });
    expect(await all(bob)).toEqual({ praised: [2, 2], followed: [2, 2], follows: [null, null] });
    expect(await all(ann)).toEqual({ praised: [null, null], followed: [null, null], follows: [1, 1] });
    await service.revoke([follow(cid), praise()]);
    expect(await all(bob)).toEqual({ praised: [1, 1], followed: [1, 1], follows: [null, null] });
    expect([await score(bob), await score(bob, 'kiritimati')]).toEqual([3, 3]);
    // An adjustment is no activity: no tally counts it.
    await of().nest.get(Adjustments).adjust({ userId: bob, points: -2, reason: 'x', id: '1' });
    expect(await all(bob)).toEqual({ praised: [1, 1], followed: [1, 1], follows: [null, null] });
  });

  it('is not given for what a limit refuses, and takes no place in the limits of who receives it', async () => {
    const limits = [
      { type: 'sliding', action: 'praise', max: 1, windowMs: minuteMs, per: 'action' },
      { type: 'daily', points: 2, name: 'all' },
    ] as const;
    const app = await TinyApp.start({ options: { clock, rules, limits } });
    const { service } = app;
    await service.record({ userId: bob, action: 'view', subject: '/' });
    await service.record([praise(), praise({ userId: cid }), praise({ userId: dan })]);
    await app.nest.get(Adjustments).adjust({ userId: bob, points: 5, reason: 'x', id: '1' });
    expect(await app.score(bob)).toBe(15);
    const refused = await service.record(praise({ subject: 'article:8' }));
    expect(refused).toMatchObject({ outcome: 'limited' });
    expect(refused).not.toHaveProperty('owner');
    expect(await app.score(bob)).toBe(15);
    const own = { userId: bob, action: 'praise', subject: 'article:9' };
    expect(await service.record(own)).toMatchObject({ outcome: 'granted', points: 1 });
  });

  it('leaves nothing behind where a rule grants owners nothing', async () => {
    await of().service.record({ userId: ann, action: 'view', subject: '/', ownerId: bob });
    expect(await mentions(testRedis(), of().prefix, bob)).toEqual([]);
  });
});

describe('how often a rule counts', () => {
  const rules: readonly Rule[] = [
    { action: 'publish', points: 10, revocable: true, once: 'ever' },
    { action: 'follow', points: 2, revocable: true, once: 'ever', grants: [{ to: 'owner', points: 1 }] },
    { action: 'share', points: 1, revocable: true, once: { days: 7 } },
    { action: 'answer', points: 5, revocable: true, once: 'each', grants: [{ to: 'owner', points: 1 }] },
    { action: 'praise', points: 2, revocable: true },
  ];
  const options: Partial<AllOptions> = {
    ...{ clock, rules, settlement: false as const, retentionMs: { day: 400 * dayMs } },
    leaderboards: [dayBoard, allBoard],
  };
  const of = oneTinyApp({ options });
  let ann: string, bob: string, cid: string;
  beforeEach(() => ([ann, bob, cid] = ['ann', 'bob', 'cid'].map(someone) as [string, string, string]));
  const score = (userId: string) => of().score(userId, 'all');
  const differences = () => of().differences();
  const toolsOf = (app = of()) => ({ app, service: app.service });
  const start = async (given: Partial<AllOptions>) =>
    toolsOf(await TinyApp.start({ options: { ...options, ...given } }));
  const publish = () => ({ userId: ann, action: 'publish', subject: 'article:7' });
  const follow = (userId = ann) => ({ userId, action: 'follow', subject: `user:${bob}` });
  const answer = (id: string, more: object = {}) => ({
    userId: ann,
    action: 'answer',
    subject: 'question:1',
    ownerId: bob,
    id,
    ...more,
  });

  it('once for ever: gives nothing for the same subject tomorrow, or after years', async () => {
    const { service } = of();
    const outcomes: string[] = [];
    for (const days of [0, 1, 30, 400]) {
      clock.advance(days * dayMs);
      outcomes.push((await service.record(publish())).outcome);
    }
    expect(outcomes).toEqual(['granted', 'duplicate', 'duplicate', 'duplicate']);
    expect(await service.record({ ...publish(), subject: 'article:8' })).toMatchObject({ outcome: 'granted' });
    expect(await score(ann)).toBe(20);
  });

  it('once for ever: is forgotten where an operator voids it', async () => {
    const { service } = of();
    await service.record(publish());
    clock.advance(dayMs);
    await service.record(publish());
    const reviews = of().nest.get(Reviews);
    const { id } = await reviews.hold({ userId: ann, reason: 'a copy', from: new Date(noon).toISOString() });
    await reviews.void(id);
    clock.advance(50 * dayMs);
    expect(await service.record(publish())).toMatchObject({ outcome: 'granted', points: 10 });
    expect(await score(ann)).toBe(10);
  });

  it('keeps no name of an erased user, as a giver or as a subject', async () => {
    const { service } = of();
    await service.record([publish(), follow(), { ...follow(cid), subject: `user:${ann}` }]);
    await service.record([answer('1', { userId: cid, subject: `user:${ann}` }), answer('of-ann')]);
    expect((await mentions(testRedis(), of().prefix, ann)).length).toBeGreaterThan(5);
    await eraseUser(of(), ann);
    expect(await mentions(testRedis(), of().prefix, ann)).toEqual([]);
    expect([await score(cid), await score(bob)]).toEqual([7, 3]);
  });

  it('each time: counts by the id of its activities, on whatever day they come again, for the owner too', async () => {
    const { service } = of();
    const send = (id: string, more: object = {}) => service.record(answer(id, more));
    expect(await send('1')).toMatchObject({ outcome: 'granted', points: 5, owner: { points: 1 } });
    expect(await send('2')).toMatchObject({ outcome: 'granted', points: 5, owner: { points: 1 } });
    clock.advance(dayMs);
    expect(await send('1')).toMatchObject({ outcome: 'duplicate', owner: { outcome: 'duplicate' } });
    expect(await send('1', { userId: cid })).toMatchObject({ outcome: 'granted', owner: { points: 1 } });
    expect(await service.revoke(answer('1'))).toMatchObject({
      ...{ outcome: 'revoked', points: -5, owner: { outcome: 'revoked', points: -1 } },
    });
    expect([await score(ann), await score(bob), await score(cid)]).toEqual([5, 2, 5]);
    expect(await differences()).toEqual([]);
  });

  it('each time: needs an id, over HTTP as well', async () => {
    const { id: _, ...without } = answer('7');
    const refusal = { code: 'invalidActivity', faults: [{ path: 'id' }] };
    await expect(of().service.record(without)).rejects.toMatchObject(refusal);
    const refused = await of().record(answer('x'.repeat(129)));
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'events.0.id' }] } });
    const { body } = await of().record(answer('7'), answer('7'));
    expect(body.results).toMatchObject([{ outcome: 'granted' }, { outcome: 'duplicate' }]);
  });

  it('each time: knows its subject in the ledger, to limits and to a deletion', async () => {
    const limits = [{ type: 'sliding', action: 'answer', max: 2, windowMs: 60_000, per: 'subject' }] as const;
    const { app, service } = await start({ limits });
    const outcomes: string[] = [];
    for (const id of ['1', '2', '3', 'x'.repeat(80)]) outcomes.push((await service.record(answer(id))).outcome);
    expect(outcomes).toEqual(['granted', 'granted', 'limited', 'limited']);
    expect(await service.record(answer('4', { subject: 'question:2' }))).toMatchObject({ outcome: 'granted' });
    const { body } = await app.get<{ lines: { subject: string }[] }>(`/activity/users/${ann}/ledger`, withKey);
    expect(body.lines.map(({ subject }) => subject).sort()).toEqual(['question:1', 'question:1', 'question:2']);
    await app.nest.get(SubjectDeletions).delete('question:1');
    await waitUntil(async () => (await app.score(ann, 'all')) === 5);
    expect([await app.score(ann, 'all'), await app.score(bob, 'all')]).toEqual([5, 1]);
  });

  it('by an id: makes a repeat a duplicate whatever its date and its rule, as an event and as a body', async () => {
    const { app, service } = toolsOf();
    const emitter = app.nest.get(EventEmitter2);
    const praise = { userId: ann, subject: 'article:7', id: 'p-1' };
    await emitter.emitAsync('activity.praise', new PraiseEvent(praise));
    clock.advance(dayMs);
    await emitter.emitAsync('activity.praise', new PraiseEvent(praise));
    expect((await app.record({ ...praise, action: 'praise' })).body.results).toMatchObject([{ outcome: 'duplicate' }]);
    expect(await score(ann)).toBe(2);
    expect(await service.record({ ...praise, action: 'praise', id: 'p-2' })).toMatchObject({ outcome: 'granted' });
    const other = { ...praise, action: 'praise', subject: 'article:8', id: 'p-2' };
    expect(await service.record(other)).toMatchObject({ outcome: 'duplicate' });
    await emitter.emitAsync('activity.praise.cancelled', new PraiseCancelledEvent(praise));
    expect(await score(ann)).toBe(2);
    expect(await service.revoke({ ...praise, action: 'praise' })).toMatchObject({ outcome: 'notGranted' });
  });

  it('by an id: a cancel ends that id alone, also where it comes before its grant', async () => {
    const { service } = toolsOf();
    const praise = (id: string, days: number) => {
      return { userId: ann, action: 'praise', subject: 'article:7', id, occurredAt: new Date(noon + days * dayMs) };
    };
    clock.advance(2 * dayMs);
    await service.record(praise('A', 0));
    expect(await service.revoke(praise('B', 2))).toMatchObject({ outcome: 'notGranted' });
    expect(await service.record(praise('B', 1))).toMatchObject({ outcome: 'notGranted' });
    expect(await service.record(praise('A', 0))).toMatchObject({ outcome: 'duplicate' });
    expect(await score(ann)).toBe(2);
  });

  it('may be so many days, and is said so in the rules, which are refused by their path where it is not', async () => {
    const { app, service } = toolsOf();
    const share = { userId: ann, action: 'share', subject: 'article:7' };
    const outcomes: string[] = [];
    for (const days of [0, 1, 5, 1]) {
      clock.advance(days * dayMs);
      outcomes.push((await service.record(share)).outcome);
    }
    expect(outcomes).toEqual(['granted', 'duplicate', 'duplicate', 'granted']);
    const { body } = await app.get<{ rules: unknown[] }>('/activity/rules', withKey);
    expect(body.rules).toMatchObject([
      ...[{ once: 'ever' }, { once: 'ever' }, { action: 'share', days: 7 }, { once: 'each' }, { action: 'praise' }],
    ]);
    expect(await app.post('/activity/rules', body, withKey)).toMatchObject({ status: 400 });
    expect(await app.post('/activity/rules', { rules: body.rules }, withKey)).toMatchObject({ status: 200 });
    for (const [given, path] of [
      [{ once: 'never' }, 'once'],
      [{ once: { days: 32 } }, 'once.days'],
      [{ once: 'ever', days: 3 }, 'once'],
    ] as const) {
      const refused = { rules: [{ action: 'share', points: 1, revocable: true, ...given }] };
      const expected = { status: 400, body: { errors: [{ path: `rules.0.${path}` }] } };
      expect(await app.post('/activity/rules', refused, withKey)).toMatchObject(expected);
    }
  });
});

describe('limits', () => {
  /** A limit of the app’s own: a user's activities on one subject are so many milliseconds apart. */
  const pause = defineLimit({
    type: 'pause',
    fields: ['everyMs'],
    check: ({ everyMs }, refuse) =>
      typeof everyMs === 'number' && everyMs > 0 ? { everyMs } : refuse('everyMs', 'use a number from 1'),
    window: ({ everyMs }) => ({ windowMs: everyMs, per: 'subject' }),
    allows: ({ everyMs }, _, given) => {
      const last = given.at(-1);
      return !last || new Date(last.at.getTime() + everyMs);
    },
    quota: (_, given) => ({ used: given.length, max: 1 }),
  });

  async function start(limits: readonly LimitConfig[], given: Partial<AllOptions> = {}) {
    const app = await TinyApp.start({ options: { clock, limits, limitTypes: [pause], ...given } });
    const { service } = app;
    const record = async (action: string, subject: string, more: { ownerId?: string; userId?: string } = {}) => {
      const { outcome, points, reason } = await service.record({ userId: 'ada', action, subject, ...more });
      return [outcome, points, reason];
    };
    const revoke = async (action: string, subject: string) =>
      (await service.revoke({ userId: 'ada', action, subject })).outcome;
    return { app, record, revoke, quotas: app.nest.get(LimitQuotas), service };
  }

  describe('of a day, whatever comes late', () => {
    const rules = [
      { action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 3 }] },
      { action: 'publish', points: 10, revocable: true, once: 'ever' },
      { action: 'answer', points: 10, revocable: true, once: 'each' },
    ] as const;
    const daily = rules.map(({ action }) => ({ type: 'daily', action, max: 1 }) as const);
    const at = (ms: number) => new Date(noon - minuteMs + ms);
    const of = (action: string, subject: string, ms: number, more: object = {}) => {
      return { userId: 'ann', action, subject, occurredAt: at(ms), ...more };
    };

    it.each(['publish', 'answer', 'praise'])('count what they refused at first once: %s', async (action) => {
      const { app, service } = await start(daily, { rules });
      const id = (name: string) => (action === 'publish' ? {} : { id: name });
      await service.record([of(action, 'first', 1, id('1')), of(action, 'second', 3, id('2'))]);
      await service.revoke(of(action, 'first', 2, id('1')));
      const points = await app.score('ann', 'month');
      clock.advance(dayMs);
      await service.record(of(action, 'second', dayMs + 3, id('2')));
      expect([points > 0, await app.score('ann', 'month')]).toEqual([true, points]);
    });

    it('free no place by a cancel of an id on the next day, whether it comes last or first', async () => {
      const { app, service } = await start(daily, { rules, leaderboards: [allBoard] });
      const answer = (userId: string, id: string, ms: number) => of('answer', 'a', ms, { userId, id });
      clock.advance(dayMs);
      await service.record([answer('ann', '1', 1), answer('ann', '2', 3)]);
      await service.revoke([answer('ann', '1', dayMs), answer('dan', '1', dayMs)]);
      await service.record([answer('dan', '1', 1), answer('dan', '2', 3)]);
      expect([await app.score('ann', 'all'), await app.score('dan', 'all')]).toEqual([0, 0]);
    });
  });

  it('can be of a type of the app’s own, in the same call', async () => {
    const { record } = await start([
      { type: 'pause', action: 'praise', everyMs: 1000 },
      { type: 'daily', action: 'praise', max: 2 },
    ]);
    expect(await record('praise', 'a')).toEqual(['granted', 2, undefined]);
    expect(await record('comment', 'a')).toEqual(['granted', 3, undefined]);
    expect(await record('praise', 'a', { userId: 'bob' })).toEqual(['granted', 2, undefined]);
    clock.advance(999);
    expect(await record('praise', 'a')).toEqual(['duplicate', 0, undefined]);
    expect(await record('praise', 'b')).toEqual(['granted', 2, undefined]);
    expect(await record('praise', 'c')).toEqual(['limited', 0, 'praise-daily']);
  });

  it('leave alone what its rule counts for other partitions: it is ignored, and so is what it would give owners', async () => {
    const where = [
      { partition: 'category', only: ['java', 'spam'], except: ['spam'] },
      { partition: 'team', except: ['x'] },
    ];
    const rule = { points: 2, revocable: true, grants: [{ to: 'owner', points: 3 }] } as const;
    const { service } = await start([{ type: 'daily', action: 'praise', max: 2 }], {
      rules: [{ ...rule, action: 'praise', where }],
    });
    const parts = [{}, { team: 'y' }, { category: 'go' }, { category: 'spam' }, { category: 'java', team: 'x' }];
    const counted = [{ category: 'java' }, { category: 'java', team: 'y' }];
    const praise = { userId: 'ada', action: 'praise', ownerId: 'bob' };
    const outcomes = await service.record(
      [...parts, ...counted].map((partitions, i) => ({ ...praise, subject: `${i}`, partitions })),
    );
    const ignored = { outcome: 'ignored', points: 0, scores: {}, boards: {}, reason: 'where' };
    expect(outcomes.slice(0, parts.length)).toEqual(parts.map(() => ignored));
    expect(outcomes.slice(parts.length)).toMatchObject(counted.map(() => ({ points: 2, owner: { points: 3 } })));
    expect(await service.revoke({ ...praise, subject: '5' })).toMatchObject({ outcome: 'revoked', points: -2 });
  });

  it('are not all on a leaderboard that lists partitions: it counts by the first that a grant names, owners’ points too', async () => {
    const listed = (name: string, list: object, more: object = {}) =>
      ({ name, period: 'all', where: [{ partition: 'category', ...list }], ...more }) as const;
    const { app, service } = await start([], {
      rules: [{ action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 3 }] }],
      leaderboards: [
        allBoard,
        listed('some', { only: ['java', 'go', 'spam'], except: ['spam'] }),
        listed('others', { except: ['go', 'spam'] }, { tallies: ['given:praise'] }),
        listed('each', { except: ['spam'] }, { partition: 'category' }),
      ],
    });
    const praise = (subject: string, category?: string) =>
      service.record({
        ...{ userId: 'ann', action: 'praise', subject, ownerId: 'bob' },
        ...(category !== undefined && { partitions: { category } }),
      });
    const scoreOf = (board: string) => Promise.all(['ann', 'bob'].map((userId) => app.score(userId, board)));
    const scores = async () => [...(await scoreOf('some')), ...(await scoreOf('others'))];
    expect(await praise('1', 'java')).toMatchObject({ scores: { all: 2, some: 2, others: 2, 'each/java': 2 } });
    const { boards } = await praise('2', 'spam');
    expect(boards).toEqual({ all: 'counted' });
    expect((await praise('3')).boards).toEqual({ all: 'counted', others: 'counted', each: 'noPartition' });
    await praise('4', 'go');
    expect(await scores()).toEqual([4, 6, 4, 6]);
    await praise('3', 'spam');
    await praise('2', 'java');
    expect(await scores()).toEqual([4, 6, 2, 3]);
    const adjustment = { userId: 'ann', points: 5, reason: 'thanks' };
    await app.nest.get(Adjustments).adjust({ ...adjustment, id: '1' });
    await app.nest.get(Adjustments).adjust({ ...adjustment, id: '2', leaderboard: 'others' });
    await service.revoke({ userId: 'ann', action: 'praise', subject: '1' });
    expect(await scores()).toEqual([7, 3, 10, 0]);
    const { lines } = (await app.get<LedgerPage>('/activity/users/ann/ledger', withKey)).body;
    const shown = lines.map(({ boards }) => Object.keys(boards).join()).sort();
    expect(shown).toEqual(['', 'all', 'all', 'all,some', 'all,some,others', 'others']);
    expect(await app.differences()).toEqual([]);
    const worth = [{ action: 'praise', points: 4, revocable: true, grants: [{ to: 'owner', points: 1 }] }];
    const asked = { leaderboard: 'some', period: 'all', rules: parseRules(JSON.stringify(worth)).rules, top: 9 };
    expect(await app.nest.get(RuleSimulation).run(asked)).toMatchObject({
      ...{ pointsNow: 10, uneven: 0 },
      top: [
        { userId: 'ann', points: 9 },
        { userId: 'bob', points: 1 },
      ],
    });
  });

  it('refuse a check without points where they name its action; it takes no place in those of all', async () => {
    const { app, service } = await start(
      [
        { type: 'sliding', action: 'seen', max: 3, windowMs: 600_000, per: 'pair' },
        { type: 'daily', max: 2 },
      ],
      {
        rules: [
          { action: 'seen', points: 0, revocable: true },
          { action: 'praise', points: 2, revocable: true, ownSubject: 'ignore' },
        ],
      },
    );
    const seen = (n: number) => service.record({ userId: 'ann', action: 'seen', subject: `page:${n}`, ownerId: 'bob' });
    const outcomes: string[] = [];
    for (let n = 1; n <= 4; n += 1) outcomes.push((await seen(n)).outcome);
    expect(outcomes).toEqual(['granted', 'granted', 'granted', 'limited']);
    expect(await seen(5)).toMatchObject({ outcome: 'limited', refusal: { limit: 'seen-sliding' } });
    const praise = (n: number) => service.record({ userId: 'ann', action: 'praise', subject: `article:${n}` });
    const praised = [await praise(1), await praise(2), await praise(3)].map(({ outcome }) => outcome);
    expect(praised).toEqual(['granted', 'granted', 'limited']);
    expect(await app.differences()).toEqual([]);
  });

  it('per week as the app begins it, month and contest refuse, tell what is left, and are changed with the rules', async () => {
    // A Tuesday.
    const clock = new ManualClock('2037-01-20T12:00:00Z');
    const rules = [{ action: 'praise', points: 2, revocable: true }];
    const { app, service } = await start(
      [
        { type: 'weekly', action: 'praise', max: 2 },
        { type: 'monthly', points: 100 },
        { type: 'contest', from: '2037-01-19', to: '2037-01-25', max: 9 },
      ],
      { clock, rules, weekStart: 'sunday' },
    );
    const praise = (n: number) => service.record({ userId: 'ann', action: 'praise', subject: `article:${n}` });
    expect(await praise(1)).toMatchObject({ outcome: 'granted' });
    clock.advance(dayMs);
    expect(await praise(2)).toMatchObject({ outcome: 'granted' });
    const allowedAgainAt = '2037-01-25T00:00:00.000Z';
    expect(await praise(3)).toMatchObject({ outcome: 'limited', refusal: { limit: 'praise-weekly', allowedAgainAt } });
    const { body } = await app.get('/activity/users/ann/quota', withKey);
    expect(body).toMatchObject({
      limits: [
        { limit: 'praise-weekly', type: 'weekly', used: 2, left: 0, allowedAgainAt },
        { limit: 'all-monthly', type: 'monthly', of: 'points', used: 4, left: 96 },
        { limit: 'all-contest', type: 'contest', used: 2, left: 7 },
      ],
    });
    clock.advance(6 * dayMs);
    expect(await praise(3)).toMatchObject({ outcome: 'granted' });
    const inForce = await app.get<{ rules: unknown; limits: unknown }>('/activity/rules', withKey);
    const document = { rules: inForce.body.rules, limits: inForce.body.limits };
    expect(await app.post('/activity/rules', document, withKey)).toMatchObject({ status: 200 });
    for (const to of ['2037-01-18', '2037-02-20']) {
      const contest = { rules, limits: [{ type: 'contest', from: '2037-01-19', to, max: 9 }] };
      const refused = { status: 400, body: { errors: [{ path: 'limits.0.to' }] } };
      expect(await app.post('/activity/rules', contest, withKey)).toMatchObject(refused);
    }
  });
});
