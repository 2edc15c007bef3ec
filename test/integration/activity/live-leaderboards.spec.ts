import fc from 'fast-check';
import { type LeaderboardConfig, LiveLeaderboards, type Rule } from '@laurel/activity';
import { Ledgers, type RankPage, type RankPeriods } from '@laurel/activity/internals';
import { BoardAudits } from '@laurel/reports';
import { EventStream } from '../../support/event-stream';
import { freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { runCli } from '../../support/run-cli';
import { sampled } from '../../support/sampled';
import { seed } from '../../support/seed';
import { put } from './support/rules-apps';
import { dayMs, ManualClock, oneTinyApp, type ProblemBody, TinyApp, waitUntil, withKey } from './support';

const contest = { from: '2036-09-01', to: '2036-11-30' };
const rules: readonly Rule[] = [
  { action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 1 }] },
  { action: 'publish', points: 10, revocable: true, once: 'ever' },
  { action: 'dance', points: 1, revocable: true },
];
/** A contest that is there from the start, and one of days and months. */
const leaderboards: readonly LeaderboardConfig[] = [
  { name: 'month', period: 'month', actions: ['praise', 'publish'] },
  { name: 'whole', contest, actions: ['praise', 'publish'] },
];

interface Live {
  readonly name: string;
  readonly since: string;
  readonly endedAt: string | null;
  readonly without: readonly string[];
  readonly filledAt: string | null;
}
type Answer = { readonly leaderboards: readonly Live[] } & ProblemBody;

const begin = (app: TinyApp, body: unknown) => app.post<Answer>('/activity/leaderboards', body, withKey);
const live = async (app: TinyApp, name: string) => {
  const { body } = await app.get<Answer>('/activity/leaderboards', withKey);
  return body.leaderboards.find((one) => one.name === name);
};
const filled = (app: TinyApp, name: string) =>
  waitUntil(async () => [await live(app, name)].find((one) => one?.filledAt), { what: `the filling of ${name}` });
const standings = async (app: TinyApp, path: string) =>
  (await app.get<{ entries: object[] }>(`/ranks/${path}`, withKey)).body.entries;

/** Two instances on the same data, and their clock. */
async function start(options: object = {}) {
  const clock = new ManualClock('2036-09-10T08:00:00Z');
  const given = { options: { prefix: freshPrefix(), clock, rules, leaderboards, latenessMs: 90 * dayMs, ...options } };
  const another = (more = {}) => TinyApp.start({ options: { ...given.options, ...more } });
  return { clock, one: await another(), two: await another(), another };
}

