import { sampleOf } from '../support/sampled';
import { waitUntil } from '../support/wait-until';
import { apiKey, ask, inspect, ownSite, Person, pressOn, untilPoints } from './support';

describe('a board of the people whom one follows', () => {
  const site = ownSite();
  let ann: Person;
  let cid: Person;
  let eve: Person;

  beforeAll(async () => {
    const { app } = site.community;
    ann = await Person.register(app, 'Ann');
    const bob = await Person.register(app, 'Bob');
    cid = await Person.register(app, 'Cid');
    eve = await Person.register(app, 'Eve');
    for (const [person, points] of [
      [cid, 90],
      [bob, 50],
      [ann, 30],
    ] as const) {
      const body = { userId: person.id, points, reason: 'For the test', id: 'first', leaderboard: 'day' };
      expect((await ask(app, 'POST', '/activity/adjustments', { token: apiKey, body })).status).toBe(200);
    }
    await ann.does('PUT', `/users/${bob.id}/follow`);
    await untilPoints(app, ann, 32);
  });

  const words = [
    ['en-GB', 'People you follow', 'Everyone', 'Neither you nor anybody you follow has points here yet.'],
    ['zh-CN', '我关注的人', '所有人', '你和你关注的人在这个周期里还没有积分。'],
  ] as const;
  it.each(sampleOf(words, 1))(
    'ranks them among one another, and says so where there are none, in %s',
    async (locale, followed, everyone, none) => {
      const { page } = await site.open('', { as: ann, locale });
      const lines = page.locator('ol [data-user-id]');
      const names = async () => (await lines.allTextContents()).map((text) => /Ann|Bob|Cid/.exec(text)?.[0]);
      const isShown = (count: number, what = lines) =>
        waitUntil(async () => (await what.count()) === count, { what: `${count} of ${String(what)}` });
      await isShown(3);
      expect(await names()).toEqual(['Cid', 'Bob', 'Ann']);
      await page.setViewportSize({ width: 320, height: 640 });
      await isShown(2, lines.locator('button:visible'));
      await pressOn(page, page.getByRole('link', { name: followed, exact: true }));
      await page.waitForURL(/\?who=followed$/);
      await isShown(2);
      expect(await names()).toEqual(['Bob', 'Ann']);
      expect(await page.getByRole('link', { name: followed, exact: true }).getAttribute('aria-current')).toBe('true');
      if (locale === 'en-GB') expect(await inspect(page, 'followed')).toEqual([]);
      await pressOn(page, page.getByRole('link', { name: everyone, exact: true }));
      await isShown(3);

      const { page: hers } = await site.open('?who=followed', { as: eve, locale });
      expect(await hers.locator('[data-nothing]').textContent()).toBe(none);
    },
  );

  it('is offered to nobody who is not signed in', async () => {
    const { page } = await site.open('?who=followed');
    await page.locator('ol [data-user-id]').first().waitFor();
    expect(await page.locator('ol [data-user-id]').count()).toBe(3);
    expect(await page.getByRole('link', { name: 'People you follow' }).count()).toBe(0);
  });

  it.each([
    ['en-GB', 'Authors', 'Nobody’s articles have been read or praised this month yet.'],
    ['zh-CN', '作者榜', '这个月还没有人的文章被阅读或点赞。'],
  ])('stands beside one of authors, with what readers give them, in %s', async (locale, name, none) => {
    const { app } = site.community;
    const { page } = await site.open('', { as: ann, locale });
    await pressOn(page, page.getByRole('link', { name, exact: true }));
    await page.waitForURL(/\/board\/authors$/);
    const empty = page.locator('[data-nothing]');
    if (locale === 'en-GB') {
      await empty.waitFor();
      expect(await empty.textContent()).toContain(none);
      const article = await cid.writes();
      await ann.does('PUT', `/articles/${article}/praise`);
      await untilPoints(app, cid, 2, 'authors');
    }
    const line = page.locator('ol [data-user-id]');
    await line.waitFor();
    expect(await line.count()).toBe(1);
    expect(await line.locator('[data-fact="score"]').textContent()).toBe('2');
    expect(await line.textContent()).toContain('Cid');
  });
});
