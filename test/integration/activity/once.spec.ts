import {
  ActivityService,
  PraiseCancelledEvent,
  PraiseEvent,
  Reviews,
  type Rule,
  SubjectDeletions,
} from '@laurel/activity';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { BoardAudits } from '@laurel/activity/tools';
import { ManualClock } from '../../support/clock';
import { keysLike } from '../../support/keys-like';
import { waitUntil } from '../../support/wait-until';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { eraseUser } from './support/erase-user';
import { stopTinyApps, TinyApp, withKey } from './support/tiny-app';

const day = 86_400_000;
/** Ahead, so that nothing expires. */
const noon = Date.parse('2037-01-20T12:00:00Z');

const rules: readonly Rule[] = [
  { action: 'publish', points: 10, revocable: true, once: 'ever' },
  { action: 'follow', points: 2, revocable: true, once: 'ever', grants: [{ to: 'owner', points: 1 }] },
  { action: 'share', points: 1, revocable: true, once: { days: 7 } },
  { action: 'answer', points: 5, revocable: true, once: 'each', grants: [{ to: 'owner', points: 1 }] },
];
const leaderboards = [
  { name: 'day', period: 'day' },
  { name: 'all', period: 'all' },
] as const;

const start = async (options: object = {}) => {
  const clock = new ManualClock(noon);
  const prefix = freshPrefix();
  const app = await TinyApp.start({
    options: { clock, prefix, rules, leaderboards, settlement: false, retentionMs: { day: 400 * day }, ...options },
  });
  const service = app.nest.get(ActivityService);
  const score = async (userId: string, leaderboard = 'all') =>
    (await app.get<{ entry: { score: number } }>(`/ranks/${leaderboard}/users/${userId}`, withKey)).body.entry.score;
  const differences = async () => {
    const found: unknown[] = [];
    await app.nest.get(BoardAudits).verify({ onDifference: (one) => found.push(one) });
    return found;
  };
  return { app, clock, prefix, service, score, differences };
};

const publish = { userId: 'ann', action: 'publish', subject: 'article:7' };
const follow = { userId: 'ann', action: 'follow', subject: 'user:bob' };

afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe('a rule that counts once for ever', () => {
  it('gives nothing for the same subject tomorrow, or after years', async () => {
    const { clock, service, score } = await start();
    const outcomes: string[] = [];
    for (const days of [0, 1, 30, 400]) {
      clock.advance(days * day);
      outcomes.push((await service.record(publish)).outcome);
    }
    expect(outcomes).toEqual(['granted', 'duplicate', 'duplicate', 'duplicate']);
    expect(await service.record({ ...publish, subject: 'article:8' })).toMatchObject({ outcome: 'granted' });
    expect(await score('ann')).toBe(20);
  });

  it('gives its points again after they were taken back, as an article that went offline', async () => {
    const { clock, service, score, differences } = await start();
    await service.record(publish);
    clock.advance(2 * day);
    expect(await service.revoke(publish)).toMatchObject({ outcome: 'revoked', points: -10 });
    clock.advance(day);
    expect(await service.record(publish)).toMatchObject({ outcome: 'granted', points: 10 });
    expect(await score('ann')).toBe(10);
    expect(await differences()).toEqual([]);
  });

  it('gives the owner nothing again either, and takes both back', async () => {
    const { clock, service, score, differences } = await start();
    await service.record(follow);
    clock.advance(40 * day);
    expect(await service.record(follow)).toMatchObject({ outcome: 'duplicate', owner: { outcome: 'duplicate' } });
    expect([await score('ann'), await score('bob')]).toEqual([2, 1]);
    await service.record({ ...follow, userId: 'cid' });
    clock.advance(day);
    await service.revoke({ ...follow, userId: 'cid' });
    expect([await score('cid'), await score('bob')]).toEqual([0, 1]);
    expect(await differences()).toEqual([]);
  });

  it('is forgotten where an operator voids it', async () => {
    const { app, clock, service, score } = await start();
    await service.record(publish);
    clock.advance(day);
    await service.record(publish);
    const reviews = app.nest.get(Reviews);
    const { id } = await reviews.hold({ userId: 'ann', reason: 'a copy', from: new Date(noon).toISOString() });
    await reviews.void(id);
    clock.advance(50 * day);
    expect(await service.record(publish)).toMatchObject({ outcome: 'granted', points: 10 });
    expect(await score('ann')).toBe(10);
  });

  it('keeps no name of an erased user', async () => {
    const { app, prefix, service } = await start();
    await service.record([publish, follow, { ...follow, userId: 'cid', subject: 'user:ann' }]);
    await eraseUser(app, 'ann');
    const redis = testRedis();
    const left: string[] = [];
    for (const key of await keysLike(redis, `{${prefix}:*}:remembered:*`)) {
      left.push(key, ...(await redis.hkeys(key)));
    }
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter((text) => text.includes('ann'))).toEqual([]);
  });
});

