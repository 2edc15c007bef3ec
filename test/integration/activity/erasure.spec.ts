import { ActivityService, Exclusions, type LeaderboardConfig, SettlementService, TitleRule } from '@laurel/activity';
import { type ErasureReceipt, giverToken, type LedgerPage, type RankPage } from '@laurel/activity/internals';
import { BoardAudits } from '@laurel/reports';
import { ownRedis } from '../../support/own-servers';
import { deleteSubject, deletionOptions, done, monthScores } from './support/deletions';
import { dayMs, directoryOf, eraseUser, freshPrefix, ManualClock, mentions, waitUntil } from './support';
import { eventsAbout, startWithLimits } from './support/erasing';
import { dayBoard, monthBoard, oneTinyApp, TinyApp, withKey } from './support/tiny-app';

const noonMs = Date.parse('2036-11-20T12:00:00Z');
const at = new Date(noonMs);

/** What an erasure or a deletion leaves is looked for in every key of its Redis. */
const own = ownRedis();

/** A user nobody would call so, who must not reach another's keys. */
const hostile = '{lr:1-0}:*[a-z]?\\:\n\0💥"';

@TitleRule({ order: 1 })
class OneForAll implements TitleRule {
  title = () => 'Somebody';
}

const start = async (shards: number, prefix = freshPrefix()) => {
  const clock = new ManualClock(noonMs - 3 * dayMs);
  const app = await TinyApp.start({
    providers: [OneForAll],
    options: {
      ...{ redis: { url: own.servers.url }, clock, prefix, shards },
      retentionMs: { ledger: null },
      firstDays: true,
      limits: [{ type: 'sliding', action: 'view', max: 100, windowMs: dayMs, per: 'subject' }],
      leaderboards: [
        { name: 'day', period: 'day', tallies: ['given:view', 'received:praise'] },
        { name: 'month', period: 'month' },
        { name: 'recent', rolling: { days: 7 } },
        { name: 'team', period: 'month', partition: 'team' },
        { name: 'views', period: 'day', points: { view: 3 } },
      ],
    },
  });
  const record = (userIds: readonly string[]) =>
    app.record(
      ...userIds.flatMap((userId) =>
        ['a', 'b'].map((subject) => ({
          ...{ userId, action: 'view', subject, occurredAt: new Date(clock.now()) },
          partitions: { team: `team ${userId.length}` },
        })),
      ),
    );
  const erase = (userId: string) => eraseUser(app, userId);
  return { app, clock, prefix, record, erase };
};

