import { EventEmitter2 } from '@nestjs/event-emitter';
import { type ActivityHistory, defineLimit, LedgerService, type LimitConfig, type Rule } from '@laurel/activity';
import { appsOfOnePrefix, inForce, praise, put, type Rules, rulesWith, worth } from './support/rules-apps';
import { dayBoard, ManualClock, oneTinyApp, platforms, type ProblemBody, TinyApp, waitUntil, withKey } from './support';

const share: Rule = { action: 'share', points: 4, revocable: false };
/** Ledgers that are gone after a month. */
const retentionMs = { ledger: 31 * 86_400_000 };
const daily: LimitConfig = { type: 'daily', action: 'praise', max: 1 };

const start = appsOfOnePrefix();
describe.each(platforms)('rules on %s', (platform) => {
  /** For tests that change nothing. */
  const unchanged = oneTinyApp({ platform, options: rulesWith(2) });
  const startOn = () => TinyApp.start({ platform, options: rulesWith(2) });

  it('are told, replaced, and withdrawn', async () => {
    const app = await startOn();
    const first = await inForce(app);
    expect(first).toMatchObject({ version: 1, revision: 0, source: 'options', limits: [], refused: null });
    expect(first.rules).toEqual([
      {
        action: 'praise',
        points: 2,
        revocable: true,
        days: 1,
        ownSubject: 'count',
        ...{ where: [], grants: [], during: [] },
        code: 'praise',
      },
    ]);
    const document = { ...rulesWith(5, share), limits: [{ ...daily, max: 2 }] };
    const { status, body } = await put(app, document);
    expect(status).toBe(200);
    expect(body).toMatchObject({ version: 2, revision: 1, source: 'posted', limits: [{ max: 2 }] });
    expect(body.changes).toMatchObject([
      { kind: 'rule', name: 'praise', before: { points: 2 }, after: { points: 5 } },
      { kind: 'rule', name: 'share', before: null, after: { points: 4 } },
      { kind: 'limit', name: 'praise-daily', before: null, after: { max: 2 } },
    ]);
    const told = await inForce(app);
    expect(told).toMatchObject({ version: 2, revision: 1, since: body.since, rules: body.rules });
    expect(await worth(app, { userId: 'ada', action: 'share', subject: '1' })).toBe(4);

    const withdrawn = await app.send<Rules>('/activity/rules', { method: 'DELETE', headers: withKey });
    expect(withdrawn.body).toMatchObject({ version: 1, revision: 2, source: 'options', rules: [{ points: 2 }] });
    expect((await app.record({ userId: 'ada', action: 'share', subject: '2' })).status).toBe(400);
  });

  it('are put only where those are in force that the caller has read, if the caller says which', async () => {
    const app = await startOn();
    const read = async () => (await app.get('/activity/rules', withKey)).headers.get('etag') ?? '';
    const post = (points: number, headers: Record<string, string>, query = '') =>
      app.send<Rules & ProblemBody>(`/activity/rules${query}`, {
        method: 'POST',
        headers: { ...withKey, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(rulesWith(points)),
      });
    const first = await read();
    expect(first).toBe('"0"');
    const [ada, bob] = await Promise.all([post(3, { 'if-match': first }), post(4, { 'if-match': first })]);
    expect([ada.status, bob.status].sort()).toEqual([200, 412]);
    const won = ada.status === 200 ? 3 : 4;
    const lost = ada.status === 200 ? bob : ada;
    expect(lost.body).toMatchObject({ type: 'urn:laurel:problem:rulesChanged', status: 412 });
    expect(await inForce(app)).toMatchObject({ revision: 1, rules: [{ points: won }] });
    // What is in force already may be put again: the answer may have been lost.
    expect(await post(won, { 'if-match': first })).toMatchObject({ status: 200, body: { revision: 1 } });
    expect((await post(7, { 'if-match': first }, '?dryRun=true')).status).toBe(412);
    expect((await post(7, { 'if-match': '"1"' }, '?dryRun=true')).status).toBe(200);
    for (const header of ['W/"1"', '*']) expect((await post(5, { 'if-match': header })).status).toBe(200);
    expect((await post(6, { 'if-match': 'one' })).status).toBe(400);
    const withdraw = (tag: string) =>
      app.send('/activity/rules', { method: 'DELETE', headers: { ...withKey, 'if-match': tag } });
    expect((await withdraw('"1"')).status).toBe(412);
    expect((await withdraw(await read())).status).toBe(200);
  });

  it('are refused with each fault by its path, and the old ones stay', async () => {
    const app = unchanged();
    const bad = {
      rules: [{ action: 'praise', points: 0.5, revocable: 1 }],
      limits: [{ type: 'daily', action: 'x', max: 1 }],
    };
    const refused = await put(app, bad);
    expect(refused).toMatchObject({ status: 400, body: { type: 'urn:laurel:problem:invalidRules' } });
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(refused.body.errors).toEqual([
      { path: 'rules.0.points', message: 'is 0.5: use a whole number from -1000000 to 1000000.' },
      { path: 'rules.0.revocable', message: 'is 1: use true or false.' },
      { path: 'limits.0.action', message: 'is "x": use one of "praise".' },
    ]);
    for (const body of ['', '[]', 'null', '7', '{}', '{"rules":{}}', '{"rules":[null]}', '{', '{"__proto__":[]}']) {
      expect([body, (await put(app, body)).status]).toEqual([body, 400]);
    }
    expect(await put(app, rulesWith(5), '?dryRun=maybe')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'dryRun' }] },
    });
    expect(await inForce(app)).toMatchObject({ version: 1, revision: 0 });
    expect(await worth(app)).toBe(2);
  });

  it('are checked by a dry run, which tells what would change', async () => {
    const app = unchanged();
    const { status, body } = await put(app, rulesWith(5), '?dryRun=true');
    expect([status, body]).toMatchObject([
      200,
      { dryRun: true, revision: 0, rules: [{ points: 2 }], changes: [{ name: 'praise' }] },
    ]);
    expect(await put(app, rulesWith(0.5), '?dryRun=true')).toMatchObject({ status: 400 });
    expect((await put(app, rulesWith(2), '?dryRun=true')).body.changes).toEqual([]);
    expect(await worth(app)).toBe(2);
  });
});

