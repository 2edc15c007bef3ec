import type { RankHistory, RankPage, RankPoints } from '@laurel/activity/internals';
import { beginDays } from './support/past-days';
import type { ProblemBody, TinyApp } from './support';
import { dayMs } from '../../support/clock';

const five = { ada: 5, bob: 3, cyd: 3, dan: 3, eve: 1 };

/** Every read of a day's standings, as the public sees it. */
async function everyRead(app: TinyApp, period: string): Promise<unknown> {
  const get = async <Body>(path: string): Promise<Body> => {
    const { status, body } = await app.get<Body>(path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const answers: unknown[] = [];
  for (const ranking of ['ordinal', 'competition', 'dense']) {
    const query = `period=${period}&ranking=${ranking}`;
    const bounded = ['&maxScore=3', '&minScore=2&maxScore=3&limit=2', '&maxScore=3&offset=1', '&maxScore=0'];
    for (const page of ['', '&limit=2', '&limit=2&offset=1', '&offset=4', '&offset=5', '&offset=100', ...bounded]) {
      const body = await get<RankPage>(`/ranks/day?${query}${page}`);
      answers.push([page, { ...body, next: body.next === null ? null : 'more' }]);
    }
    answers.push((await app.pages<RankPage>(`/ranks/day?${query}&limit=2`)).map(({ entries }) => entries));
    for (const user of ['ada', 'cyd', 'eve', 'nobody']) {
      answers.push(await get(`/ranks/day/users/${user}?${query}`));
      for (const radius of [0, 1, 2, 50]) {
        answers.push(await get(`/ranks/day/users/${user}/around?${query}&radius=${radius}`));
      }
    }
    const looked = await app.post(`/ranks/day/lookup?${query}`, { userIds: ['eve', 'nobody', 'ada', 'eve'] });
    expect(looked.status).toBe(200);
    answers.push(looked.body);
  }
  return answers;
}

describe.each([1, 3])('a settled period, on %d shards', (shards) => {
  it('is read alike from its live board and, when that is gone, from the archive', async () => {
    const { app, clock, archive, earn, archiveDay, dropDay } = await beginDays({ options: { shards } });
    await earn({ dan: 4, ada: 2 });
    clock.set('2036-11-21T08:00:00Z');
    await earn(five);
    clock.set('2036-11-22T08:00:00Z');
    await archiveDay('2036-11-20');
    await archiveDay('2036-11-21');
    const live = await everyRead(app, 'previous');
    expect(archive.calls).toMatchObject({ page: 0, entries: 0 });

    clock.set(Date.parse('2036-11-22T00:00:00Z') + 31 * dayMs);
    await dropDay('2036-11-20');
    await dropDay('2036-11-21');
    expect(await everyRead(app, '2036-11-21')).toEqual(live);
    expect(archive.calls.page).toBeGreaterThan(0);
  });
});

describe('where a period is read', () => {
  it('is its board for as long as that lives, and then the archive, without a gap between the two', async () => {
    const { app, clock, archive, earn, archiveDay, dropDay } = await beginDays();
    await earn(five);
    clock.set('2036-11-21T08:00:00Z');
    await archiveDay('2036-11-20');
    const total = async () => (await app.get<RankPage>('/ranks/day?period=2036-11-20')).body.total;
    const endsMs = Date.parse('2036-11-21T00:00:00Z') + 31 * dayMs;
    for (const [momentMs, reads] of [
      [endsMs - 300_001, 0],
      // Redis' clock may be ahead by the skew allowed.
      [endsMs - 300_000, 1],
      [endsMs + 400 * dayMs, 2],
    ] as const) {
      clock.set(momentMs);
      expect(await total()).toBe(5);
      expect(archive.calls.page).toBe(reads);
    }
    await dropDay('2036-11-20');
    expect(await total()).toBe(5);
  });

  it('is the archive where the board went earlier than the options say', async () => {
    const { app, clock, earn, dropDay } = await beginDays({ options: { retentionMs: { day: null } } });
    await earn(five);
    clock.set('2036-11-23T08:00:00Z');
    await dropDay('2036-11-20');
    expect((await app.get<RankPage>('/ranks/day?period=2036-11-20')).body).toMatchObject({
      total: 5,
      period: { key: '2036-11-20', state: 'settled' },
    });
  });

  it('is asked of the archive once, and of no archive for periods that are open', async () => {
    const { app, clock, archive, earn, dropDay } = await beginDays();
    await earn(five);
    await app.get('/ranks/day');
    clock.set('2036-11-23T08:00:00Z');
    await dropDay('2036-11-20');
    const before = archive.calls.find;
    for (let i = 0; i < 3; i += 1) await app.get('/ranks/day?period=2036-11-20&limit=1');
    // Once for the day, once for the day before it, of which there is nothing.
    expect(archive.calls.find - before).toBe(2);
  });

  it('answers 503 while the archive is away or hangs, and still reads what lives', async () => {
    const { app, clock, archive, earn, dropDay } = await beginDays({ options: { commandTimeoutMs: 900 } });
    await earn(five);
    clock.set('2036-11-23T08:00:00Z');
    await dropDay('2036-11-20');
    await earn(five);
    archive.fault = new Error('password of the archive');
    const away = await app.get<ProblemBody>('/ranks/day?period=2036-11-20');
    expect(away).toMatchObject({ status: 503, body: { type: 'urn:laurel:problem:unavailable' } });
    expect(away.headers.get('retry-after')).not.toBeNull();
    expect(JSON.stringify(away.body)).not.toContain('password');
    expect(await app.get('/ranks/day')).toMatchObject({ status: 200, body: { total: 5 } });
    expect(await app.get('/ranks/month')).toMatchObject({ status: 200, body: { total: 5 } });
    archive.fault = undefined;
    expect(await app.get('/ranks/day?period=2036-11-20')).toMatchObject({ status: 200, body: { total: 5 } });
    archive.hangs = true;
    for (const path of ['?period=2036-11-20', '/users/ada/history', '/users/ada/points', '/periods']) {
      expect([path, (await app.get(`/ranks/day${path}`)).status]).toEqual([path, 503]);
    }
    archive.hangs = false;
    expect(await app.get('/ranks/day?period=2036-11-20')).toMatchObject({ status: 200, body: { total: 5 } });
  });

  it('refuses cursors of another archived period, and those that name no place', async () => {
    const { app, clock, earn, dropDay } = await beginDays();
    for (const day of ['2036-11-20', '2036-11-21']) {
      clock.set(`${day}T08:00:00Z`);
      await earn(five);
    }
    clock.set('2036-11-23T08:00:00Z');
    for (const day of ['2036-11-20', '2036-11-21']) {
      await dropDay(day);
    }
    const page = (query: string) => app.get<RankPage>(`/ranks/day?limit=2&period=${query}`);
    const { body } = await page('2036-11-20');
    const [scope] = JSON.parse(Buffer.from(body.next ?? '', 'base64url').toString()) as [string];
    const forged = [[0, 'ada'], [0.5, 'ada'], [1e300, 'ada'], [1, ''], [1], 2, null].map((place) =>
      Buffer.from(JSON.stringify([scope, place])).toString('base64url'),
    );
    expect((await page(`2036-11-20&cursor=${body.next}`)).body.entries.map(({ rank }) => rank)).toEqual([3, 4]);
    for (const query of [`2036-11-21&cursor=${body.next}`, ...forged.map((cursor) => `2036-11-20&cursor=${cursor}`)]) {
      expect(await page(query)).toMatchObject({ status: 400, body: { type: 'urn:laurel:problem:invalidCursor' } });
    }
  });
});

describe('the history of a user', () => {
  const firstMs = Date.parse('2036-01-01T08:00:00Z');
  const key = (day: number) => new Date(firstMs + day * dayMs).toISOString().slice(0, 10);
  const rows = ({ entries }: RankHistory) =>
    entries.map(({ period, rank, score, total }) => [period.key, period.state, rank, score, total]);

  it('reaches every period, however many there are, without looking through all of them at once', async () => {
    const { app, clock, archive, earn, dropDay } = await beginDays();
    for (let day = 0; day < 230; day += 1) {
      clock.set(firstMs + day * dayMs);
      await earn(day % 100 === 0 ? { ada: 1 } : { bob: 1 });
      // Every third day was never archived.
      if (day % 3 === 0) continue;
      await dropDay(key(day));
    }
    const found: unknown[] = [];
    let pages = 0;
    for (let query = ''; ;) {
      const { body } = await app.get<RankHistory>(`/ranks/day/users/ada/history${query}`);
      pages += 1;
      found.push(...rows(body).map(([day]) => day));
      if (body.next === null) break;
      query = `?cursor=${encodeURIComponent(body.next)}`;
    }
    expect(found).toEqual([200, 100].map(key));
    expect(pages).toBeGreaterThan(1);
    expect(archive.calls.history).toBe(pages);
  });

  it('gives a year of points of a user, wherever its days lie, and refuses more', async () => {
    const { app, clock, earn, dropDay } = await beginDays();
    const wanted: string[] = [];
    for (let day = 0; day < 366; day += 5) {
      clock.set(firstMs + day * dayMs);
      await earn({ ada: 1 });
      wanted.push(key(day));
      // The last month's boards live, and are yet to be settled.
      if (day >= 335) continue;
      await dropDay(key(day));
    }
    clock.set(firstMs + 365 * dayMs);
    const { body } = await app.get<RankPoints>('/ranks/day/users/ada/points');
    expect([body.from, body.to]).toEqual(['2036-01-01', '2036-12-31']);
    expect(body.periods.map(({ period }) => period)).toEqual(wanted);
    for (const query of ['?from=2035-12-31', '?from=2036-02-30', '?from=x', '?to=2036-01-01&from=2036-01-02']) {
      expect([query, (await app.get(`/ranks/day/users/ada/points${query}`)).status]).toEqual([query, 400]);
    }
    expect((await app.get('/ranks/month/users/ada/points?from=2027-01-01')).status).toBe(200);
  });
});