describe('a leaderboard that begins while the app runs', () => {
  it('is on every instance, and filled from earlier days, packed ones included, as if it had been there', async () => {
    const { clock, one, two, another } = await start();
    const praise = (userId: string, subject: string) => ({ userId, action: 'praise', subject, ownerId: 'eve' });
    await one.record(praise('ann', '1'), praise('bob', '1'), { userId: 'ann', action: 'publish', subject: 'a' });
    await one.record({ ...praise('dan', '1') });
    await one.send('/activity/exclusions/dan', { method: 'PUT', headers: withKey });
    clock.advance(60 * dayMs);
    await one.record(praise('ann', '2'));
    expect(await one.nest.get(Ledgers).main.pack()).toBeGreaterThan(3);
    clock.advance(2 * dayMs);
    const { status, body } = await begin(one, { name: 'late', contest, actions: ['publish', 'praise'] });
    expect([status, body]).toMatchObject([200, { leaderboards: [{ name: 'late', endedAt: null, without: [] }] }]);
    const postedAt = performance.now();
    await waitUntil(async () => (await two.get('/ranks/late')).status === 200);
    expect(performance.now() - postedAt).toBeLessThan(3_000);
    // Ends what was not filled yet.
    await two.service.apply([{ userId: 'bob', action: 'praise', subject: '1', revoke: true }]);
    const [, late] = [await two.record(praise('cid', '2')), await filled(two, 'late')];
    expect(late).toMatchObject({ periods: [{ period: '2036-09-01--2036-11-30', from: '2036-09-01' }] });
    const whole = await standings(one, 'whole');
    expect(whole.map((entry) => (entry as { userId: string }).userId)).toEqual(['ann', 'eve', 'cid']);
    expect(await standings(two, 'late')).toEqual(whole);
    expect(await one.differences()).toEqual([]);
    // An instance that starts has it at once.
    const third = await another();
    await third.record(praise('cid', '3'));
    expect(await standings(third, 'late')).toEqual(await standings(one, 'whole'));
  });

  it.each([1, 8])(
    'equals one that was there from the start, whatever was done before and meanwhile, on %d shards',
    async (shards) => {
      const where = [{ partition: 'sort', only: ['a', 'b', 'c'], except: ['c'] }];
      const [month, whole] = leaderboards;
      const parted = { contest, partition: 'sort', tallies: ['given:praise', 'received:praise'] };
      const parts = { name: 'parts', ...parted, actions: ['publish', 'praise'] };
      const { clock, one, two } = await start({ shards, leaderboards: [month, { ...whole, where }, parts] });
      const nowMs = Date.parse('2036-11-20T08:00:00Z');
      const done = fc.record({
        userId: fc.constantFrom('ann', 'bob', 'cid', 'dan', 'eve'),
        action: fc.constantFrom('praise', 'praise', 'publish'),
        subject: fc.constantFrom('a', 'b', 'c', 'd'),
        ownerId: fc.constantFrom(null, 'eve', 'fay'),
        daysAgo: fc.integer({ min: 0, max: 95 }),
        revoke: fc.constantFrom(false, false, false, true),
      });
      const [count, taken] = [sampled({ sample: 400, full: 4_000 }), sampled({ sample: 150, full: 3_000 })];
      const drawn = fc.sample(done, { numRuns: count, seed });
      const set = drawn.map(({ daysAgo, ...one }, i) => ({
        ...one,
        occurredAt: new Date(nowMs - daysAgo * dayMs + i),
        ...(one.subject !== 'd' && { partitions: { sort: one.subject } }),
      }));
      clock.set(nowMs);
      const record = async (from: number, to: number) => {
        for (let i = from; i < to; i += 10)
          await (i % 20 === 0 ? one : two).service.apply(set.slice(i, Math.min(to, i + 10)));
      };
      await record(0, taken);
      await one.nest.get(Ledgers).main.pack();
      const unknown = await begin(two, { name: 'late', contest, where: [{ partition: 'kind', only: ['a'] }] });
      expect(unknown.body.errors).toEqual([
        { path: 'where', message: 'must name keys by which another leaderboard counts: sort' },
      ]);
      await begin(two, { name: 'late', contest, where, actions: ['publish', 'praise'] });
      await begin(one, { ...parts, name: 'late-parts' });
      let at = taken;
      const recorded = async () => {
        while (at < count) await record(at, (at = Math.min(count, at + 10)));
      };
      const both = Promise.all([filled(one, 'late'), filled(one, 'late-parts')]);
      await Promise.all([both.then(() => (at = count)), recorded()]);
      expect(await standings(two, 'late')).toEqual(await standings(one, 'whole'));
      const { main } = one.nest.get(Ledgers);
      for (const part of ['a', 'b', 'c']) {
        const path = `parts?partition=${part}`;
        expect(await standings(two, `late-${path}`)).toEqual(await standings(one, path));
        for (const tally of ['g.praise', 'r.praise']) {
          const top = (of: string) => main.board(`${of}.${tally}`, main.periods.of(of), part).top(100);
          expect((await top('parts')).length).toBeGreaterThan(0);
          expect(await top('late-parts')).toEqual(await top('parts'));
        }
      }
      expect(await one.differences()).toEqual([]);
      const moved = await begin(one, { ...parts, name: 'late-parts', partition: 'kind' });
      expect(moved.body.errors).toMatchObject([{ path: 'partition' }]);
    },
  );

  it('has what it is begun with, and is filled anew where that changes, by another instance if one dies', async () => {
    const { one, two, another } = await start();
    const did = { userId: 'ann', action: 'praise', subject: '1' };
    await one.record(did, { ...did, userId: 'bob', action: 'publish' });
    const lease = `{${one.prefix}}:leaderboards:filling`;
    await testRedis().set(lease, 'of one that died', 'PX', 8_000);
    const { body } = await begin(one, { name: 'some', period: 'week', actions: ['publish', 'dance'], floor: null });
    // What counted nowhere is in no ledger.
    expect(body.leaderboards).toMatchObject([{ name: 'some', without: ['dance'], filledAt: null }]);
    await begin(two, { name: 'seven', rolling: { days: 7 } });
    await filled(one, 'some');
    expect(await testRedis().get(lease)).not.toBe('of one that died');
    for (const app of [one, await another({ weekStart: 'sunday' })])
      expect(await app.page('/ranks/some')).toEqual([[1, 'bob', 10]]);
    const both = [
      [1, 'bob', 10],
      [2, 'ann', 2],
    ];
    expect(await one.page('/ranks/seven')).toEqual(both);
    const { since } = (await live(one, 'some')) as Live;
    const again = await begin(one, { name: 'some', period: 'week', actions: ['publish', 'dance'] });
    expect(again.body.leaderboards).toMatchObject([{ since, filledAt: expect.any(String) as string }, {}]);
    await begin(one, { name: 'some', contest });
    expect((await live(one, 'some'))?.filledAt).toBeNull();
    await filled(one, 'some');
    expect(await one.page('/ranks/some')).toEqual(both);
    expect(await one.differences()).toEqual([]);
  });

  it('is read and streamed as it is cut now, by keys too that it had before', async () => {
    const clock = new ManualClock('2036-09-10T08:00:00Z');
    const app = await TinyApp.start({ options: { clock, rules, leaderboards, streams: { everyMs: 100 } } });
    await begin(app, { name: 'days', rolling: { days: 2, refreshMs: 100 } });
    await app.record({ userId: 'ann', action: 'praise', subject: '1' });
    clock.advance(3 * dayMs);
    await app.record({ userId: 'bob', action: 'publish', subject: '1' });
    const days = ['/ranks/days', '/ranks/days?period=2036-09-13'];
    const isOf = async (...lines: [number, string, number][]) => {
      for (const path of days) expect(await app.page(path)).toEqual(lines);
      expect((await app.get('/ranks/days?period=previous')).status).toBe(200);
    };
    const stream = await EventStream.open(`${await app.nest.getUrl()}/ranks/days/stream`);
    expect((await stream.next<RankPage>('standings')).data.entries).toHaveLength(1);
    await isOf([1, 'bob', 10]);
    await begin(app, { name: 'days', rolling: { days: 7, refreshMs: 100 } });
    await isOf([1, 'bob', 10], [2, 'ann', 2]);
    expect((await stream.next<RankPage>('standings', 1)).data.entries).toHaveLength(2);
  });

  it('counts what a rule gives owners that names it since', async () => {
    const { one, two } = await start();
    const praise = (subject: string) => one.record({ userId: 'ann', action: 'praise', subject, ownerId: 'eve' });
    await praise('1');
    await begin(one, { name: 'authors', period: 'month', actions: [] });
    const named = { ...rules[0], grants: [{ to: 'owner', points: 1, leaderboards: ['authors'] }] };
    expect((await put(one, { rules: [named, ...rules.slice(1)] })).status).toBe(200);
    await praise('2');
    await filled(one, 'authors');
    // Another instance may read the rules before the leaderboards.
    await waitUntil(async () => (await two.get<{ revision: number }>('/activity/rules', withKey)).body.revision === 1);
    expect(await one.page('/ranks/authors')).toEqual([[1, 'eve', 2]]);
    // What it gave elsewhere is taken from there by a rebuild.
    await one.nest.get(BoardAudits).rebuild();
    expect(await one.page('/ranks/whole')).toEqual([[1, 'ann', 4]]);
    expect(await one.differences()).toEqual([]);
  });

  it("is known to operators' commands, and who began it is noted", async () => {
    const app = await TinyApp.start();
    // A name that every object has.
    expect((await begin(app, { name: 'constructor', period: 'month' })).status).toBe(200);
    await app.record({ userId: 'ann', action: 'praise', subject: '1' });
    const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: app.prefix };
    const told = await runCli(['verify', '--leaderboard', 'constructor'], { env });
    expect(told).toMatchObject({ exitCode: 0, out: expect.stringMatching(/1 entries.*0 differences/) as string });
    const { body } = await app.get<{ operations: object[] }>('/activity/operations', withKey);
    const did = 'POST /activity/leaderboards';
    expect(body.operations).toMatchObject([{ key: 'api-key', did, about: 'constructor' }]);
  });

  it('names the first day whose ledgers are there, and has days that are open again for longer', async () => {
    const { clock, one } = await start({ retentionMs: { ledger: 20 * dayMs, contest: null } });
    await one.record({ userId: 'ann', action: 'praise', subject: '1' });
    clock.advance(30 * dayMs);
    await one.record({ userId: 'ann', action: 'praise', subject: '1' });
    await testRedis().del(await testRedis().keys(`{${one.prefix}:*}:ledger:20360910:*`));
    await begin(one, { name: 'late', contest });
    expect(await filled(one, 'late')).toMatchObject({ periods: [{ from: '2036-09-20' }] });
    expect([await one.score('ann', 'late'), await one.score('ann', 'whole')]).toEqual([2, 4]);
    clock.advance(dayMs);
    for (const late of [{ latenessMs: 0 }, {}]) {
      await begin(one, { name: 'days', period: 'day', ...late });
      await filled(one, 'days');
    }
    expect(await one.page('/ranks/days?period=previous')).toEqual([[1, 'ann', 2]]);
  });

  it('takes no more points once it is ended, and is settled as any other', async () => {
    const { clock, one, two } = await start({ settlement: { everyMs: 100 } });
    await one.record({ userId: 'ann', action: 'praise', subject: '1' });
    await begin(one, { name: 'soon', contest });
    await begin(one, { name: 'never', contest: { from: '2037-01-01', to: '2037-01-02' } });
    await begin(one, { name: 'ever', period: 'all', actions: ['praise', 'dance'] });
    await filled(one, 'ever');
    clock.advance(1_000);
    for (const name of ['never', 'ever']) await one.delete(`/activity/leaderboards/${name}`);
    expect((await one.get<RankPage>('/ranks/ever')).body.period.state).toBe('settled');
    expect((await one.get('/ranks/never')).status).toBe(404);
    const { status, body } = await one.delete<Answer>('/activity/leaderboards/soon');
    const endedAt = new Date(clock.now()).toISOString();
    expect([status, body]).toMatchObject([200, { leaderboards: [{ endedAt }, { endedAt }] }]);
    await waitUntil(async () => (await live(two, 'soon'))?.endedAt);
    for (const app of [one, two])
      await app.record({ userId: 'ann', action: 'praise', subject: app === one ? '2' : '3' });
    expect([await one.score('ann', 'whole'), await one.score('ann', 'soon')]).toEqual([6, 2]);
    const listed = async () => (await two.get<RankPeriods>('/ranks/soon/periods')).body.periods;
    await waitUntil(async () => (await listed())[0]?.state === 'settled', { what: 'the settlement' });
    expect(await listed()).toMatchObject([{ key: '2036-09-01--2036-11-30', total: 1 }]);
    expect(await one.differences()).toEqual([]);
    expect((await begin(one, { name: 'soon', contest })).body.errors).toMatchObject([{ path: 'name' }]);
    // What it counted needs no rule any more.
    expect((await put(one, { rules: rules.slice(0, 2) })).status).toBe(200);
    const gone = await one.delete<ProblemBody>('/activity/leaderboards/never');
    expect([gone.status, gone.body.type]).toEqual([404, 'urn:laurel:problem:unknownLeaderboard']);
  });

  describe('is refused, with the path of each fault and what is allowed,', () => {
    const clock = new ManualClock('2036-11-20T08:00:00Z');
    const app = oneTinyApp(() => ({ options: { clock, rules, leaderboards } }));
    it.each([
      ['a name in use', { name: 'whole', contest }, 'name', /options have a leaderboard of this name/],
      ['a bad name', { name: 'A b', contest }, 'name', /1 to 32 of a-z/],
      ['no name', { contest }, 'name', /1 to 32/],
      ['reversed days', { name: 'x', contest: { from: contest.to, to: contest.from } }, 'contest', /before it begins/],
      ['past days', { name: 'x', contest: { ...contest, to: '2036-11-19' } }, 'contest.to', /must be 2036-11-20 or/],
      ['no period', { name: 'x' }, 'body', /give one of "period", "contest", "seasons" and "rolling"/],
      ['an unknown action', { name: 'x', contest, actions: ['sing'] }, 'actions.0', /praise, publish, dance/],
      ['an unknown property', { name: 'x', contest, prize: 1 }, 'prize', /not a known property/],
      ['a list of who sees it', { name: 'x', contest, visibility: ['all'] }, 'visibility', /must be "all",/],
      ['another zone', { name: 'x', contest, timezone: 'Asia/Shanghai' }, 'timezone', /leave it out/],
      ['points of its own', { name: 'x', contest, points: { praise: 9 } }, 'points', /leave it out/],
      ['no object', [1], 'body', /an object/],
    ])('%s', async (_, body, path, message) => {
      const { status, body: problem } = await begin(app(), body);
      expect([status, problem.type]).toEqual([400, 'urn:laurel:problem:invalidLeaderboard']);
      expect(problem.errors).toMatchObject([{ path, message: expect.stringMatching(message) as string }]);
    });

    it('more than 32 at once, but for contests that are over, what its rules still name, and who sees it by a function', async () => {
      const begun = app()
        .nest.get(LiveLeaderboards)
        .begin({ name: 'x', contest, visibility: () => true });
      await expect(begun).rejects.toMatchObject({ faults: [{ path: 'visibility' }] });
      await begin(app(), { name: 'today', contest: { from: '2036-11-20', to: '2036-11-20' } });
      for (let i = 4; i <= 32; i += 1) expect((await begin(app(), { name: `n${i}`, period: 'day' })).status).toBe(200);
      expect((await begin(app(), { name: 'n33', period: 'day' })).body.errors).toMatchObject([{ path: 'name' }]);
      const named = { ...rules[0], grants: [{ to: 'owner', points: 1, leaderboards: ['n5'] }] };
      expect((await put(app(), { rules: [named, ...rules.slice(1)] })).status).toBe(200);
      const { body } = await app().delete<ProblemBody>('/activity/leaderboards/n5');
      expect(body.errors).toMatchObject([{ path: 'rules.0.grants.0.leaderboards' }]);
      expect((await app().delete('/activity/leaderboards/n4')).status).toBe(200);
      expect((await begin(app(), { name: 'n33', period: 'day' })).status).toBe(200);
      clock.advance(dayMs);
      expect((await begin(app(), { name: 'n34', period: 'day' })).status).toBe(200);
      expect((await app().get('/activity/leaderboards')).status).toBe(401);
    });
  });
});
