import { Exclusions, Reviews, SettlementService } from '@laurel/activity';
import { type Adjusted, type LedgerPage, Ledgers, type MergeReceipt } from '@laurel/activity/internals';
import { UserErasedEvent, UserMergedEvent } from '@laurel/activity/moderation';
import { BoardAudits } from '@laurel/reports';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { ownRedis } from '../../support/own-servers';
import { dayMs, ManualClock, mentions, type ProblemBody, type TinyApp, waitUntil, withKey } from './support';
import { doneBy, mergeUsers, startMerging } from './support/merge-users';

const noonMs = Date.parse('2036-11-20T12:00:00Z');
const start = (clock = new ManualClock(noonMs)) => startMerging(own.servers.url, clock);
/** What is left of an account is looked for in every key. */
const own = ownRedis();

/** A user nobody would call so, whom fields name by a digest. */
const old = 'old:{lr:1-0}:*[a-z]?\\:\n💥" by a digest';

it('two accounts become one: nothing counts twice, and the one that goes leaves no trace', async () => {
  const clock = new ManualClock(noonMs);
  const [app, twin] = await Promise.all([start(clock), start(clock)]);
  clock.set(noonMs - 4 * dayMs);
  const early = (userId: string, subject: string) => ({ userId, action: 'view', subject });
  await app.record(early(old, '1'), early('ann', '2'));
  await twin.record(early('ann', '1'), early('ann', '2'));
  clock.set(noonMs);
  await app.nest.get(SettlementService).settleDue();
  for (const ms of [noonMs - dayMs, noonMs]) {
    await app.record(...doneBy(old, ms));
    await twin.record(...doneBy('ann', ms));
  }
  const adjustment = { points: 3, reason: 'thanks', id: 'a1' };
  for (const where of [{}, { id: 'a2', leaderboard: 'team', partition: 'red' }]) {
    await app.post('/activity/adjustments', { ...adjustment, ...where, userId: old }, withKey);
    const own = { ...adjustment, ...where, userId: 'ann' };
    const { body } = await twin.post<Adjusted>('/activity/adjustments', own, withKey);
    expect(body.changes).toEqual(where.partition ? { 'team/red': 3 } : { day: 3, month: 3 });
  }
  const heard: unknown[] = [];
  for (const { eventName } of [UserErasedEvent, UserMergedEvent])
    app.nest.get(EventEmitter2).on(eventName, (event) => heard.push(event));
  const receipt = await mergeUsers(app, { from: old, into: 'ann', by: 'eve', note: 'one person' });
  expect(receipt).toMatchObject({ from: null, into: null, merged: { facts: 14, received: 9, ended: 5 }, fault: null });
  expect(receipt.erased).toMatchObject({ ledgers: 3 });
  // Before they delete what they have of it.
  expect(heard).toEqual([new UserMergedEvent(old, 'ann'), new UserErasedEvent(old)]);
  expect(await mentions(own.client, app.prefix, old)).toEqual([]);

  // What is settled stays, but for the account that goes.
  expect(await app.page('/ranks/day?period=2036-11-16')).toEqual([[1, 'ann', 1]]);

  const paths = ['/ranks/day', '/ranks/day?period=previous', '/ranks/month', '/ranks/team?partition=red'];
  const seen = async (of: TinyApp) => ({
    pages: await Promise.all(paths.map((path) => of.page(path))),
    bob: (await of.get<LedgerPage>('/activity/users/bob/ledger?date=2036-11-20', withKey)).body.lines.length,
    received: await of.service.receivedCounts('ann'),
  });
  expect(await seen(app)).toEqual(await seen(twin));
  for (const [of, name] of [
    [app, old],
    [twin, 'ann'],
  ] as const) {
    // What they gave the one is taken back from the other.
    await of.record({ userId: 'cho', action: 'praise', subject: 'o', ownerId: name, revoke: true });
  }
  expect(await seen(app)).toEqual(await seen(twin));
  const late = await app.record({ userId: old, action: 'view', subject: '9' });
  expect(late.body.results).toMatchObject([{ outcome: 'rejected' }]);
  expect((await app.nest.get(BoardAudits).verify({})).differences).toBe(0);
  // What others gave comes from their heirs then, in place of what it was.
  for (const one of [app, twin]) await mergeUsers(one, { from: 'cho', into: 'dan' });
  expect(await seen(app)).toEqual(await seen(twin));
});

it.each([
  ['praise', 'old', 's', 0],
  ['praise', 'ann', 's', 0],
  ['sale', 'old', 's', 0],
  ['praise', 'old', 't', 2],
  ['praise', 'ann', 't', 2],
])('a revoke of %s by id, of %s for s, that came first leaves for %s %d', async (action, userId, subject, left) => {
  const app = await start();
  const at = (ms: number) => ({ action, subject, id: 'i1', occurredAt: new Date(noonMs + ms) });
  await app.record({ userId, ...at(5), subject: 's', revoke: true });
  if (userId === 'ann') await app.record({ userId: 'old', ...at(1) });
  await mergeUsers(app, { from: 'old', into: 'ann' });
  await app.record({ userId: 'ann', ...at(2) });
  expect([await app.score('ann', 'month'), await app.differences()]).toEqual([left, []]);
});

