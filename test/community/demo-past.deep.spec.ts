import { type ActivityModuleOptions, SettlementService } from '@laurel/activity';
import { activityEnvironment } from '@laurel/settings';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
// Private: the demo lives through its past at its start, which takes a year of it and is not interrupted.
import { createApp } from '../../apps/community/src/create-app';
import { contestsOf } from '../../apps/demo/src/contests';
import { imaginePast } from '../../apps/demo/src/past/imagine-past';
import { liveThrough } from '../../apps/demo/src/past/live-through';
import { apiKey, ask, authSecret, freshPrefix, ManualClock, testRedisUrl } from './support';
import { ownPostgres } from '../support/postgres';

const endMs = Date.parse('2026-11-20T21:30:00Z');
/** As few as have all parts in it: who left did so two months ago. */
const past = imaginePast({ seed: 1843, endMs, days: 62, timezone: 'UTC' });
const usual = activityEnvironment({});
const idsOf = (part: string) => past.people.filter(({ of }) => of.part === part).map(({ id }) => id);
const passwordOf = (name: string) => `the password of ${name}`;

interface Page {
  readonly period: { readonly key: string; readonly state: string };
  readonly total: number;
  readonly entries: readonly { readonly userId: string; readonly score: number; readonly title?: { id: string } }[];
}

describe("the demo's past", () => {
  let app: NestFastifyApplication;
  afterAll(() => app?.close());
  const postgres = ownPostgres();
  const activity: ActivityModuleOptions = {
    ...usual,
    leaderboards: [...(usual.leaderboards ?? []), ...contestsOf(new Date(endMs), 'UTC')],
    redis: { url: '' },
    prefix: freshPrefix(),
    // What is years old is kept, whatever the clock of Redis says.
    retentionMs: { day: null, week: null, month: null, ledger: null },
    cacheMs: 0,
    apiKey,
  };
  const community = () => ({ databaseUrl: postgres.servers.url, authSecret, outboxRetentionDays: 31, activity });
  const read = async <Body>(url: string, token?: string) =>
    (await ask<Body>(app, 'GET', url, token === undefined ? {} : { token })).body;

  beforeAll(async () => {
    Object.assign(activity, { redis: { url: testRedisUrl() } });
    const interrupted = liveThrough(past, {
      ...{ community: community(), passwordOf, isResumed: false },
      onDay: (done) => {
        if (done === 20) throw new Error('The power went.');
      },
    });
    await expect(interrupted).rejects.toThrow('The power went.');
    await liveThrough(past, { community: community(), passwordOf, isResumed: true });
    app = await createApp({
      ...community(),
      activity: { ...activity, clock: new ManualClock(endMs) },
      settlement: { settles: false },
    });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  });

  it('gives what was done its points, once, also after an interruption', async () => {
    const of = past.days.find(({ daysAgo }) => daysAgo === 8);
    const { entries } = await read<Page>(`/ranks/day?period=${of?.date}&limit=100`);
    const worth: Record<string, number> = { view: 1, praise: 2, collect: 2, follow: 2, comment: 3, publish: 10 };
    const grants = new Map<string, number>();
    for (const { userId, action, subject, revoke } of of?.changes ?? []) {
      if (!revoke) grants.set([userId, action, subject].join(' '), worth[action] ?? 0);
    }
    const ring = idsOf('ring');
    const total = [...grants]
      .filter(([key]) => !ring.includes(key.split(' ')[0] ?? ''))
      .reduce((sum, [, points]) => sum + points, 0);
    const taken = (of?.changes ?? []).filter(({ revoke }) => revoke).length * 2;
    const shown = entries.reduce((sum, { score }) => sum + score, 0);
    expect(shown).toBeLessThanOrEqual(total);
    expect(shown).toBeGreaterThanOrEqual(total - taken);
  });

  it('has settled the latest day, week and month, and the community that runs the others, with titles that differ', async () => {
    type Waiting = { leaderboards: { lastSettled: { key: string } | null; waiting: { isDue: boolean }[] }[] };
    const isDue = ({ waiting }: Waiting['leaderboards'][number]) => waiting.some((one) => one.isDue);
    const before = (await read<Waiting>('/activity/settlement', apiKey)).leaderboards;
    expect(before[0]?.lastSettled?.key).toBe(past.days.at(-2)?.date);
    expect(before.some(isDue)).toBe(true);
    await app.get(SettlementService).settleDue();
    expect((await read<Waiting>('/activity/settlement', apiKey)).leaderboards.filter(isDue)).toEqual([]);
    for (const leaderboard of ['day', 'week', 'month']) {
      const page = await read<Page>(`/ranks/${leaderboard}?period=previous&titles=true&limit=100`);
      expect(page.period.state).toBe('settled');
      expect(page.total).toBeGreaterThan(5);
      expect(new Set(page.entries.map(({ title }) => title?.id)).size).toBeGreaterThan(3);
    }
    const first = past.days[1]?.date;
    expect((await read<Page>(`/ranks/day?period=${first}`)).period.state).toBe('settled');
  });

  it('has one contest that was won, and one that runs', async () => {
    const won = await read<Page>('/ranks/reading-marathon');
    expect(won.period.state).toBe('settled');
    expect(won.entries[0]?.score).toBeGreaterThan(won.entries[1]?.score ?? Infinity);
    const running = await read<Page>('/ranks/writing-sprint');
    expect(running.period.state).toBe('open');
    expect(running.total).toBeGreaterThan(1);
  });

  it('holds the ring for review, has erased who left, and takes no more than limits let', async () => {
    const { entries } = await read<Page>('/ranks/all?limit=100');
    const onIt = new Set(entries.map(({ userId }) => userId));
    for (const id of [...idsOf('ring'), ...idsOf('left')]) expect(onIt.has(id)).toBe(false);
    const { reviews } = await read<{ reviews: { userId: string }[] }>('/activity/reviews', apiKey);
    expect(reviews.map(({ userId }) => userId).sort()).toEqual(idsOf('ring').sort());
    for (const id of idsOf('left')) expect((await ask(app, 'GET', `/users/${id}`)).status).toBe(404);
    const { refusals } = await read<{ refusals: { userId: string }[] }>('/activity/refusals', apiKey);
    expect(new Set(refusals.map(({ userId }) => userId))).toEqual(new Set(idsOf('farmer')));
  });

  it('lets its people sign in, and new ones come', async () => {
    const session = await ask(app, 'POST', '/auth/login', {
      body: { name: 'Ada Lovelace', password: passwordOf('Ada Lovelace') },
    });
    expect(session.status).toBe(200);
    const body = { name: 'Somebody new', password: 'a password of the tests' };
    const registered = await ask<{ user: { id: string } }>(app, 'POST', '/auth/register', { body });
    expect(registered.body.user.id).toBe(String(past.people.length + 1));
  });

  it('is not given to a community that has people', async () => {
    expect(await liveThrough(past, { community: community(), passwordOf, isResumed: false })).toBe(false);
  });
});