const answer = { userId: 'ann', action: 'answer', subject: 'question:1', ownerId: 'bob' };

describe('a rule that counts each time', () => {
  it('counts by the id of its activities, on whatever day they come again, for the owner too', async () => {
    const { clock, service, score, differences } = await start();
    const send = (id: string, more: object = {}) => service.record({ ...answer, id, ...more });
    expect(await send('1')).toMatchObject({ outcome: 'granted', points: 5, owner: { points: 1 } });
    expect(await send('2')).toMatchObject({ outcome: 'granted', points: 5, owner: { points: 1 } });
    clock.advance(day);
    expect(await send('1')).toMatchObject({ outcome: 'duplicate', owner: { outcome: 'duplicate' } });
    expect(await send('1', { userId: 'cid' })).toMatchObject({ outcome: 'granted', owner: { points: 1 } });
    expect(await service.revoke({ ...answer, id: '1' })).toMatchObject({
      outcome: 'revoked',
      points: -5,
      owner: { outcome: 'revoked', points: -1 },
    });
    expect([await score('ann'), await score('bob'), await score('cid')]).toEqual([5, 2, 5]);
    expect(await differences()).toEqual([]);
  });

  it('needs an id, over HTTP as well', async () => {
    const { app, service } = await start();
    await expect(service.record(answer)).rejects.toMatchObject({ code: 'invalidActivity', faults: [{ path: 'id' }] });
    const refused = await app.record({ ...answer, id: 'x'.repeat(129) });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'events.0.id' }] } });
    expect(await app.record({ ...answer, id: '7' })).toMatchObject({ body: { results: [{ outcome: 'granted' }] } });
    expect(await app.record({ ...answer, id: '7' })).toMatchObject({ body: { results: [{ outcome: 'duplicate' }] } });
  });

  it('knows its subject: in the ledger, to limits and to a deletion', async () => {
    const limits = [{ type: 'sliding', action: 'answer', max: 2, windowMs: 60_000, per: 'subject' }];
    const { app, service, score } = await start({ limits });
    const outcomes: string[] = [];
    for (const id of ['1', '2', '3', 'x'.repeat(80)]) {
      outcomes.push((await service.record({ ...answer, id })).outcome);
    }
    expect(outcomes).toEqual(['granted', 'granted', 'limited', 'limited']);
    expect(await service.record({ ...answer, id: '4', subject: 'question:2' })).toMatchObject({ outcome: 'granted' });
    const { body } = await app.get<{ lines: { subject: string }[] }>('/activity/users/ann/ledger', withKey);
    expect(body.lines.map(({ subject }) => subject).sort()).toEqual(['question:1', 'question:1', 'question:2']);
    await app.nest.get(SubjectDeletions).delete('question:1');
    await waitUntil(async () => (await score('ann')) === 5);
    expect([await score('ann'), await score('bob')]).toEqual([5, 1]);
  });

  it('keeps no name of an erased user who was its subject', async () => {
    const { app, prefix, service, score } = await start();
    await service.record({ userId: 'cid', action: 'answer', subject: 'user:ann', id: '1' });
    await service.record({ userId: 'ann', action: 'answer', subject: 'user:bob', id: 'of-ann' });
    await eraseUser(app, 'ann');
    const redis = testRedis();
    const left: string[] = [];
    for (const key of await keysLike(redis, `{${prefix}:*}:*`)) {
      const type = await redis.type(key);
      left.push(
        key,
        ...(type === 'hash' ? await redis.hkeys(key) : type === 'zset' ? await redis.zrange(key, '0', '-1') : []),
      );
    }
    expect(left.some((text) => text.startsWith('answer:#'))).toBe(true);
    expect(left.filter((text) => text.includes('ann'))).toEqual([]);
    expect([await score('cid'), await score('bob')]).toEqual([5, 1]);
  });
});

describe('an id of an activity', () => {
  it('makes a repeat a duplicate whatever its date and its rule, as an event and as a body', async () => {
    const { app, clock, service, score } = await start({
      rules: [{ action: 'praise', points: 2, revocable: true }],
    });
    const emitter = app.nest.get(EventEmitter2);
    const praise = { userId: 'ann', subject: 'article:7', id: 'p-1' };
    await emitter.emitAsync('activity.praise', new PraiseEvent(praise));
    clock.advance(day);
    await emitter.emitAsync('activity.praise', new PraiseEvent(praise));
    expect(await app.record({ ...praise, action: 'praise' })).toMatchObject({
      body: { results: [{ outcome: 'duplicate' }] },
    });
    expect(await score('ann')).toBe(2);
    expect(await service.record({ ...praise, action: 'praise', id: 'p-2' })).toMatchObject({ outcome: 'granted' });
    await emitter.emitAsync('activity.praise.cancelled', new PraiseCancelledEvent(praise));
    expect(await score('ann')).toBe(2);
    expect(await service.revoke({ ...praise, action: 'praise' })).toMatchObject({ outcome: 'duplicate' });
  });
});

