import { type LeaderboardConfig, RankService, SettlementService } from '@laurel/activity';
import { activityEnvironment } from '@laurel/settings';
import { apiKey, ask, ManualClock, ownCommunity } from './support';

const cacheMs = 500;

describe('a cached first page', () => {
  const clock = new ManualClock('2036-11-20T12:00:00Z'); // ahead, so that nothing expires
  const staff: LeaderboardConfig = { name: 'staff', period: 'day', visibility: 'nobody' };
  const leaderboards = [...(activityEnvironment({}).leaderboards ?? []), staff];
  const community = ownCommunity(() => [
    { clock, cacheMs, leaderboards },
    {
      loadBounds: { maxRequests: 100, maxLateMs: Infinity },
      throttle: { requestsPerMinute: 20, signInsPerAddress: 100, triesPerName: 100 },
      trustProxy: 1,
    },
  ]);
  let read: jest.SpyInstance;

  beforeAll(async () => {
    read = jest.spyOn(community.app.get(RankService), 'standings');
    await record('ada');
  });
  beforeEach(() => {
    clock.advance(cacheMs);
    read.mockClear();
  });

  const record = (userId: string) =>
    ask(community.app, 'POST', '/activity/events', {
      token: apiKey,
      body: { events: [{ userId, action: 'praise', subject: `article:${userId}` }] },
    });
  const url = '/ranks/day?limit=10';
  const page = (headers: Record<string, string> = {}) =>
    ask<{ entries: { userId: string }[] }>(community.app, 'GET', url, { token: apiKey, headers });

  it('is answered without the route, as the route answers it, until it is too old', async () => {
    const [asked, kept] = [await page(), await page()];
    expect(read).toHaveBeenCalledTimes(1);
    const { date: _asked, 'x-request-id': askedId, ...askedHeaders } = asked.headers;
    const { date: _kept, 'x-request-id': keptId, ...keptHeaders } = kept.headers;
    expect([kept.status, keptHeaders, kept.text]).toEqual([200, askedHeaders, asked.text]);
    expect(keptId).not.toBe(askedId);
    expect(keptHeaders).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'public, no-cache' });

    await record('bob');
    clock.advance(cacheMs - 1);
    expect((await page()).text).toBe(asked.text);
    clock.advance(1);
    expect((await page()).body.entries.map(({ userId }) => userId).sort()).toEqual(['ada', 'bob']);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('is 304 to who has it, and has no body for HEAD', async () => {
    const { headers } = await page();
    const same = await page({ 'if-none-match': String(headers.etag) });
    expect([same.status, same.text, same.headers.etag]).toEqual([304, '', headers.etag]);
    expect(read).toHaveBeenCalledTimes(1);
    const { statusCode, payload, headers: ofHead } = await community.app.inject({ method: 'HEAD', url });
    expect([statusCode, payload, ofHead.etag, ofHead['content-length']]).toEqual([
      200,
      '',
      headers.etag,
      headers['content-length'],
    ]);
  });

  it('of a leaderboard that only some see is for them alone', async () => {
    const ofStaff = async (token = '') => (await ask(community.app, 'GET', '/ranks/staff', { token })).status;
    expect([await ofStaff(apiKey), await ofStaff(), await ofStaff(apiKey)]).toEqual([200, 404, 200]);
  });

  it('is not shown any more when its users have changed', async () => {
    await page();
    await ask(community.app, 'PUT', '/activity/exclusions/ada', { token: apiKey, body: {} });
    expect((await page()).body.entries.map(({ userId }) => userId)).not.toContain('ada');
  });

  it('is refused like any other to who asks too often', async () => {
    const read = () => ask(community.app, 'GET', url, { headers: { 'x-forwarded-for': '192.0.2.7' } });
    for (let i = 0; i < 20; i += 1) expect((await read()).status).toBe(200);
    expect((await read()).status).toBe(429);
  });

  it('of a day that has ended comes from the database, as it stood', async () => {
    const { body } = await page();
    clock.advance(4 * 86_400_000);
    expect((await community.app.get(SettlementService).settleDue())?.failed).toEqual([]);
    const day = '/ranks/day?period=2036-11-20&limit=10';
    const settled = await ask<{ entries: object[]; period: object }>(community.app, 'GET', day, { token: apiKey });
    expect(settled.body).toMatchObject({ entries: body.entries, period: { state: 'settled' } });
    expect((await community.database.query('SELECT FROM settled_entries')).rowCount).toBeGreaterThan(0);
  });

  it('closes its connection while the app drains', async () => {
    await page();
    community.drain();
    expect((await page()).headers.connection).toBe('close');
    expect(read).toHaveBeenCalledTimes(1);
  });
});