describe('erasing a user', () => {
  it.each([
    [1, 'zoe'],
    [3, hostile],
  ])('leaves, on %d shards, no trace of %j, and all others as they were', async (shards, userId) => {
    const { app, clock, prefix, record, erase } = await start(shards);
    const others = ['bob', 'cho', `${userId}x`, userId.slice(1), '*'];
    // Owners' grants from the user and from others, standing and revoked on a later day.
    const given = (ms: number) =>
      [userId, `${userId}x`].flatMap((giver, i) => [
        { userId: giver, action: 'praise', subject: 'a', ownerId: 'bob', occurredAt: new Date(ms) },
        { userId: giver, action: 'follow', subject: 'user:bob', occurredAt: new Date(ms + i) },
        { userId: giver, action: 'praise', subject: 'b', ownerId: 'cho', occurredAt: new Date(ms) },
        { userId: giver, action: 'praise', subject: 'b', ownerId: 'cho', occurredAt: new Date(ms + 1), revoke: true },
      ]);
    const received = async () => {
      const pages = await Promise.all(
        [0, 1, 2].map((ago) => {
          const date = new Date(noonMs - (3 - ago) * dayMs).toISOString().slice(0, 10);
          return app.get<LedgerPage>(`/activity/users/bob/ledger?date=${date}`, withKey);
        }),
      );
      const lines = pages.flatMap(({ body }) => body.lines);
      const counts = await app.nest.get(ActivityService).receivedCounts('bob');
      const tally = await app.nest.get(ActivityService).receivedCounts('cho');
      const kept = { counts, tally, lines: lines.map(({ from: _, ...line }) => JSON.stringify(line)).sort() };
      return { kept, givers: lines.flatMap(({ from }) => from ?? []) };
    };
    for (let days = 0; days < 3; days++, clock.advance(dayMs)) {
      await record([userId, ...others]);
      await app.record({ userId, action: 'praise', subject: 'p', occurredAt: new Date(clock.now()) });
      await app.record({ userId, action: 'praise', subject: 'p', revoke: true, occurredAt: new Date(clock.now() + 1) });
      await app.record(...given(clock.now()));
    }
    const { kept } = await received();
    const adjustment = { userId, points: 2, reason: 'thanks', id: 'a1' };
    expect((await app.post('/activity/adjustments', adjustment, withKey)).status).toBe(200);
    await app.nest.get(SettlementService).settleDue(undefined, { announces: false });
    await app.nest.get(SettlementService).settleDue();
    await app.get('/ranks/recent');
    await app.nest.get(Exclusions).optOut(userId);
    await app.post('/activity/reviews', { userId, reason: 'unsure' }, withKey);
    expect((await mentions(own.client, prefix, userId)).length).toBeGreaterThan(10);

    const { status, body } = await erase(userId);
    expect([status, body.state]).toEqual([202, 'done']);
    expect(body.erased).toMatchObject({ ledgers: 8, named: 7, exclusions: 2, reviews: 1 });
    for (const kind of ['boards', 'rolling', 'lists']) expect(body.erased[kind]).toBeGreaterThan(0);

    expect(await mentions(own.client, prefix, userId)).toEqual([]);
    const after = await received();
    expect(after.kept).toEqual(kept);
    expect(after.givers.filter((giver) => giver === giverToken(userId))).toEqual([]);
    expect(new Set(after.givers).size).toBe(2);
    for (const path of ['day?period=previous', 'month', 'views?period=previous', 'recent']) {
      const page = await app.get<RankPage>(`/ranks/${path}`);
      expect(page.body.entries.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5]);
      expect(new Set(page.body.entries.map((entry) => entry.userId))).toEqual(new Set(others));
    }
    const again = await erase(userId);
    expect(new Set(Object.values(again.body.erased))).toEqual(new Set([0]));
  });

  it('reaches, as an exclusion does, what is left out meanwhile, and days that a leaderboard had before', async () => {
    const team = { name: 'team', period: 'month', partition: 'team', tallies: ['given:view'] } as const;
    const [clock, prefix, all] = [new ManualClock(noonMs), freshPrefix(), [dayBoard, monthBoard, team]];
    const startWith = (leaderboards: readonly LeaderboardConfig[]) =>
      TinyApp.start({ options: { redis: { url: own.servers.url }, clock, prefix, leaderboards } });
    const one = await startWith(all);
    for (const to of ['2036-11-21', '2036-11-30']) {
      const body = { name: 'spring', contest: { from: '2036-11-01', to } };
      await one.post('/activity/leaderboards', body, withKey);
      const view = { action: 'view', subject: to, partitions: { team: 'red' } };
      await one.record(...['zoe', 'bob', 'cid'].map((userId) => ({ ...view, userId })));
    }
    const two = await startWith([dayBoard]);
    await eraseUser(two, 'zoe');
    await two.nest.get(Exclusions).exclude('bob');
    expect(await mentions(own.client, prefix, 'zoe')).toEqual([]);
    const three = await startWith(all);
    for (const path of ['month', 'team?partition=red'])
      expect(await three.page(`/ranks/${path}`)).toEqual([[1, 'cid', 2]]);
    expect((await three.nest.get(BoardAudits).verify({})).differences).toBe(0);
  });

  it('leaves what another app has under a prefix that begins with its own', async () => {
    const { prefix, record, erase } = await start(1);
    const other = await start(1, `${prefix}:x`);
    await record(['ann']);
    await other.record(['ann']);
    await other.app.record({ userId: 'ann', action: 'follow', subject: 'user:bob' });
    const before = await mentions(own.client, other.prefix, 'ann');
    expect((await erase('ann')).body.erased).toMatchObject({ ledgers: 2, named: 0 });
    expect(await mentions(own.client, other.prefix, 'ann')).toEqual(before);
    expect(before.some((text) => text.includes(':always:'))).toBe(true);
  });
});

