import { Exclusions, RankService } from '@laurel/activity';
import type { RankPage, RankStanding } from '@laurel/activity/internals';
import { drawer } from '../../support/seed';
import { dayMs, ManualClock, type ProblemBody, testRedis, TinyApp, withKey } from './support';

const halfMs = dayMs / 2;
/** Noon in Shanghai. */
const now = Date.parse('2036-11-20T04:00:00Z');
const dateOf = (ago: number) => new Date(now - ago * dayMs).toISOString().slice(0, 10);
const start = (shards = 1) => {
  const clock = new ManualClock(now);
  const leaderboards = [
    { name: 'day', period: 'day' },
    { name: 'category', period: 'day', partition: 'category' },
    { name: 'recent', rolling: { days: 7 } },
    { name: 'month', period: 'month' },
  ] as const;
  const options = { clock, shards, leaderboards, latenessMs: 30 * dayMs, timezone: 'Asia/Shanghai' };
  return TinyApp.start({ options }).then((app) => ({ app, clock }));
};
const actions = { view: 1, praise: 2, collect: 2, comment: 3 } as const;

describe.each([1, 8])('a span of days on %d shards', (shards) => {
  it('ranks by the sums of its days, for pages, users, neighbours and those who are looked up', async () => {
    const { app } = await start(shards);
    const draw = drawer();
    const events = Array.from({ length: 600 }, (_, i) => ({
      userId: `user ${draw(40)}`,
      action: Object.keys(actions)[draw(4)] as keyof typeof actions,
      subject: `${i}`,
      // Of each day some at both of its edges in Shanghai.
      occurredAt: new Date(now - draw(12) * dayMs + ([-halfMs, halfMs - 1, -draw(9_999)][draw(3)] as number)),
      partitions: { category: ['java', 'go'][draw(2)] as string },
    })).filter(({ occurredAt }) => occurredAt.getTime() <= now);
    const cancelled = events.filter(({ action }, i) => action !== 'view' && i % 9 === 0);
    await app.service.record(events);
    await app.service.revoke(cancelled.map((one) => ({ ...one, occurredAt: new Date(now) })));
    await app.nest.get(Exclusions).exclude('user 7', { reason: 'banned' });
    const dayOf = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10);
    const sums = (from: string, to: string, category?: string) => {
      const found = new Map<string, { score: number; atMs: number }>();
      for (const one of events) {
        const day = dayOf(one.occurredAt);
        if (day < from || day > to || cancelled.includes(one) || one.userId === 'user 7') continue;
        if (category !== undefined && one.partitions.category !== category) continue;
        const { score = 0, atMs = 0 } = found.get(one.userId) ?? {};
        const latestMs = Math.max(atMs, one.occurredAt.getTime());
        found.set(one.userId, { score: score + actions[one.action], atMs: latestMs });
      }
      return [...found]
        .sort(([a, x], [b, y]) => y.score - x.score || x.atMs - y.atMs || (a < b ? 1 : -1))
        .map(([userId, { score }], i) => [i + 1, userId, score]);
    };
    for (const [longAgo, ago] of [
      [11, 0],
      [9, 4],
      [5, 5],
      [12, 11],
    ] as const) {
      const [from, to] = [dateOf(longAgo), dateOf(ago)];
      const span = `from=${from}&to=${to}`;
      const expected = sums(from, to);
      expect(expected.length).toBeGreaterThan(5);
      for (const board of ['day', 'recent']) {
        expect(await app.page(`/ranks/${board}?${span}&limit=100`)).toEqual(expected);
      }
      expect(await app.page(`/ranks/category?${span}&partition=go&limit=100`)).toEqual(sums(from, to, 'go'));
      expect(await app.page(`/ranks/day?${span}&offset=3&limit=2`)).toEqual(expected.slice(3, 5));
      const { body } = await app.get<RankPage>(`/ranks/day?${span}&limit=4`);
      expect(body).toMatchObject({ leaderboard: 'day', total: expected.length, period: { key: to } });
      expect(body.period.start).toBe(new Date(Date.parse(from) - 8 * 3_600_000).toISOString());
      const next = await app.page(`/ranks/day?${span}&limit=4&cursor=${encodeURIComponent(body.next ?? '')}`);
      expect(next).toEqual(expected.slice(4, 8));
      const [rank, userId, score] = expected[3] as [number, string, number];
      const own = await app.get<RankStanding>(`/ranks/day/users/${userId}?${span}`);
      expect(own.body).toMatchObject({ total: expected.length, entry: { rank, score, change: null } });
      expect(await app.page(`/ranks/day/users/${userId}/around?${span}&radius=1`)).toEqual(expected.slice(2, 5));
      const asked = await app.nest.get(RankService).lookup('day', ['user 7', userId], { from, to });
      expect(asked.entries).toMatchObject([{ rank: null }, { rank, userId, score }]);
    }
    // The day alone is not the span that ends with it.
    expect((await app.page('/ranks/day')).length).toBeLessThan(sums(dateOf(11), dateOf(0)).length);
  });
});

