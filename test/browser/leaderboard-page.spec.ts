import { type RedisServer, startRedis } from '@laurel/servers';
import type { AddressInfo } from 'node:net';
import type { Browser, Page, Request } from 'playwright-core';
import { TestCommunity } from '../community/support/community';
import { Person } from '../community/support/person';
import { untilPoints } from '../community/support/points';
import { keepScreenshot, openPage, startBrowser } from './support/browser';

/** Runs in the page, where this program's types know nothing: pretends that its tab is hidden, or shown. */
const hiding = (isHidden: boolean) => `
  Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));`;

const hostileName = '<img src=x onerror=alert(1)>';

describe('the leaderboard page', () => {
  let redis: RedisServer;
  let community: TestCommunity;
  let browser: Browser;
  let url: string;
  let people: Person[];
  let articles: string[];

  beforeAll(async () => {
    redis = await startRedis();
    community = await TestCommunity.start({ redis: { url: redis.url } });
    await community.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(community.app.getHttpServer().address() as AddressInfo).port}/`;
    browser = await startBrowser();
    people = [];
    for (const name of ['Ada', hostileName, 'Grace', 'Edsger', 'Barbara']) {
      people.push(await Person.register(community.app, name));
    }
    const [ada, hostile, grace, edsger, barbara] = people as [Person, Person, Person, Person, Person];
    articles = [await ada.writes(), await ada.writes(), await hostile.writes()];
    await grace.comments(articles[0] ?? '');
    await edsger.does('PUT', `/articles/${articles[0]}/praise`);
    await untilPoints(community.app, edsger, 2);
    await barbara.does('PUT', `/articles/${articles[0]}/praise`);
    await untilPoints(community.app, barbara, 2);
  });
  afterAll(async () => {
    await browser.close();
    await community.stop();
    await redis.stop();
  });

  const names = (page: Page) => page.locator('.board:not(.loading) .name').allTextContents();
  const lineOf = (page: Page, person: Person | undefined) => page.locator(`.entry[data-user-id="${person?.id}"]`);
  const shown = (page: Page) => page.locator('.board:not(.loading) .entry').first().waitFor();

  it('shows who leads, with names as they are, pictures, points and ranks', async () => {
    const { page, complaints } = await openPage(browser, url, { viewport: { width: 1280, height: 1000 } });
    await shown(page);
    expect(await names(page)).toEqual(['Ada', hostileName, 'Grace', 'Edsger', 'Barbara']);
    expect(await page.locator('.board .rank').allTextContents()).toEqual(['1', '2', '3', '4', '5']);
    expect(await page.locator('.board .score').allTextContents()).toEqual(['20', '10', '3', '2', '2']);
    await page.waitForFunction(`[...document.querySelectorAll('.avatar')].every((image) => image.naturalWidth > 0)`);
    expect(await page.locator('#total').textContent()).toBe('5 people');
    expect(await page.locator('#state').textContent()).toBe('Open');
    expect(await page.locator('.tied .name').allTextContents()).toEqual(['Edsger', 'Barbara']);
    await page.locator('#rules dt').first().waitFor();
    expect(await page.locator('#rules').textContent()).toMatch(/Publish an article\s*\+10/);
    await keepScreenshot(page, 'page-desktop');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows by an arrow how many places were won or lost since the period before', async () => {
    const { page, complaints } = await openPage(browser, url);
    const changes = [3, -1, null, 0, 1];
    await page.route('**/ranks/day?**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { readonly entries: readonly object[] };
      const entries = body.entries.map((entry, i) => ({ ...entry, change: changes[i] }));
      await route.fulfill({ response, json: { ...body, entries } });
    });
    await page.reload();
    await shown(page);
    await lineOf(page, people[0]).locator('.places:visible').waitFor();
    expect(await page.locator('.board .places:visible').allTextContents()).toEqual(['▲ 3', '▼ 1', '▲ 1']);
    expect(await lineOf(page, people[0]).locator('.places').getAttribute('aria-label')).toBe(
      '3 places up since the period before',
    );
    await keepScreenshot(page, 'page-places');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows titles as badges beside the names, as the text that they are', async () => {
    const { page, complaints } = await openPage(browser, url, { viewport: { width: 1280, height: 1000 } });
    await shown(page);
    await lineOf(page, people[2]).locator('.title:visible').waitFor();
    // Grace commented; everyone is new.
    expect(await lineOf(page, people[2]).locator('.title').textContent()).toBe('Busiest commenter');
    expect(await lineOf(page, people[3]).locator('.title').textContent()).toBe('Newcomer of the week');
    await keepScreenshot(page, 'page-titles');

    const titles = [{ id: 'x', name: hostileName }, null, { id: 'long', name: 'W'.repeat(100) }];
    await page.route('**/ranks/day?**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { readonly entries: readonly object[] };
      const entries = body.entries.map((entry, i) => ({ ...entry, title: titles[i % 3] }));
      await route.fulfill({ response, json: { ...body, entries } });
    });
    await lineOf(page, people[0]).locator('.title', { hasText: hostileName }).waitFor();
    expect(await lineOf(page, people[1]).locator('.title').isVisible()).toBe(false);
    await page.setViewportSize({ width: 375, height: 700 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await keepScreenshot(page, 'page-titles-phone');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('moves within two seconds of what somebody does, without being loaded again', async () => {
    const { page, complaints } = await openPage(browser, url);
    await shown(page);
    await page.evaluate(`document.querySelector('[data-user-id="${people[4]?.id}"]').dataset.mark = 'kept'`);
    const startedMs = performance.now();
    await people[4]?.writes();
    await page.locator('.entry[data-place="2"]', { hasText: 'Barbara' }).waitFor({ timeout: 4_000 });
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    expect(await lineOf(page, people[4]).getAttribute('data-mark')).toBe('kept');
    expect(await lineOf(page, people[4]).locator('.score').textContent()).toBe('12');
    expect(await page.locator('#movements').textContent()).toContain('Barbara');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('asks one question at a time, and none while nobody looks', async () => {
    const { page } = await openPage(browser, url);
    const isStandings = (address: string) => address.includes('/ranks/');
    const underWay = new Set<Request>();
    let most = 0;
    let asked = 0;
    page.on('request', (request) => {
      if (!isStandings(request.url())) return;
      asked += 1;
      most = Math.max(most, underWay.add(request).size);
    });
    page.on('requestfinished', (request) => underWay.delete(request));
    page.on('requestfailed', (request) => underWay.delete(request));
    await page.waitForResponse((response) => isStandings(response.url()));
    await page.waitForResponse((response) => isStandings(response.url()));
    expect(most).toBe(1);
    await page.evaluate(hiding(true));
    const before = asked;
    await expect(page.waitForRequest((request) => isStandings(request.url()), { timeout: 3_000 })).rejects.toThrow(
      /Timeout/,
    );
    expect(asked).toBe(before);
    await page.evaluate(hiding(false));
    await page.waitForRequest((request) => isStandings(request.url()));
    await page.context().close();
  });

  it('changes boards by mouse and by keyboard, and remembers the board in its address', async () => {
    const { page, complaints } = await openPage(browser, url);
    await shown(page);
    await page.getByRole('tab', { name: 'Month' }).click();
    await shown(page);
    expect(page.url()).toMatch(/#month$/);
    expect(await page.locator('#period').textContent()).toMatch(/^[A-Z][a-z]+ \d{4}$/);
    await page.keyboard.press('ArrowRight');
    await shown(page);
    expect(await page.getByRole('tab', { name: 'All time' }).getAttribute('aria-selected')).toBe('true');
    expect(await page.evaluate('document.activeElement.id')).toBe('tab-all');
    await page.keyboard.press('Home');
    await shown(page);
    expect(page.url()).toMatch(/#day$/);
    await page.reload();
    await page.getByRole('tab', { name: 'Week' }).click();
    await page.locator('#period', { hasText: /^Week/ }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)('fits a telephone, in %s', async (colorScheme) => {
    const { page, complaints } = await openPage(browser, url, { viewport: { width: 375, height: 700 }, colorScheme });
    await shown(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await keepScreenshot(page, `page-phone-${colorScheme}`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('keeps what it showed while Redis is away, says so, and goes on by itself', async () => {
    const { page } = await openPage(browser, url);
    await shown(page);
    const before = await names(page);
    await redis.stop();
    await page.locator('#notice', { hasText: 'Redis is away' }).waitFor();
    expect(await names(page)).toEqual(before);
    expect(await page.locator('#connection').getAttribute('data-state')).toBe('away');
    await keepScreenshot(page, 'page-redis-away');
    await redis.restart();
    await page.locator('#connection[data-state="live"]').waitFor();
    expect(await page.locator('#notice').isVisible()).toBe(false);
    await page.context().close();
  });

  it('says that it is offline, and goes on when it is not', async () => {
    const { page } = await openPage(browser, url);
    await page.locator('#connection[data-state="live"]').waitFor();
    await page.context().setOffline(true);
    await page.locator('#connection[data-state="offline"]').waitFor();
    await page.context().setOffline(false);
    await page.locator('#connection[data-state="live"]').waitFor();
    await page.context().close();
  });
});

describe('the leaderboard page of a community in which nothing has happened yet', () => {
  let community: TestCommunity;
  let browser: Browser;

  beforeAll(async () => {
    community = await TestCommunity.start();
    await community.app.listen(0, '127.0.0.1');
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await community.stop();
  });

  it('invites to be first', async () => {
    const { port } = community.app.getHttpServer().address() as AddressInfo;
    const { page, complaints } = await openPage(browser, `http://127.0.0.1:${port}/`);
    await page.getByText('The podium is free').waitFor();
    expect(await page.locator('.board .entry').count()).toBe(0);
    await keepScreenshot(page, 'page-empty');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
