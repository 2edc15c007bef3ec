import { ActivityError, type ActivityService } from '@laurel/activity';
import { systemClock } from '@laurel/leaderboard';
import { ManualClock, oneTinyApp, platforms, type ProblemBody, TinyApp, withKey } from './support';

/** Users and subjects of a test's own, in an app that tests share. */
let tests = 0;
let [userId, praise] = ['', { userId: '', action: 'praise', subject: '' }];
beforeEach(() => {
  userId = `ada ${++tests}`;
  praise = { userId, action: 'praise', subject: `article:${tests}` };
});

describe.each(platforms)('POST /activity/events on %s', (platform) => {
  const started = oneTinyApp({ platform });
  let app: TinyApp;
  beforeAll(() => (app = started()));

  it('answers with the outcome, points and scores of each event, in order', async () => {
    const { status, body } = await app.record(
      praise,
      praise,
      { ...praise, revoke: true },
      { ...praise, subject: 'another', ownerId: userId },
      { ...praise, action: 'view' },
      { ...praise, action: 'view', revoke: true },
    );
    expect(status).toBe(200);
    const [boards, unchanged] = ['counted', 'unchanged'].map((word) => ({ day: word, month: word }));
    expect(body.results).toEqual([
      { outcome: 'granted', points: 2, scores: { day: 2, month: 2 }, boards },
      { outcome: 'duplicate', points: 0, scores: { day: 2, month: 2 }, boards: unchanged },
      { outcome: 'revoked', points: -2, scores: { day: 0, month: 0 }, boards },
      { outcome: 'ignored', points: 0, scores: {}, boards: {}, reason: 'ownSubject' },
      { outcome: 'granted', points: 1, scores: { day: 1, month: 1 }, boards },
      { outcome: 'ignored', points: 0, scores: {}, boards: {}, reason: 'notRevocable' },
    ]);
  });

  it.each([
    ['an empty user id', { userId: '' }, 'userId'],
    ['a user id of 129 bytes', { userId: 'é'.repeat(64) + 'x' }, 'userId'],
    ['half a surrogate pair in a user id', { userId: '\ud83d' }, 'userId'],
    ['an empty subject', { subject: '' }, 'subject'],
    ['a subject of 513 bytes', { subject: 's'.repeat(513) }, 'subject'],
    ['an unknown action', { action: 'constructor' }, 'action'],
    ['a moment before 1970', { occurredAt: '1969-12-31T23:59:59Z' }, 'occurredAt'],
    ['a moment after 9998', { occurredAt: '9999-12-31T23:59:59Z' }, 'occurredAt'],
    ['a sequence past 2^53', { sequence: 2 ** 53 }, 'sequence'],
    ['grantedAt on a grant', { grantedAt: '2036-11-20T00:00:00Z' }, 'grantedAt'],
    ['an empty owner', { ownerId: '' }, 'ownerId'],
    ['a misspelt field', { occuredAt: '2036-11-20T00:00:00Z' }, 'occuredAt'],
  ])('refuses the whole request for %s, naming its path', async (_, change, field) => {
    const events = [praise, { ...praise, ...change }];
    const refused = await app.post<ProblemBody>('/activity/events', { events }, withKey);
    expect(refused.status).toBe(400);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(refused.body).toMatchObject({ status: 400, errors: [{ path: `events.1.${field}` }] });
    const history = await app.get<{ days: object[] }>(`/activity/users/${userId}`, withKey);
    expect(history.body.days).toEqual([]);
  });

  it('asks for the key before it looks at the body: 401 without one, 403 with another, 403 where none is configured', async () => {
    const closed = await TinyApp.start({ platform, withoutKey: true });
    const tried = async (on: TinyApp, headers = {}) =>
      (await on.post('/activity/events', { events: [praise] }, headers)).status;
    const missing = await app.post('/activity/events', { events: 'nonsense' });
    expect(missing.status).toBe(401);
    expect(missing.headers.get('www-authenticate')).toBe('Bearer');
    expect(await tried(app, { authorization: 'Bearer other' })).toBe(403);
    expect(await tried(app, { authorization: 'Basic x' })).toBe(401);
    expect([await tried(closed), await tried(closed, withKey)]).toEqual([403, 403]);
  });

  it('tells its caller when too much waits, and records nothing of the request', async () => {
    const full = await TinyApp.start({ platform, options: { maxPending: 2 } });
    const events = ['1', '2', '3'].map((subject) => ({ ...praise, subject }));
    const refused = await full.post<ProblemBody>('/activity/events', { events }, withKey);
    expect(refused).toMatchObject({ status: 503, body: { type: 'urn:laurel:problem:overloaded' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    const { results } = (await full.record(...events.slice(1))).body;
    expect(results).toMatchObject([{ scores: { day: 2 } }, { scores: { day: 4 } }]);
  });
});

describe('ActivityService', () => {
  const clock = new ManualClock('2036-11-20T08:00:00Z');
  const app = oneTinyApp({ options: { clock } });
  let service: ActivityService;
  beforeAll(() => (service = app().service));
  beforeEach(() => clock.set('2036-11-20T08:00:00Z'));

  it('gives and takes points in the order of the calls, within one millisecond', async () => {
    for (let round = 0; round < 3; round += 1) {
      expect(await service.record(praise)).toMatchObject({ outcome: 'granted', points: 2 });
      expect(await service.revoke(praise)).toMatchObject({ outcome: 'revoked', points: -2 });
    }
  });

  it('knows what comes again, and takes it back, as long as a board shows its points', async () => {
    // Redis drops what expires by its own clock.
    const clock = new ManualClock(systemClock.now() - 100 * 86_400_000);
    const all = await TinyApp.start({ options: { clock, leaderboards: [{ name: 'all', period: 'all' }] } });
    const occurredAt = new Date(clock.now());
    await all.service.record({ ...praise, occurredAt });
    clock.set(systemClock.now());
    expect(await all.service.record({ ...praise, occurredAt })).toMatchObject({ outcome: 'duplicate' });
    const points = await all.score(userId, 'all');
    await all.service.revoke(praise);
    expect([points, await all.score(userId, 'all')]).toEqual([2, 0]);
  });

  it('records all of a list or, where one is malformed, none', async () => {
    const refusal = service.record([praise, { ...praise, userId: '' }]);
    await expect(refusal).rejects.toMatchObject({ code: 'invalidActivity', faults: [{ path: '1.userId' }] });
    expect((await service.history(userId)).days).toEqual([]);
    await expect(service.record({ ...praise, action: 'dance' })).rejects.toBeInstanceOf(ActivityError);
    expect(await service.record([])).toEqual([]);
    expect(await service.record([praise])).toHaveLength(1);
  });

  it('tells a future activity and one too old apart', async () => {
    const at = (text: string) => service.record({ ...praise, occurredAt: new Date(text) });
    expect(await at('2036-11-20T08:05:01Z')).toMatchObject({ outcome: 'rejected', reason: 'future' });
    expect(await at('2036-09-20T08:00:00Z')).toMatchObject({ outcome: 'closed' });
  });

  it('gives a history of 31 days at most', async () => {
    const refused = (path: string) => ({ code: 'invalidQuery', faults: [{ path }] });
    for (const from of ['2036-10-20', '2036-11-21'])
      await expect(service.history(userId, { from, to: '2036-11-20' })).rejects.toMatchObject(refused('from'));
    await expect(service.history(userId, { to: '2036-11-31' })).rejects.toMatchObject(refused('to'));
    expect(await service.history(userId, { from: '2036-10-21', to: '2036-11-20' })).toMatchObject({ days: [] });
  });
});