describe('a span of days', () => {
  it('leaves nothing behind, and is refused where it is none, too long, to come, or another leaderboard’s', async () => {
    const { app, clock } = await start();
    await app.record({ userId: 'ann', action: 'view', subject: '1', occurredAt: new Date(now).toISOString() });
    expect(await app.page(`/ranks/day?from=${dateOf(2)}`)).toEqual([[1, 'ann', 1]]);
    const redis = testRedis();
    const windows = await redis.keys(`{${app.prefix}:*}:rolling*`);
    expect(windows.length).toBeGreaterThan(0);
    for (const key of windows) expect(await redis.pttl(key)).toBeGreaterThan(0);
    for (const [path, fault, message] of [
      [`day?to=${dateOf(0)}`, 'from', 'must be given with to: the first of the days'],
      ['day?from=2036-02-30', 'from', 'must be a day such as 2026-11-20'],
      ['day?from=2036-11-01&to=soon', 'to', 'must be a day such as 2026-11-20'],
      [`day?from=${dateOf(0)}&to=${dateOf(-1)}`, 'to', `must be ${dateOf(0)} or a day before it`],
      [`day?from=${dateOf(1)}&to=${dateOf(2)}`, 'from', `must be ${dateOf(2)} or a day before it`],
      ['day?from=2035-11-01', 'from', `must be one of the 366 days up to ${dateOf(0)}`],
      [`day?from=${dateOf(1)}&period=current`, 'period', 'cannot be used together with from and to'],
      [`day?from=${dateOf(1)}&titles=true`, 'titles', 'cannot be true of a span of days'],
      [`month?from=${dateOf(1)}`, 'from', 'must be left out: "month" is not made of days'],
    ] as const) {
      const { status, body } = await app.get<ProblemBody>(`/ranks/${path}`, withKey);
      expect([path, status, body.errors]).toEqual([path, 400, [{ path: fault, message }]]);
    }
    clock.advance(40 * dayMs);
    const kept = dateOf(-9);
    const gone = await app.get<ProblemBody>(`/ranks/day?from=${dateOf(0)}&to=${dateOf(-20)}`);
    expect([gone.status, gone.body.detail]).toEqual([
      404,
      `The leaderboard "day" no longer keeps the day ${dateOf(0)}: those from ${kept} on are there.`,
    ]);
    expect((await app.get(`/ranks/day?from=${kept}&to=${dateOf(-20)}`)).status).toBe(200);
    const none = await app.get<ProblemBody>(`/ranks/day?from=${dateOf(0)}&to=${dateOf(-1)}`);
    expect(none.body.detail).toContain('none of these is there');
  });

  it('is put together for so many at a time that Redis does not fill', async () => {
    const { app, clock } = await start();
    const statusOf = async (ago: number) => (await app.get(`/ranks/day?from=${dateOf(ago)}`)).status;
    const statuses = await Promise.all(Array.from({ length: 30 }, (_, ago) => statusOf(ago)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const others = ['java', 'go', 'c'].map((part) => `/ranks/category?partition=${part}&from=${dateOf(0)}`);
    const asked: number[] = [];
    for (const path of others) asked.push((await app.get(path)).status);
    expect(asked).toEqual([200, 200, 503]);
    expect(await statusOf(3)).toBe(200);
    clock.advance(23 * 60_000);
    expect((await app.get(others[2] as string)).status).toBe(200);
  });
});