describe('an erasure that is asked for', () => {
  let erase: (userId: string) => Promise<Record<string, number>>;
  const of = oneTinyApp({
    options: { clock: new ManualClock(noonMs) },
    extras: { imports: [directoryOf({ erase: (userId) => erase(userId) })] },
  });
  const ask = (userId: string) => of().delete<ErasureReceipt>(`/activity/users/${userId}`);
  const receiptOf = async (id: string) =>
    (await of().get<ErasureReceipt>(`/activity/erasure-receipts/${id}`, withKey)).body;
  const untilDone = (id: string) => waitUntil(async () => (await receiptOf(id)).state === 'done');
  const view = (userId: string) => ({ userId, action: 'view', subject: '/a' });

  it('is answered with a receipt, counts what the app’s directory removed first, and names the user no more', async () => {
    const app = of();
    erase = () => Promise.resolve({ articles: 2 });
    await app.record(view('zoe'));
    const { status, body } = await ask('zoe');
    expect([status, body.userId]).toEqual([202, 'zoe']);
    await untilDone(body.id);
    const done = { id: body.id, userId: null, state: 'done', fault: null, erased: { articles: 2, ledgers: 1 } };
    expect(await receiptOf(body.id)).toMatchObject(done);
    expect((await app.get('/activity/erasure-receipts/none', withKey)).status).toBe(404);
    expect((await app.get(`/activity/erasure-receipts/${body.id}`)).status).toBe(401);
  });

  it('waits for those before it, in their order, and keeps nothing else waiting', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const begun: string[] = [];
    erase = async (userId) => {
      begun.push(userId);
      await ended;
      return {};
    };
    await of().record(view('ann'), view('yan'), view('bob'));
    const first = ask('ann');
    await waitUntil(() => begun.length === 1);
    // Asked for again it is the same one.
    const [second, again, third] = await Promise.all(['yan', 'yan', 'xia'].map(ask));
    const ids = [(await first).body.id, second?.body.id ?? '', third?.body.id ?? ''] as const;
    expect(again?.body.id).toBe(ids[1]);
    const states = (await Promise.all(ids.map(receiptOf))).map(({ userId, state }) => `${userId} ${state}`);
    expect(states).toEqual(['ann running', 'yan waiting', 'xia waiting']);
    expect((await of().record(view('bob'))).body.results).toMatchObject([{ outcome: 'duplicate' }]);
    end();
    await Promise.all(ids.map(untilDone));
    // Ids are in the order of asking.
    expect(begun).toEqual(['ann', ...(ids[1] < ids[2] ? ['yan', 'xia'] : ['xia', 'yan'])]);
    expect(await receiptOf(ids[1])).toMatchObject({ state: 'done', erased: { ledgers: 1 } });
  });

  it('is tried again where it failed, and those behind it do not wait', async () => {
    let isBroken = true;
    const fault = Object.assign(new Error('Connection is closed.'), { name: 'Error' });
    erase = (userId) => (isBroken && userId === 'cid' ? Promise.reject(fault) : Promise.resolve({}));
    const { id } = (await ask('cid')).body;
    await waitUntil(async () => (await receiptOf(id)).fault !== null);
    expect(await receiptOf(id)).toMatchObject({ userId: 'cid', doneAt: null });
    // It would erase what comes from now on.
    const readmit = () => of().post('/activity/readmissions', { userId: 'cid' }, withKey);
    expect((await readmit()).status).toBe(503);
    await untilDone((await ask('dan')).body.id);
    isBroken = false;
    expect((await ask('cid')).body.id).toBe(id);
    await untilDone(id);
    expect([(await receiptOf(id)).fault, (await readmit()).status]).toEqual([null, 200]);
  });
});