it.each([
  ['praise', 10, 25],
  ['tip', 15, 0],
  ['follow', 4, 0],
  ['sale', 35, 0],
])('of an id that both used for the same on different days, one %s counts', async (action, points, gift) => {
  const app = await start();
  const done = (userId: string, id: string, days: number, subject = 's') =>
    app.record({ userId, id, action, subject, ownerId: 'bob', occurredAt: new Date(noonMs - days * dayMs) });
  await Promise.all([done('old', 'i1', 3), done('ann', 'i1', 0), done('ann', 'i2', 8), done('old', 'i3', 5)]);
  await Promise.all([done('ann', 'i4', 10), done('old', 'i4', 6, 't')]);
  await mergeUsers(app, { from: 'old', into: 'ann' });
  expect([await app.score('ann', 'month'), await app.score('bob', 'month')]).toEqual([points, gift]);
  expect(await app.differences()).toEqual([]);
});

it('what an owner kept of what was voided is kept once, also if the other gives it again', async () => {
  const clock = new ManualClock(noonMs);
  const [app, reviews] = await start(clock).then((one) => [one, one.nest.get(Reviews)] as const);
  const praise = (userId: string) => app.record({ userId, action: 'praise', subject: 'b', ownerId: 'bob' });
  const points = async () => [await app.score('bob', 'month'), await app.score('ann', 'month')];
  await praise('old');
  const { id } = await reviews.hold({ userId: 'old', reason: 'odd', from: new Date(noonMs - 1).toISOString() });
  await reviews.void(id, { keepsGifts: true });
  await mergeUsers(app, { from: 'old', into: 'ann' });
  expect(await points()).toEqual([5, 0]);
  clock.advance(1_000);
  await praise('ann');
  expect([await points(), await app.differences()]).toEqual([[5, 2], []]);
});

it('a merge that waits goes on when nothing stands in its way any more, and nothing is lost meanwhile', async () => {
  const app = await start();
  await app.record(...['a', 'b', 'c'].map((userId) => ({ userId, action: 'view', subject: userId })));
  const { merging } = app.nest.get(Ledgers).main;
  jest.spyOn(merging, 'merge').mockRejectedValueOnce(new Error('Connection is closed.'));
  const ask = (from = 'a', into = 'b') => app.post<MergeReceipt>('/activity/merges', { from, into }, withKey);
  const { body } = await ask();
  expect(body).toMatchObject({ state: 'waiting', fault: 'Error' });
  for (const pair of ['bc', 'ca', 'ac']) expect((await ask(pair[0], pair[1])).status).toBe(409);
  const receipt = async () => (await app.get<MergeReceipt>(`/activity/merge-receipts/${body.id}`, withKey)).body;
  await app.nest.get(Exclusions).exclude('a');
  await waitUntil(async () => (await receipt()).fault === 'unmergeable');
  await app.nest.get(Exclusions).include('a');
  // An instance erases somebody: the account may name them.
  const lease = `{${app.prefix}}:jobs:erasures:lease`;
  await own.client.set(lease, '0');
  expect((await ask()).body.state).toBe('waiting');
  await own.client.del(lease);
  await waitUntil(async () => (await receipt()).state === 'done');
  // Of two at once, either way round, the later one finds the other.
  const both = await Promise.all([ask('b', 'c'), ask('c', 'b')]);
  expect(both.filter(({ status }) => status === 202)).toHaveLength(1);
  await waitUntil(async () => (await app.page('/ranks/month')).length === 1);
  expect(await app.score(both[0]?.status === 202 ? 'c' : 'b', 'month')).toBe(3);
});

it('an account that was erased while the merge waited is merged no more, nor told, nor one that is being erased', async () => {
  const app = await start();
  await app.record(...['a', 'b', 'c'].map((userId) => ({ userId, action: 'view', subject: userId })));
  const heard: unknown[] = [];
  app.nest.get(EventEmitter2).on(UserMergedEvent.eventName, (event) => heard.push(event));
  const ask = (from: string) => app.post<MergeReceipt>('/activity/merges', { from, into: 'c' }, withKey);
  // Another instance has the lease.
  const lease = `{${app.prefix}}:jobs:erasures:lease`;
  await own.client.set(lease, '0');
  const { body } = await ask('a');
  await app.delete('/activity/users/b');
  expect((await ask('b')).status).toBe(409);
  await app.nest.get(Ledgers).main.erasure.erase('a');
  await own.client.del(lease);
  const receipt = () => app.get<MergeReceipt>(`/activity/merge-receipts/${body.id}`, withKey);
  await waitUntil(async () => (await receipt()).body.state === 'done');
  expect([heard, (await receipt()).body.merged]).toEqual([[], { facts: 0, received: 0, ended: 0 }]);
});

it('a merge is refused that makes no sense, saying why', async () => {
  const app = await start();
  await app.record(...['ann', 'bob', 'zoe', 'ban'].map((userId) => ({ userId, action: 'view', subject: '1' })));
  await app.nest.get(Exclusions).exclude('ban');
  await app.delete('/activity/users/zoe');
  const refused = async (from: string, into: string) => {
    const { status, body } = await app.post<ProblemBody>('/activity/merges', { from, into }, withKey);
    return [status, body.type.split(':').at(-1), body.detail];
  };
  expect(await refused('ann', 'ann')).toEqual([400, 'invalidQuery', 'into must be another user than from']);
  expect(await refused('nobody', 'ann')).toEqual([409, 'unmergeable', 'Nothing is recorded of the user "nobody".']);
  for (const told of [await refused('ban', 'ann'), await refused('ann', 'ban')])
    expect(told.slice(0, 2)).toEqual([409, 'unmergeable']);
  for (const told of [await refused('zoe', 'ann'), await refused('ann', 'zoe')])
    expect(told.slice(0, 2)).toEqual([410, 'erased']);
  expect((await app.get('/activity/merge-receipts/x', withKey)).status).toBe(404);
  expect(await app.page('/ranks/day')).toHaveLength(2);
});
