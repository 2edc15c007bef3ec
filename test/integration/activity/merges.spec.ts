import { Exclusions, SettlementService } from '@laurel/activity';
import { type Adjusted, type LedgerPage, Ledgers, type MergeReceipt } from '@laurel/activity/internals';
import { UserErasedEvent, UserMergedEvent } from '@laurel/activity/moderation';
import { BoardAudits } from '@laurel/reports';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { ownRedis } from '../../support/own-servers';
import { dayMs, ManualClock, mentions, type ProblemBody, TinyApp, waitUntil, withKey } from './support';
import { mergeUsers } from './support/merge-users';

const noonMs = Date.parse('2036-11-20T12:00:00Z');
/** What is left of an account is looked for in every key. */
const own = ownRedis();

/** A user nobody would call so, whom fields name by a digest. */
const old = 'old:{lr:1-0}:*[a-z]?\\:\n💥" by a digest';

const start = (clock: ManualClock) =>
  TinyApp.start({
    options: {
      ...{ redis: { url: own.servers.url }, clock, shards: 3, firstDays: true, retentionMs: { ledger: null } },
      rules: [
        { action: 'view', points: 1, revocable: false, code: 'v' },
        { action: 'praise', points: 2, revocable: true, ownSubject: 'ignore', grants: [{ to: 'owner', points: 5 }] },
        { action: 'follow', points: 2, revocable: true, once: 'ever', ownSubject: 'ignore' },
        { action: 'hail', points: 1, revocable: true, once: { days: 3 }, grants: [{ to: 'owner', points: 100 }] },
        { action: 'sale', points: 7, revocable: true, once: 'each' },
      ],
      limits: [{ type: 'daily', action: 'view', max: 3 }],
      leaderboards: [
        { name: 'day', period: 'day', tallies: ['received:praise'] },
        { name: 'month', period: 'month' },
        { name: 'team', period: 'month', partition: 'team' },
      ],
    },
  });

/** What was done on two days, where one account is called so: of itself, by others, and among the two. */
const done = (name: string, atMs: number) => {
  const praise = (userId: string, subject: string, ownerId: string, action = 'praise') => ({
    ...{ userId, action, subject, ownerId, occurredAt: new Date(atMs) },
  });
  const view = (userId: string, subject: string, partitions = {}) => ({
    ...{ userId, action: 'view', subject, partitions, occurredAt: new Date(atMs + Number(subject)) },
  });
  return [
    ...[view('ann', '1'), view(name, '1'), view('ann', '2'), view(name, '3', { team: 'red' }), view(name, '4')],
    ...[praise(name, 'b', 'bob'), praise('ann', 'b', 'bob'), praise(name, 'c', 'bob')],
    ...[praise('bob', 'o', name), praise('cho', 'o', name), praise('ann', 'o', name)],
    ...[praise('bob', `user:${name}`, name), praise('cho', `user:${name}`, name)],
    ...[praise('cho', 'a', 'ann'), praise(name, 'a', 'ann'), praise('eve', `user:${name}`, name, 'hail')],
    { userId: name, action: 'follow', subject: 'user:ann', occurredAt: new Date(atMs) },
    { userId: name, action: 'follow', subject: 'user:bob', occurredAt: new Date(atMs) },
  ];
};

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
    await app.record(...done(old, ms));
    await twin.record(...done('ann', ms));
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

it.each(['praise', 'sale'])('a revoke of %s by id that came first ends the grant that comes later', async (action) => {
  const app = await start(new ManualClock(noonMs));
  const at = (ms: number) => ({ action, subject: 's', id: 'i1', occurredAt: new Date(noonMs + ms) });
  await app.record({ userId: 'old', ...at(5), revoke: true });
  await mergeUsers(app, { from: 'old', into: 'ann' });
  expect((await app.record({ userId: 'ann', ...at(2) })).body.results).toMatchObject([{ outcome: 'notGranted' }]);
  expect([await app.score('ann', 'month'), await app.differences()]).toEqual([0, []]);
});

it('a merge that waits goes on when nothing stands in its way any more, and nothing is lost meanwhile', async () => {
  const app = await start(new ManualClock(noonMs));
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
  await mergeUsers(app, { from: 'b', into: 'c' });
  expect(await app.page('/ranks/month')).toEqual([[1, 'c', 3]]);
});

it('a merge is refused that makes no sense, saying why', async () => {
  const app = await start(new ManualClock(noonMs));
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