describe('a user who was erased and comes again', () => {
  let app: TinyApp, clock: ManualClock, prefix: string;
  const erase = (userId: string) => eraseUser(app, userId);
  beforeEach(async () => {
    ({ app, clock, prefix } = await startWithLimits(own.servers.url, { shards: 3 }));
  });

  it('is refused, with the reason, whatever names them; nothing is kept', async () => {
    await app.record({ userId: 'bob', action: 'view', subject: '/a', occurredAt: at });
    await erase('zoe');
    const { results } = (await app.record(...eventsAbout('zoe'))).body;
    for (const result of results) expect(result).toMatchObject({ outcome: 'rejected', points: 0, reason: 'erased' });
    // What others do to what was theirs is their own: they get their points, and the erased nothing.
    const praise = { userId: 'cho', action: 'praise', subject: 'article:2', ownerId: 'zoe', occurredAt: at };
    expect((await app.record(praise)).body.results[0]).toMatchObject({ outcome: 'granted', points: 2 });
    const adjustment = { userId: 'zoe', points: 5, reason: 'thanks', id: 'a' };
    const { body } = await app.post<object>('/activity/adjustments', adjustment, withKey);
    expect(body).toMatchObject({ outcome: 'rejected', reason: 'erased' });
    const gone = { status: 410, body: { type: 'urn:laurel:problem:erased' } };
    const put = { method: 'PUT', headers: { ...withKey, 'content-type': 'application/json' }, body: '{}' };
    expect(await app.send('/activity/exclusions/zoe', put)).toMatchObject(gone);
    expect(await app.post('/activity/reviews', { userId: 'zoe', reason: 'odd' }, withKey)).toMatchObject(gone);
    clock.advance(1_000);
    expect((await app.get<{ refusals: unknown[] }>('/activity/refusals', withKey)).body.refusals).toEqual([]);
    await app.get('/ranks/recent');
    expect((await app.page('/ranks/day')).map(([, userId]) => userId).sort()).toEqual(['bob', 'cho']);
    expect(await mentions(own.client, prefix, 'zoe')).toEqual([]);
  });

  it('is named no more by what others did to them, which stays theirs', async () => {
    const long = `zoe${'e'.repeat(60)}`;
    const follow = (userId: string) => ({ userId: 'cho', action: 'follow', subject: `user:${userId}`, occurredAt: at });
    const praise = { userId: 'cho', action: 'praise', subject: 'user:zoe', ownerId: 'bob', occurredAt: at };
    await app.record(follow('zoe'), follow(long), follow('zoey'), praise, { ...praise, userId: 'gus' });
    const points = () => app.score('cho');
    const before = await points();
    // As ledgers name it: by a digest.
    const digest = giverToken(`user:${long}`).slice(0, 13);
    const shown = async () => [
      ...(await mentions(own.client, prefix, 'zoe')),
      ...(await mentions(own.client, prefix, digest)),
    ];
    expect((await mentions(own.client, prefix, digest)).length).toBeGreaterThan(0);
    expect((await shown()).length).toBeGreaterThan(5);
    // Who gave something for it may go first.
    for (const userId of ['gus', 'zoe', long]) await erase(userId);
    expect((await shown()).filter((text) => !text.includes('zoey'))).toEqual([]);
    expect(await points()).toEqual(before);
    expect((await app.record(follow('zoey'))).body.results[0]).toMatchObject({ outcome: 'duplicate' });
  });

  it('counts again when an operator lets them in', async () => {
    await erase('zoe');
    for (const path of ['/activity/users/zoe', '/activity/erasures/zoe', '/activity/exclusions/zoe']) {
      await app.delete(path); // `DELETE` lets nobody in
    }
    const readmit = async () => (await app.post('/activity/readmissions', { userId: 'zoe' }, withKey)).body;
    expect(await readmit()).toEqual({ userId: 'zoe', readmitted: true });
    expect(await readmit()).toEqual({ userId: 'zoe', readmitted: false });
    const { results } = (await app.record(...eventsAbout('zoe'))).body;
    expect(results.map(({ outcome }) => outcome)).not.toContain('rejected');
    // The control: what finds nothing above finds them here.
    expect((await mentions(own.client, prefix, 'zoe')).length).toBeGreaterThan(3);
  });
});

