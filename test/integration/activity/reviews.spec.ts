import { Erasures } from '@laurel/activity';
import type { RankPage, RankStanding, Review } from '@laurel/activity/internals';
import { noonMs, startReviewing } from './support/reviewing';
import { allBoard, withKey } from './support/tiny-app';
import { dayMs } from '../../support/clock';

const praised = { action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 1 }] } as const;
const sale = { action: 'sale', points: 1, revocable: true, once: 'each' } as const;
const giving = { rules: [{ action: 'view', points: 1, revocable: false }, praised, sale] } as const;

describe('the review queue', () => {
  it('holds points back, tells who, when and why, and gives them back at once', async () => {
    const { app, clock, view, record, post } = await startReviewing();
    await record(view('ann', 'a'), view('ann', 'b'), view('bob', 'a'));
    clock.advance(1_000);
    const held = await post('', { userId: 'ann', reason: 'too quick', by: 'eve' });
    const review = { userId: 'ann', state: 'held', reason: 'too quick', heldBy: 'eve' };
    expect(held).toMatchObject({ status: 200, body: { ...review, heldAt: new Date(clock.now()).toISOString() } });
    const { id } = held.body;
    expect((await post('', { userId: 'ann', reason: 'again' })).body).toEqual(held.body);
    expect((await app.get('/activity/exclusions/ann', withKey)).body).toMatchObject({
      excluded: true,
      exclusions: [{ reason: 'held', source: 'review', note: 'too quick', by: 'eve' }],
    });
    await record(view('ann', 'c'));
    for (const path of ['/ranks/day', '/ranks/recent', '/ranks/team?partition=red', '/ranks/views']) {
      expect((await app.get<RankPage>(path)).body.entries.map(({ userId }) => userId)).toEqual(['bob']);
    }
    expect((await app.get<{ reviews: Review[] }>('/activity/reviews', withKey)).body.reviews).toEqual([held.body]);

    clock.advance(1_000);
    const released = await post(`/${id}/release`, { by: 'zoe', note: 'a class of students' });
    const decision = { state: 'released', decidedBy: 'zoe', note: 'a class of students', voided: null };
    expect(released.body).toMatchObject(decision);
    expect((await app.get<RankStanding>('/ranks/day/users/ann')).body.entry).toMatchObject({ rank: 1, score: 3 });
    expect((await app.get<RankStanding>('/ranks/views/users/ann')).body.entry).toMatchObject({ rank: 1, score: 9 });
    expect(await post(`/${id}/release`)).toMatchObject({ status: 200, body: released.body });
    expect(await post(`/${id}/void`)).toMatchObject({ status: 409 });
    expect((await app.get<{ reviews: Review[] }>('/activity/reviews', withKey)).body.reviews).toEqual([]);
    const { body } = await app.get<{ reviews: Review[] }>('/activity/reviews?state=released', withKey);
    expect(body.reviews).toEqual([released.body]);
    expect(await app.differences()).toEqual([]);
  });

  it('voids what was given by rules that have been withdrawn where it counted, and no adjustment', async () => {
    const viewing = { action: 'view', points: 1, revocable: false } as const;
    const praise = { action: 'praise', points: 2, revocable: true } as const;
    const { app, clock, view, record, post } = await startReviewing({
      rules: [viewing, { ...praise, grants: [{ to: 'owner', points: 5 }] }, { ...praise, action: 'collect' }],
      leaderboards: [
        { name: 'month', period: 'month', tallies: ['given:collect', 'received:praise'] },
        { name: 'viewers', period: 'month', actions: ['view'] },
        { name: 'praised', period: 'month', actions: ['praise'] },
      ],
    });
    await record(...['a', 'b', 'c', 'd', 'e'].map((subject) => view('ann', subject)));
    clock.advance(1_000);
    const { body } = await post('', { userId: 'ann', reason: 'a ring' });
    clock.advance(1_000);
    await record(view('ann', 'f', { action: 'collect' }));
    await record({ userId: 'bob', action: 'praise', subject: 'article:1', ownerId: 'ann' });
    await app.post('/activity/adjustments', { userId: 'ann', points: 7, reason: 'a prize', id: 'prize' }, withKey);
    const scores = async () => {
      const found = await Promise.all(
        ['month', 'viewers', 'praised'].map((name) => app.get<RankStanding>(`/ranks/${name}/users/ann`, withKey)),
      );
      return found.map((answer) => answer.body.entry.score);
    };
    expect(await scores()).toEqual([19, 12, 12]);
    expect(await app.post('/activity/rules', { rules: [viewing, praise] }, withKey)).toMatchObject({ status: 200 });
    expect((await post(`/${body.id}/void`)).body).toMatchObject({ voided: { grants: 2, points: 7 } });
    expect(await scores()).toEqual([12, 12, 7]);
    expect(await app.differences()).toEqual([]);
  });

  it('voids what was given since, on every board and in every ledger, gives back the rest, and makes no room', async () => {
    const limits = [{ type: 'daily', action: 'praise', max: 1 }] as const;
    const { app, clock, view, record, post } = await startReviewing({ limits });
    await record(view('ann', 'before'), view('bob', 'a'), view('bob', 'b'));
    clock.advance(1_000);
    const { body } = await post('', { userId: 'ann', reason: 'a ring' });
    clock.advance(1_000);
    await record(view('ann', 'x'), view('ann', 'y'), { ...view('ann', 'p'), action: 'praise' });
    expect((await app.get<RankStanding>('/ranks/month/users/ann', withKey)).body.entry.score).toBe(5);
    const voided = await post(`/${body.id}/void`, { by: 'eve' });
    const taken = { grants: 3, points: 4, removedFrom: [] };
    expect(voided.body).toMatchObject({ state: 'voided', decidedBy: 'eve', voided: taken });
    clock.advance(2_000);
    const { results } = (await record({ ...view('ann', 'q'), action: 'praise' })).body;
    expect(results).toMatchObject([{ outcome: 'limited' }]);
    for (const [path, score] of [
      ['/ranks/day/users/ann', 1],
      ['/ranks/month/users/ann', 1],
      ['/ranks/team/users/ann?partition=red', 1],
      ['/ranks/recent/users/ann', 1],
      ['/ranks/views/users/ann', 3],
    ] as const) {
      expect((await app.get<RankStanding>(path)).body.entry).toMatchObject({ rank: 2, score });
    }
    const history = await app.service.history('ann');
    expect(history.days).toMatchObject([{ points: 1, actions: { view: 1 } }]);
    expect((await post(`/${body.id}/void`)).body).toEqual(voided.body);
    expect(await post(`/${body.id}/release`)).toMatchObject({ status: 409 });
    expect(await app.differences()).toEqual([]);
  });

  it('lets one action wait since a moment, with what owners get, and the rest counts; then gives all of it back', async () => {
    const { app, clock, view, record, post } = await startReviewing(giving);
    const praise = (subject: string) => view('ann', subject, { action: 'praise', ownerId: 'bob' });
    const scores = async () => [await app.score('ann', 'month'), await app.score('bob', 'month')];
    const early = [view('ann', 'x'), praise('before')];
    await record(...early);
    clock.advance(1_000);
    const one = praise('one');
    await record(one);
    const hold = { userId: 'ann', reason: 'a ring', from: new Date(clock.now()).toISOString() };
    const { body } = await post('', { ...hold, action: 'praise' });
    expect(await scores()).toEqual([3, 1]);
    expect((await app.get('/activity/exclusions/ann', withKey)).body).toMatchObject({ excluded: false });
    clock.advance(1_000);
    const late = [praise('late'), view('ann', 'y')];
    const { results } = (await record(...late, one)).body;
    expect(results).toMatchObject([{ reason: 'held' }, { outcome: 'granted' }, { outcome: 'duplicate', points: 0 }]);
    expect([await scores(), await app.differences()]).toEqual([[4, 1], []]);
    await post(`/${body.id}/release`);
    expect(await scores()).toEqual([8, 3]);
    await record(...early, ...late, one);
    expect([await scores(), await app.differences()]).toEqual([[8, 3], []]);
  });

  it('lets single activities wait, which can be cancelled, and voids what is left of them', async () => {
    const { app, clock, view, record, post } = await startReviewing(giving);
    const praise = (subject: string) => view('ann', subject, { action: 'praise', ownerId: 'bob' });
    await record(...['a', 'b', 'c'].map(praise));
    const activities = ['a', 'b'].map((subject) => ({ action: 'praise', subject, occurredAt: new Date(clock.now()) }));
    const { body } = await post('', { userId: 'ann', reason: 'a copy', activities });
    expect([await app.score('ann', 'month'), await app.score('bob', 'month')]).toEqual([2, 1]);
    expect(await app.post('/activity/merges', { from: 'ann', into: 'bob' }, withKey)).toMatchObject({ status: 409 });
    clock.advance(1_000);
    await record({ ...praise('a'), revoke: true });
    const { voided } = (await post(`/${body.id}/void`)).body;
    expect(voided).toMatchObject({ grants: 1, points: 2, removedFrom: [], gifts: { grants: 1, points: 1 } });
    await record(...['a', 'b'].map((subject) => ({ ...praise(subject), occurredAt: activities[0]?.occurredAt })));
    expect([await app.score('ann', 'month'), await app.score('bob', 'month')]).toEqual([2, 1]);
    await record(praise('d'));
    expect([await app.score('ann', 'month'), await app.differences()]).toEqual([4, []]);
  });

  it.each([true, false])('voids what waits, and owners keep what they had of it: %s', async (keepsGifts) => {
    const { app, clock, view, record, post } = await startReviewing(giving);
    const praises = ['a', 'b'].map((subject) => view('ann', subject, { action: 'praise', ownerId: 'bob' }));
    await record(...praises);
    const { body } = await post('', { userId: 'ann', reason: 'a ring', action: 'praise', from: new Date(noonMs) });
    clock.advance(1_000);
    const { voided } = (await post(`/${body.id}/void`, { keepsGifts })).body;
    expect(voided?.gifts?.losses).toEqual(keepsGifts ? undefined : [{ userId: 'bob', grants: 2, points: 2 }]);
    await record(...praises);
    const scores = [await app.score('ann', 'month'), await app.score('bob', 'month')];
    expect([scores, await app.differences()]).toEqual([[0, keepsGifts ? 2 : 0], []]);
  });

  it('lets what is about a user wait, also once that user was erased, and gives it back', async () => {
    const follow = { action: 'follow', points: 2, revocable: true, once: 'ever' } as const;
    const { app, view, record, post } = await startReviewing({ rules: [...giving.rules, follow] });
    const about = { subject: 'user:bob', occurredAt: new Date(noonMs) };
    const activities = ['follow', 'praise'].map((action) => ({ action, ...about }));
    await record(...activities.map((one) => view('ann', '', one)), view('ann', 'x'));
    const { body } = await post('', { userId: 'ann', reason: 'a copy', activities });
    await app.nest.get(Erasures).erase('bob');
    expect([await app.score('ann', 'month'), await app.differences()]).toEqual([1, []]);
    await post(`/${body.id}/release`);
    expect([await app.score('ann', 'month'), await app.differences()]).toEqual([5, []]);
  });

  it('voids also what comes to count once another grant is gone', async () => {
    const weekly = { action: 'praise', points: 4, revocable: true, once: { days: 7 } } as const;
    const options = { rules: [giving.rules[0], weekly], leaderboards: [allBoard] };
    const { app, clock, view, record, post } = await startReviewing(options);
    const at = [1, 0].map((days) => new Date(noonMs - days * dayMs));
    await record(...at.map((occurredAt) => view('ann', 'a', { action: 'praise', occurredAt })));
    clock.advance(1_000);
    const { body } = await post('', { userId: 'ann', reason: 'a ring', from: at[0] });
    expect((await post(`/${body.id}/void`)).body.voided).toMatchObject({ grants: 1, points: 4 });
    expect([await app.score('ann', 'all'), await app.differences()]).toEqual([0, []]);
  });

  it('voids points on the partitions on which they count, wherever else the user stands', async () => {
    const { app, clock, view, record, post } = await startReviewing();
    const blue = { partitions: { team: 'blue' } };
    await record(view('ann', 'red-before'), view('ann', 'blue-before', blue));
    clock.advance(1_000);
    const { body } = await post('', { userId: 'ann', reason: 'a ring' });
    clock.advance(1_000);
    await record(view('ann', 'red-1'), view('ann', 'red-2'), view('ann', 'blue-1', blue));
    await record(view('ann', 'elsewhere', { partitions: {} }), { ...view('ann', 'blue-2', blue), action: 'praise' });
    const scores = async () => {
      const paths = ['month/users/ann', 'team/users/ann?partition=red', 'team/users/ann?partition=blue'];
      const found = await Promise.all(paths.map((path) => app.get<RankStanding>(`/ranks/${path}`, withKey)));
      return found.map((answer) => answer.body.entry.score);
    };
    expect(await scores()).toEqual([8, 3, 4]);
    expect((await post(`/${body.id}/void`)).body).toMatchObject({ voided: { grants: 5, points: 6 } });
    expect(await scores()).toEqual([2, 1, 1]);
  });

  it('voids points in question from before the hold, and takes the user off final standings', async () => {
    const { app, clock, view, record, post } = await startReviewing();
    clock.set(noonMs - 2 * dayMs);
    const from = new Date(clock.now() - 1_000).toISOString();
    const publish = () => view('ann', 'article:1', { action: 'publish' });
    await record(view('ann', 'old'), view('bob', 'old'), publish());
    const closed = from.slice(0, 10);
    clock.set(noonMs);
    await record(view('ann', 'new'), view('bob', 'new'), { ...publish(), revoke: true });
    clock.advance(1);
    await record(publish());
    const { body } = await post('', { userId: 'ann', reason: 'a ring', from });
    const voided = await post(`/${body.id}/void`);
    const removed = (voided.body.voided?.removedFrom ?? []).filter((label) => label.startsWith('day '));
    expect(removed).toEqual([`day ${closed}`]);
    expect((await app.get<RankPage>(`/ranks/day?period=${closed}`)).body.entries).toMatchObject([{ userId: 'bob' }]);
    expect((await app.get<RankStanding>('/ranks/day/users/ann')).body.entry).toMatchObject({ rank: null, score: 0 });
    expect(await app.differences()).toEqual([]);
  });

  it('is decided once by concurrent decisions', async () => {
    const { app, view, record, post } = await startReviewing();
    await record(view('ann', 'a'));
    const { body } = await post('', { userId: 'ann', reason: 'unsure', from: new Date(noonMs - 1_000).toISOString() });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => post(`/${body.id}/${i % 2 ? 'void' : 'release'}`)),
    );
    const states = new Set(answers.filter(({ status }) => status === 200).map(({ body: { state } }) => state));
    expect(states.size).toBe(1);
    const isVoided = states.has('voided');
    expect((await app.get<RankStanding>('/ranks/day/users/ann')).body.entry.score).toBe(isVoided ? 0 : 1);
  });

  it('leaves off the boards whom an operator has banned as well', async () => {
    const { app, view, record, post } = await startReviewing();
    await record(view('ann', 'a'));
    const { body } = await post('', { userId: 'ann', reason: 'unsure' });
    await app.send('/activity/exclusions/ann', { method: 'PUT', headers: withKey });
    await post(`/${body.id}/release`);
    expect((await app.get<RankPage>('/ranks/day')).body.total).toBe(0);
    await app.send('/activity/exclusions/ann', { method: 'DELETE', headers: withKey });
    expect((await app.get<RankPage>('/ranks/day')).body.total).toBe(1);
  });

  it('says what is wrong, and needs the key', async () => {
    const { app, post } = await startReviewing(giving);
    const [ann, occurredAt] = [{ userId: 'ann', reason: 'x' }, new Date(noonMs)];
    expect((await app.post('/activity/reviews', ann)).status).toBe(401);
    const sold = { action: 'sale', subject: 's', occurredAt };
    const whole = [{ userId: '' }, { reason: '' }, { from: 'soon' }, { action: 'dance' }, { action: 7 }];
    const unfit = [...whole, { activities: [] }, { activities: [sold] }].map((one) => ({ ...ann, ...one }));
    for (const one of [{}, { userId: 'ann' }, ...unfit]) expect((await post('', one)).status).toBe(400);
    expect((await post('/nobody/release')).status).toBe(404);
    expect((await app.get('/activity/reviews?state=open', withKey)).status).toBe(400);
  });
});