describe('rules that are put in force', () => {
  it('reach every instance by themselves, and override those of an instance that starts later', async () => {
    const [one, two] = [await start(), await start()];
    await put(one, { ...rulesWith(5), limits: [daily] });
    await waitUntil(async () => (await inForce(two)).revision === 1);
    expect(await inForce(two)).toMatchObject({ version: 2, source: 'posted', limits: [{ name: 'praise-daily' }] });
    expect(await worth(two)).toBe(5);
    const later = await start(rulesWith(3));
    expect(await inForce(later)).toMatchObject({ revision: 1, source: 'posted' });
    expect(await worth(later, praise('bob'))).toBe(5);
    expect((await later.record(praise('bob'))).body.results).toMatchObject([{ outcome: 'limited' }]);
  });

  it('judge what they granted on an instance that has not heard of them', async () => {
    const former = { ...rulesWith(2), limits: [{ ...daily, max: 1 }] };
    const [one, two] = [await start(former), await start(former)];
    const praises = [praise('bob'), praise('bob')];
    await one.record(praises[0] as object);
    await put(one, rulesWith(3));
    await one.record(praises[1] as object);
    const revoke = { ...praises[1], revoke: true };
    expect((await two.record(revoke)).body.results).toMatchObject([{ outcome: 'revoked', points: -3 }]);
  });

  it('keep their revision and version when they are put again, and get the next when they or limits differ', async () => {
    const app = await start();
    const revisions: unknown[] = [];
    for (const document of [
      rulesWith(5),
      rulesWith(5),
      rulesWith(7),
      rulesWith(5),
      { ...rulesWith(5), limits: [daily] },
    ]) {
      const { revision, version } = (await put(app, document)).body;
      revisions.push(`${revision} ${version}`);
    }
    expect(revisions).toEqual(['1 2', '1 2', '2 3', '3 2', '4 4']);
  });

  it("may have limits of the app's own types, where the app has those", async () => {
    const never = defineLimit<{ readonly why: string }>({
      type: 'never',
      fields: ['why'],
      check: ({ why }, refuse) => (typeof why === 'string' ? { why } : refuse('why', 'use a text')),
      window: () => ({ windowMs: 1, per: 'action' }),
      allows: () => false,
    });
    const [app, without] = [await start({ ...rulesWith(2), limitTypes: [never] }), await start()];
    const withLimit = (why: unknown) => ({ ...rulesWith(2), limits: [{ type: 'never', action: 'praise', why }] });
    expect((await put(app, withLimit(7))).body.errors).toEqual([
      { path: 'limits.0.why', message: 'is 7: use a text.' },
    ]);
    const { body } = await put(app, withLimit('holidays'));
    const limit = { type: 'never', action: 'praise', why: 'holidays', name: 'praise-never' };
    expect(body).toMatchObject({ limits: [limit], changes: [{ before: null, after: limit }] });
    expect((await app.record(praise())).body.results).toMatchObject([
      { outcome: 'limited', refusal: { limit: 'praise-never', allowedAgainAt: null } },
    ]);
    await waitUntil(async () => (await inForce(without)).refused);
    expect((await inForce(without)).refused?.errors).toMatchObject([{ path: 'limits.0.type' }]);
  });

  it('must keep what leaderboards count and what ledgers call actions', async () => {
    const options = { leaderboards: [dayBoard, { name: 'shared', period: 'day', actions: ['share'] }] };
    const app = await start({ ...rulesWith(2, share), ...options });
    expect((await put(app, rulesWith(2))).body.errors).toEqual([
      { path: 'rules', message: 'leave out "share": the leaderboard "shared" counts it; keep a rule for it.' },
    ]);
    const swapped = {
      rules: [
        { action: 'praise', points: 2, revocable: true, code: 'p' },
        { action: 'tell', points: 1, revocable: true, code: 'share' },
        { ...share, code: 's' },
      ],
    };
    expect((await put(app, swapped)).body.errors?.map(({ path }) => path)).toEqual([
      'rules.0.code',
      'rules.1.code',
      'rules.2.code',
    ]);
    expect((await inForce(app)).revision).toBe(0);
  });

  it('must not call an action as ledgers that live called another, nor otherwise than they did', async () => {
    const clock = new ManualClock('2036-11-20T08:00:00Z');
    const app = await start({ ...rulesWith(2), clock, retentionMs });
    const tell: Rule = { action: 'tell', points: 4, revocable: true, code: 'share' };
    const message = 'is "share": ledgers call "share" so; use another.';
    await put(app, rulesWith(2, share));
    await put(app, rulesWith(2));
    expect((await put(app, rulesWith(2, tell))).body.errors).toEqual([{ path: 'rules.1.code', message }]);
    expect((await put(app, rulesWith(2, tell), '?dryRun=true')).status).toBe(400);
    const renamed = await put(app, rulesWith(2, { ...share, code: 's' }));
    expect(renamed.body.errors?.[0]?.message).toBe('is "s": ledgers call "share" by "share"; keep it.');
    expect((await put(app, rulesWith(2, share))).status).toBe(200);

    // An app with such rules takes those that were put. Nobody goes back to its own, and it does not start with them.
    await put(app, rulesWith(3));
    const other = await start({ ...rulesWith(2, tell), clock });
    const withdrawn = await other.send<ProblemBody>('/activity/rules', { method: 'DELETE', headers: withKey });
    expect(withdrawn).toMatchObject({ status: 400, body: { errors: [{ message }] } });
    await app.send('/activity/rules', { method: 'DELETE', headers: withKey });
    const options = { prefix: app.prefix, ...rulesWith(2, tell), clock };
    await expect(TinyApp.start({ options })).rejects.toMatchObject({
      code: 'settingsMismatch',
      message: expect.stringContaining(message) as string,
    });

    // When their ledgers are gone the code is free.
    clock.advance(40 * 86_400_000);
    expect((await put(app, rulesWith(5, { ...tell, points: 7 }))).status).toBe(200);
  });

  it('go on to count an action by its subject, or by its id, and an app does not start with others', async () => {
    const clock = new ManualClock('2036-11-20T08:00:00Z');
    const each: Rule = { ...share, once: 'each' };
    const app = await start({ ...rulesWith(2, share), clock, retentionMs });
    const bySubject = 'is "each": ledgers have "share" by its subject; keep that, or count a new action so.';
    expect((await put(app, rulesWith(2, each))).body.errors).toEqual([{ path: 'rules.1.once', message: bySubject }]);
    await expect(
      TinyApp.start({ options: { prefix: app.prefix, ...rulesWith(2, each), clock } }),
    ).rejects.toMatchObject({ code: 'settingsMismatch', message: expect.stringContaining(bySubject) as string });
    expect((await put(app, rulesWith(2, share, { ...each, action: 'send', code: 'send' }))).status).toBe(200);
    const byId = 'is not "each": ledgers have "send" by its id; keep that, or count a new action so.';
    expect((await put(app, rulesWith(2, share, { ...share, action: 'send', code: 'send' }))).body.errors).toEqual([
      { path: 'rules.2.once', message: byId },
    ]);
    // When their ledgers are gone it may count otherwise.
    await put(app, rulesWith(2));
    clock.advance(40 * 86_400_000);
    expect((await put(app, rulesWith(2, each))).status).toBe(200);
  });

  it('that an instance cannot take leave it as it is, and it says so', async () => {
    const one = await start();
    const other = await start({
      ...rulesWith(2, share),
      leaderboards: [{ name: 'day', period: 'day', actions: ['share', 'praise'] }],
    });
    await put(one, rulesWith(5));
    const { refused } = await waitUntil(async () => {
      const told = await inForce(other);
      return told.refused && told;
    });
    expect(refused).toMatchObject({ errors: [{ path: 'rules' }] });
    expect(await worth(other)).toBe(2);
    expect(await other.metric('laurel_rules_refused_total')).toBe(1);
    await put(one, rulesWith(5, share));
    await waitUntil(async () => (await inForce(other)).refused === null);
    expect(await worth(other)).toBe(5);
    expect(await other.metric('laurel_rules_revision')).toBe(2);
  });

  it('decide which events are listened to', async () => {
    const app = await start(rulesWith(2, share));
    const emitter = app.nest.get(EventEmitter2);
    const points = async () =>
      (await app.get<ActivityHistory>('/activity/users/ada', withKey)).body.days.map((day) => day.points);
    await put(app, {
      rules: [
        { action: 'praise', points: 2, revocable: true },
        { action: 'tell', points: 7, revocable: true },
      ],
    });
    await emitter.emitAsync('activity.tell', { userId: 'ada', subject: '1' });
    await emitter.emitAsync('activity.share', { userId: 'ada', subject: '1' });
    await emitter.emitAsync('activity.praise', { userId: 'ada', subject: '1' });
    await emitter.emitAsync('activity.tell', { userId: 'ada', subject: '2' });
    await emitter.emitAsync('activity.tell.cancelled', { userId: 'ada', subject: '2' });
    expect(await points()).toEqual([9]);
    expect(emitter.listenerCount('activity.share')).toBe(0);
    expect(emitter.listenerCount('activity.praise')).toBe(1);
  });
});