describe('deleting a subject', () => {
  /** Ahead, so that nothing expires. Each test has a month of its own. */
  const clock = new ManualClock('2037-10-10T12:00:00Z');
  const app = oneTinyApp(() => ({
    options: { ...deletionOptions, redis: { url: own.servers.url }, clock, shards: 3 },
  }));
  const score = (userId: string) => app().score(userId, 'month');
  const scores = (userIds: readonly string[]) => monthScores(app(), userIds);
  const remove = (subject: string) => deleteSubject(app(), subject);
  beforeEach(() => clock.advance(40 * dayMs));

  it('takes back all that it earned, and nothing else', async () => {
    const { service } = app();
    const all = ['ann', 'bob', 'cid', 'dan'];
    const earn = (subject: string) => [
      ...[done('bob', 'publish', subject), done('ann', 'view', subject), done('cid', 'view', subject)],
      ...[done('ann', 'praise', subject, 'bob'), done('cid', 'praise', subject, 'bob')],
    ];
    await service.record([...earn('article:7'), done('dan', 'view', 'article:8')]);
    clock.advance(dayMs);
    const second = earn('article:7').map((one) => ({ ...one, occurredAt: new Date(clock.now()) }));
    await service.record([...second, ...earn('article:70'), done('dan', 'praise', 'article:7', 'bob')]);
    expect(await scores(all)).toEqual([9, 51, 9, 3]);
    clock.advance(1_000);
    const receipt = { subject: 'article:7', state: 'done', fault: null, taken: { grants: 16, points: 49 } };
    expect(await remove('article:7')).toMatchObject(receipt);
    const left = [3, 16, 3, 1];
    expect(await scores(all)).toEqual(left);
    expect(await app().score('ann', 'double')).toBe(8);
    expect(await service.receivedCounts('bob')).toEqual({ praise: 2 });
    expect(await app().differences()).toEqual([]);
    // Asked for again, delivered again, revoked and rebuilt.
    expect(await remove('article:7')).toMatchObject({ taken: { grants: 0, points: 0 } });
    await service.record(second);
    await service.revoke(done('cid', 'praise', 'article:7', 'bob'));
    await app().nest.get(BoardAudits).rebuild();
    expect(await scores(all)).toEqual(left);
    expect(await app().differences()).toEqual([]);
  });

  it('finds subjects of whatever spelling, and no other whose spelling is alike', async () => {
    const subjects = [
      ...'7 :7 article:7 xarticle:7 article:07 /articles/7 owner:p:3:ann7 #AH a* * [ab] a\\b'.split(' '),
      ...['an article of 30 bytes, or so', `a subject of more than 40 bytes ${'x'.repeat(40)}`, 'ü'.repeat(256)],
    ];
    // What is left of a giver is what was given.
    const [gone, praises] = ['eve'.repeat(10), (by: string) => subjects.map((one) => done(by, 'praise', one, 'bob'))];
    await app().service.record([...praises('ann'), ...praises(gone)]);
    await app().delete(`/activity/users/${gone}`);
    for (const [i, subject] of subjects.entries()) {
      expect(await remove(subject)).toMatchObject({ taken: { grants: 3, points: 8 } });
      const left = subjects.length - 1 - i;
      expect([await score('ann'), await score('bob')]).toEqual([2 * left, 6 * left]);
    }
  });

  it('names no user once it is done, where the subject is one', async () => {
    await app().service.record(done('ann', 'follow', 'user:zoe'));
    expect(await remove('user:zoe')).toMatchObject({ subject: null, taken: { grants: 2, points: 1 } });
    expect(await score('ann')).toBe(0);
    const left = await mentions(own.client, app().prefix, 'user:zoe');
    expect(left.filter((key) => key.includes('deletions'))).toEqual([]);
  });

  it('leaves final standings', async () => {
    const { service } = app();
    const date = new Date(clock.now()).toISOString().slice(0, 10);
    await service.record(done('ann', 'view', 'article:7'));
    clock.advance(2 * dayMs);
    await remove('article:7');
    expect(await score('ann')).toBe(0);
    expect(await app().page(`/ranks/day?period=${date}`)).toEqual([[1, 'ann', 1]]);
  });

  it('says what is wrong, and needs the key', async () => {
    const ask = (subject: string, headers: Record<string, string> = withKey) =>
      app().post('/activity/deletions', { subject }, headers);
    expect((await ask('article:7', {})).status).toBe(401);
    expect(await ask('x'.repeat(513))).toMatchObject({ status: 400, body: { errors: [{ path: 'subject' }] } });
    expect((await app().get('/activity/deletion-receipts/none', withKey)).status).toBe(404);
  });
});