describe('how often a rule counts', () => {
  it('is a day where it is left out, and may be so many days', async () => {
    const { app, clock, service } = await start();
    const share = { userId: 'ann', action: 'share', subject: 'article:7' };
    const outcomes: string[] = [];
    for (const days of [0, 1, 5, 1]) {
      clock.advance(days * day);
      outcomes.push((await service.record(share)).outcome);
    }
    expect(outcomes).toEqual(['granted', 'duplicate', 'duplicate', 'granted']);
    const { body } = await app.get<{ rules: unknown[] }>('/activity/rules', withKey);
    expect(body.rules).toMatchObject([
      { once: 'ever' },
      { once: 'ever' },
      { action: 'share', days: 7 },
      { once: 'each' },
    ]);
    expect(await app.post('/activity/rules', body, withKey)).toMatchObject({ status: 400 });
    expect(await app.post('/activity/rules', { rules: body.rules }, withKey)).toMatchObject({ status: 200 });
  });

  it.each([
    [{ once: 'never' }, 'once'],
    [{ once: { days: 32 } }, 'once.days'],
    [{ once: 'ever', days: 3 }, 'once'],
  ])('is refused as %j', async (given, path) => {
    const { app } = await start();
    const body = { rules: [{ action: 'share', points: 1, revocable: true, ...given }] };
    const refused = await app.post<{ errors: { path: string }[] }>('/activity/rules', body, withKey);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: `rules.0.${path}` }] } });
  });
});

describe('a check without points', () => {
  it('is refused by the limits that name its action, and takes no place in those of all', async () => {
    const { service, differences } = await start({
      rules: [
        { action: 'seen', points: 0, revocable: true },
        { action: 'praise', points: 2, revocable: true, ownSubject: 'ignore' },
      ],
      limits: [
        { type: 'sliding', action: 'seen', max: 3, windowMs: 600_000, per: 'pair' },
        { type: 'daily', max: 2 },
      ],
    });
    const seen = (n: number) => service.record({ userId: 'ann', action: 'seen', subject: `page:${n}`, ownerId: 'bob' });
    const outcomes: string[] = [];
    for (let n = 1; n <= 4; n += 1) outcomes.push((await seen(n)).outcome);
    expect(outcomes).toEqual(['granted', 'granted', 'granted', 'limited']);
    expect(await seen(5)).toMatchObject({ outcome: 'limited', refusal: { limit: 'seen-sliding' } });
    const praise = (n: number) => service.record({ userId: 'ann', action: 'praise', subject: `article:${n}` });
    expect([(await praise(1)).outcome, (await praise(2)).outcome, (await praise(3)).outcome]).toEqual([
      'granted',
      'granted',
      'limited',
    ]);
    expect(await differences()).toEqual([]);
  });
});

describe('limits per week, month and contest', () => {
  const rules = [{ action: 'praise', points: 2, revocable: true }];

  it('refuse over HTTP, tell what is left, and are changed with the rules', async () => {
    const limits = [
      { type: 'weekly', action: 'praise', max: 2 },
      { type: 'monthly', points: 100 },
      { type: 'contest', from: '2037-01-19', to: '2037-01-25', max: 9 },
    ];
    const { app, clock, service } = await start({ rules, limits });
    const praise = (n: number) => service.record({ userId: 'ann', action: 'praise', subject: `article:${n}` });
    expect(await praise(1)).toMatchObject({ outcome: 'granted' });
    clock.advance(day);
    expect(await praise(2)).toMatchObject({ outcome: 'granted' });
    const allowedAgainAt = '2037-01-26T00:00:00.000Z';
    expect(await praise(3)).toMatchObject({ outcome: 'limited', refusal: { limit: 'praise-weekly', allowedAgainAt } });
    const { body } = await app.get('/activity/users/ann/quota', withKey);
    expect(body).toMatchObject({
      limits: [
        { limit: 'praise-weekly', type: 'weekly', used: 2, left: 0, allowedAgainAt },
        { limit: 'all-monthly', type: 'monthly', of: 'points', used: 4, left: 96 },
        { limit: 'all-contest', type: 'contest', used: 2, left: 7 },
      ],
    });
    clock.advance(6 * day);
    expect(await praise(3)).toMatchObject({ outcome: 'granted' });
    const inForce = await app.get<{ rules: unknown; limits: unknown }>('/activity/rules', withKey);
    const document = { rules: inForce.body.rules, limits: inForce.body.limits };
    expect(await app.post('/activity/rules', document, withKey)).toMatchObject({ status: 200 });
  });

  it('are refused where a contest has no days, or more than ledgers', async () => {
    const { app } = await start();
    for (const to of ['2037-01-18', '2037-02-20']) {
      const limits = [{ type: 'contest', from: '2037-01-19', to, max: 9 }];
      const refused = await app.post('/activity/rules', { rules, limits }, withKey);
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'limits.0.to' }] } });
    }
  });
});