const versioned = (points: number): readonly Rule[] => [
  { action: 'praise', points, revocable: true },
  { action: 'view', points: 1, revocable: false },
];

describe('a change of the rules', () => {
  const clock = new ManualClock('2036-11-20T08:00:00Z');
  beforeEach(() => clock.set('2036-11-20T08:00:00Z'));
  const startWith = (rules: readonly Rule[]) => start({ clock, rules, shards: 4 });
  const praiseOf = (subject: string, more: object = {}) => {
    clock.advance(1_000);
    return { userId: 'ada', action: 'praise', subject, ...more };
  };
  const days = async (app: TinyApp, query = '') =>
    (await app.get<ActivityHistory>(`/activity/users/ada${query}`, withKey)).body.days;

  it('makes the next version; the same rules keep theirs, in whatever order they are listed', async () => {
    const versions = async (app: TinyApp) =>
      (await app.nest.get(LedgerService).ruleVersions()).map(({ version, since, rules }) => [
        version,
        since.toISOString(),
        rules.map(({ action, points }) => `${action} ${points}`),
      ]);
    const first = [1, '2036-11-20T08:00:00.000Z', ['praise 2', 'view 1']];
    expect(await versions(await startWith(versioned(2)))).toEqual([first]);
    clock.set('2036-11-21T09:00:00Z');
    expect(await versions(await startWith([...versioned(2)].reverse()))).toEqual([first]);
    const second = [2, '2036-11-21T09:00:00.000Z', ['praise 5', 'view 1']];
    expect(await versions(await startWith(versioned(5)))).toEqual([first, second]);
    expect(await versions(await startWith(versioned(2)))).toEqual([first, second]);
  });

  it('never rewrites the past: what stands keeps its points, what is taken back is what was given', async () => {
    const before = await startWith(versioned(2));
    await before.record(praiseOf('1'), praiseOf('2'), praiseOf('3'));
    const after = await startWith(versioned(5));
    const { body } = await after.record(
      praiseOf('1'),
      praiseOf('2', { revoke: true }),
      praiseOf('3', { revoke: true }),
      praiseOf('3'),
      praiseOf('4'),
    );
    const told = body.results.map(({ outcome, points }) => `${outcome} ${points}`);
    expect(told).toEqual(['duplicate 0', 'revoked -2', 'revoked -2', 'granted 5', 'granted 5']);
    const day = { date: '2036-11-20', points: 12, actions: { praise: 3 } };
    expect(await days(after)).toEqual([day]);
    expect(await days(after, '?versions=false')).toEqual([day]);
    expect(await days(after, '?versions=true')).toEqual([{ ...day, versions: { 1: 2, 2: 10 } }]);
    expect(await after.get('/activity/users/ada?versions=yes', withKey)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'versions' }] },
    });
  });
});
