import { systemClock } from '@laurel/leaderboard';
import type { Page, Request } from 'playwright-core';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { waitUntil } from '../support/wait-until';
import { focused, pressOn, tabTo, typeInto } from './support/keyboard';
import { apiKey, ask, keepScreenshot, ownSite, Person, untilPoints } from './support';
import { dayMs, minuteMs } from '../support/clock';

/** Runs in the page, where this program's types know nothing: pretends that its tab is hidden, or shown. */
const hiding = (isHidden: boolean) => `
  Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));`;

/** Runs in the page: notes in `window.presses` where it stands whenever a button of the mouse goes down or up. */
const notingPresses = `
  window.presses = [];
  for (const type of ['mousedown', 'mouseup']) addEventListener(type, () => window.presses.push(scrollY));`;

const hostileName = '<img src=x onerror=alert(1)>';
/** How long somebody presses a button of the mouse. */
const pressMs = 120;
const maxScriptBytes = 150 * 1_024;
/** A round trip each, where the network is slow. */
const maxRequests = 12;

describe('the leaderboard page', () => {
  /** How far ahead of the real time the community is. */
  let aheadMs = 0;
  const site = ownSite(() => ({ latenessMs: 20 * dayMs, clock: { now: () => systemClock.now() + aheadMs } }));
  let people: Person[];
  let yesterday: string;

  beforeAll(async () => {
    const { app } = site.community;
    people = [];
    for (const name of ['Ada', hostileName, 'Grace', 'Edsger', 'Barbara']) {
      people.push(await Person.register(app, name));
    }
    const [ada, hostile, grace, edsger, barbara] = people as [Person, Person, Person, Person, Person];
    await ada.does('PUT', '/profile/text', { text: 'Counts machines.' });
    const articles = [await ada.writes(), await ada.writes(), await hostile.writes()];
    await grace.comments(articles[0] ?? '');
    await edsger.does('PUT', `/articles/${articles[0]}/praise`);
    await untilPoints(app, edsger, 2);
    await barbara.does('PUT', `/articles/${articles[0]}/praise`);
    await untilPoints(app, barbara, 2);
    const { body } = await ask<{ period: { start: string } }>(app, 'GET', '/ranks/day');
    const occurredAt = new Date(Date.parse(body.period.start) - dayMs / 2).toISOString();
    yesterday = occurredAt.slice(0, 10);
    const events = [grace, grace, hostile].map(({ id: userId }, i) => ({
      userId,
      action: 'publish',
      subject: `article:old-${i}`,
      occurredAt,
    }));
    await ask(app, 'POST', '/activity/events', { token: apiKey, body: { events } });
    for (const person of [ada, hostile]) await untilPoints(app, person, person === ada ? 20 : 10);
  });

  const names = (page: Page) => page.locator('[data-user-id] a').allTextContents();
  const lineOf = (page: Page, person: Person | undefined) => page.locator(`[data-user-id="${person?.id}"]`);
  const shown = (page: Page) => page.locator('[data-user-id]').first().waitFor();

  it('shows who leads, with names and texts as they are, pictures, points, ties, titles and places won or lost', async () => {
    const { page } = await site.open('', { viewport: { width: 1280, height: 1000 } });
    await shown(page);
    expect(await names(page)).toEqual(['Ada', hostileName, 'Grace', 'Edsger', 'Barbara']);
    const ranks = await page.locator('[data-fact="rank"] > [aria-hidden]').allTextContents();
    expect(ranks.join(' ')).toBe('1 2 3 4= 4=');
    expect(await page.locator('[data-fact="score"]').allTextContents()).toEqual(['20', '10', '3', '2', '2']);
    // Asked anew each time: the page's policy forbids a text that is run in it again and again.
    await waitUntil(() => page.evaluate('[...document.images].every((image) => image.naturalWidth > 0)'));
    expect(await page.locator('#total').textContent()).toBe('5 people');
    expect(await page.locator('#state').textContent()).toBe('Open');
    expect(await lineOf(page, people[2]).locator('[data-title]').textContent()).toBe('Busiest commenter');
    // Yesterday Grace led with two articles, before one whose name is hostile; the others were not there.
    const places = (person: Person | undefined) => lineOf(page, person).getByRole('img');
    expect(await places(people[2]).getAttribute('aria-label')).toBe('2 places down since the period before');
    expect(await places(people[0]).count()).toBe(0);
    expect(await lineOf(page, people[0]).textContent()).toContain('Counts machines.');
    await page.locator('#rules dt').first().waitFor();
    expect(await page.locator('#rules').textContent()).toMatch(/Publish an article\s*\+10/);
    await keepScreenshot(page, 'leaderboard');
  });

  it('pins my own line, with the gap to the next place and my percentile, and shows who is around me', async () => {
    const { page } = await site.open('', { as: people[3] });
    await page.locator('#own-score', { hasText: '2 points' }).waitFor();
    expect(await page.locator('#own-rank').textContent()).toBe('4=');
    expect(await page.locator('#own-gap').textContent()).toBe('1 point to the next place');
    expect(await page.locator('#own-percentile').textContent()).toMatch(/^ahead of \d+%$/);
    await page.getByRole('button', { name: 'Around me' }).click();
    await page.locator('[data-own][data-found]').waitFor();
    expect(page.url()).toContain(`around=${people[3]?.id}`);
    await page.getByRole('button', { name: 'To the top' }).click();
    await page.locator('[data-user-id][data-place="1"]').waitFor();
  });

  it('finds people with the ranks of the board, and jumps to nobody whom an earlier name found', async () => {
    const { page } = await site.open();
    await shown(page);
    const search = page.getByRole('combobox', { name: 'Find a person' });
    for (const name of ['Edsger', 'Barbara']) {
      await search.fill(name);
      await page.getByRole('option', { name: new RegExp(`${name} Rank 4`) }).waitFor();
    }
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/users\?name=Gra/, async (route) => {
      await released;
      await route.continue();
    });
    await search.fill('Gra');
    expect(await page.getByRole('option', { name: /Barbara/ }).getAttribute('aria-disabled')).toBe('true');
    await search.press('Enter');
    expect(page.url()).toBe(site.url);
    release?.();
    await page.getByRole('option', { name: /Grace Rank 3/ }).waitFor();
    await search.press('Enter');
    await page.locator('[data-found]', { hasText: 'Grace' }).waitFor();
  });

  it('leads to earlier periods by a step, by the calendar and by the address, and back to now', async () => {
    const { page } = await site.open();
    await shown(page);
    await page.getByRole('button', { name: 'Earlier period' }).click();
    await page.locator('#state', { hasText: 'Closing' }).waitFor();
    expect(await names(page)).toEqual(['Grace', hostileName]);
    expect(page.url()).toContain(`period=${yesterday}`);
    await keepScreenshot(page, 'past-day');
    await page.getByRole('button', { name: 'To now' }).click();
    await lineOf(page, people[0]).waitFor();
    await page.getByLabel('Go to the period of a day').fill(yesterday);
    await page.locator('#state', { hasText: 'Closing' }).waitFor();
    await page.goBack();
    await lineOf(page, people[0]).waitFor();
    await page.goto(`${site.url}board/month?period=2001-02`);
    await page.getByText('Nobody earned points in this period.').waitFor();
  });

  it('shows days from one to another as one ranking, by the calendar and by the address, in both languages', async () => {
    const { page } = await site.open();
    await shown(page);
    await page.getByLabel('All days since').fill(yesterday);
    await lineOf(page, people[2]).locator('[data-fact="score"]', { hasText: '23' }).waitFor();
    expect(await names(page)).toEqual(['Grace', 'Ada', hostileName, 'Edsger', 'Barbara']);
    expect(await page.locator('[data-fact="score"]').allTextContents()).toEqual(['23', '20', '20', '2', '2']);
    const address = page.url();
    expect(address).toContain(`?period=${yesterday}..`);
    const days = await page.locator('label:has([type=date])').allTextContents();
    expect(days.join(' ')).toMatch(/^\d+ [A-Z]\w+ – \d+ [A-Z]\w+$/);
    await page.getByRole('combobox', { name: 'Find a person' }).fill('Grace');
    await page.getByRole('option', { name: 'Grace' }).click();
    await page.locator('[data-found]', { hasText: 'Grace' }).waitFor();
    await page.getByLabel('Last of these days').fill(yesterday);
    await page.locator('#state', { hasText: 'Closing' }).waitFor();
    expect(await names(page)).toEqual(['Grace', hostileName]);
    const chinese = await site.open(address.slice(site.url.length), { locale: 'zh-CN', as: people[2] });
    await chinese.page.locator('#own-score', { hasText: '23' }).waitFor();
    expect(await chinese.page.getByLabel('起始日期').inputValue()).toBe(yesterday);
    expect(await chinese.page.locator('h1').textContent()).toMatch(/^\d{4}\D.* – /);
  });

  it('goes to the day that is typed once it is whole, and to none before 1970', async () => {
    const { page } = await site.open('board/week');
    const places: string[] = [];
    page.on('framenavigated', (frame) => places.push(frame.url().slice(site.url.length)));
    const picker = page.getByLabel('Go to the period of a day');
    await picker.focus();
    const opacity = () => page.evaluate('getComputedStyle(document.activeElement).opacity');
    expect(await opacity()).toBe('0');
    const monday = await picker.inputValue();
    // March 3, in whatever order this browser has them.
    await page.keyboard.type('0303');
    // The page is drawn anew meanwhile.
    await page.clock.install();
    await page.clock.fastForward(minuteMs);
    await page.keyboard.type('2025');
    expect([...places, await opacity()]).toEqual(['1']);
    await page.keyboard.press('Enter');
    await page.locator('#period', { hasText: 'Week 10 of 2025' }).waitFor();
    expect(places).toEqual(['board/week?period=2025-W10']);
    expect(await focused(page)).toBe('Go to the period of a day');
    // The year alone, and left by Tab.
    const typesYear = async (year: string) => {
      await picker.focus();
      for (const key of ['ArrowRight', 'ArrowRight', ...year]) await page.keyboard.press(key);
    };
    await typesYear('2024');
    await tabTo(page, page.getByRole('button', { name: 'To now' }));
    await page.locator('#period', { hasText: 'Week 9 of 2024' }).waitFor();
    await typesYear('2');
    await page.keyboard.press('Enter');
    expect(await picker.inputValue()).toBe('0002-02-26');
    await picker.blur();
    expect(await picker.inputValue()).toBe('2024-02-26');
    expect(places).toEqual(['board/week?period=2025-W10', 'board/week?period=2024-W09']);
    await page.goBack();
    await page.goBack();
    await page.locator('#state', { hasText: 'Open' }).waitFor();
    expect(await picker.inputValue()).toBe(monday);
  });

  it('knows that the last line it shows is tied with one that it does not', async () => {
    const occurredAt = new Date(Date.parse(`${yesterday}T12:00:00Z`) - 3 * dayMs).toISOString();
    const events = Array.from({ length: 21 }, (_, i) => {
      return { userId: `${1_000 + i}`, action: i < 19 ? 'publish' : 'praise', subject: 'article:older', occurredAt };
    });
    const { app } = site.community;
    expect((await ask(app, 'POST', '/activity/events', { token: apiKey, body: { events } })).status).toBeLessThan(300);
    const { page } = await site.open(`?period=${occurredAt.slice(0, 10)}`);
    await page.locator('#total', { hasText: '21 people' }).waitFor();
    const ranks = page.locator('[data-fact="rank"] > [aria-hidden]');
    expect(await ranks.count()).toBe(20);
    expect(await ranks.last().textContent()).toBe('20=');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('[data-user-id][data-place="21"]').waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  it('scrolls to the user that is looked for, announces their rank once, and takes no user there for the leader', async () => {
    const { app } = site.community;
    const occurredAt = new Date(Date.parse(`${yesterday}T12:00:00Z`) - 5 * dayMs).toISOString();
    const happens = async (...done: readonly (readonly [userId: string | undefined, action: string])[]) => {
      const events = done.map(([userId, action]) => ({ userId, action, subject: 'article:oldest', occurredAt }));
      const { status } = await ask(app, 'POST', '/activity/events', { token: apiKey, body: { events } });
      expect(status).toBeLessThan(300);
    };
    const others = Array.from({ length: 13 }, (_, i) => `${2_000 + i}`);
    const ahead = others.slice(0, 6).map((userId) => [userId, 'comment'] as const);
    await happens(...others.map((userId) => [userId, 'publish'] as const), ...ahead, [people[2]?.id, 'praise']);
    const { page } = await site.open(`?period=${occurredAt.slice(0, 10)}`, {
      as: people[0],
      viewport: { width: 375, height: 700 },
      reducedMotion: 'reduce',
    });
    await page.clock.install();
    await page.locator('#own').waitFor();
    const search = page.getByRole('combobox', { name: 'Find a person' });
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox()) ?? { y: -1, height: 0 };
    /** Between the head of the window and one's own line. */
    const isInSight = async () => {
      const { y, height } = await boxOf('[data-found]');
      return y >= 0 && y + height <= (await boxOf('#own')).y;
    };
    const look = async () => {
      await search.fill('Grac');
      // Those who were found before are shown meanwhile, and cannot be chosen.
      const option = page.getByRole('option', { name: /Grace Rank 14/, disabled: false });
      await option.and(page.locator('[data-highlighted]')).waitFor();
      await search.press('Enter');
      await page.locator('[data-found]', { hasText: 'Grace' }).waitFor();
    };
    await look();
    expect(await isInSight()).toBe(true);
    const said = page.locator('#announcement');
    expect(await said.textContent()).toBe('Grace is on rank 14 with 2 points.');
    await said.locator('> *').evaluate((node) => (node.id = 'said-before'));

    await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
    const last = others.at(-1);
    await happens([last, 'comment'], [last, 'praise']);
    await page.locator(`[data-user-id="${last}"]`).waitFor({ state: 'detached' });
    expect(await isInSight()).toBe(false);
    // What has to wait until something else was said is said by then.
    await page.clock.fastForward(6_000);
    expect(await said.textContent()).toBe('Grace is on rank 14 with 2 points.');
    // A second search for the same user leads there again.
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await look();
    await waitUntil(isInSight, { what: 'Grace in sight' });
    expect(await page.locator('#said-before').count()).toBe(0);

    // A press ends the gliding: otherwise what is pressed may move from under the pointer, and the click is lost.
    await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
    await waitUntil(async () => !(await isInSight()));
    await page.evaluate(notingPresses);
    await page.mouse.move(2, 350);
    await look();
    await waitUntil(() => page.evaluate<boolean>('scrollY > 0'), { everyMs: 1 });
    await page.mouse.down();
    await delay(pressMs);
    await page.mouse.up();
    const [down, up] = await page.evaluate<number[]>('window.presses');
    expect(up).toBe(down);
    await look();
    await waitUntil(isInSight, { what: 'Grace in sight again' });

    await page.getByRole('button', { name: '中文' }).click();
    // No click: a pointer that scrolls and presses within one frame, as none does, may press what was there before.
    await page.getByRole('button', { name: '回到榜首' }).press('Enter');
    // Who leads is news only after the top was shown: a line of it moves first.
    await page.getByRole('button', { name: '回到榜首' }).waitFor({ state: 'detached' });
    await happens([others[0], 'view']);
    const hasMoved = async () => {
      await page.clock.fastForward(60_000);
      return (await page.locator(`[data-user-id="${others[0]}"] [data-fact="score"]`).textContent()) === '14';
    };
    await waitUntil(hasMoved, { what: 'the top with what came after it was asked for' });
    // Not the reader, who hears of their own rank too. A question that is under way may find them short of 16.
    const leader = people[4]?.id;
    await happens([leader, 'publish'], [leader, 'comment'], [leader, 'praise'], [leader, 'view']);
    const isSaid = async () => {
      await page.clock.fastForward(60_000);
      return /^Barbara 以 1\d 分领先。$/.test((await said.textContent()) ?? '');
    };
    await waitUntil(isSaid, { what: 'who leads to be announced' });
  });

  it('moves upon what somebody does, without being loaded again', async () => {
    const { page } = await site.open();
    await shown(page);
    await page.locator('#connection[data-state="live"]').waitFor();
    await page.evaluate(`document.querySelector('[data-user-id="${people[4]?.id}"]').dataset.mark = 'kept'`);
    await lineOf(page, people[4]).getByRole('link').focus();
    await people[4]?.writes();
    await page.locator('[data-user-id][data-place="2"]', { hasText: 'Barbara' }).waitFor();
    expect(await lineOf(page, people[4]).getAttribute('data-mark')).toBe('kept');
    expect(await lineOf(page, people[4]).locator('[data-fact="score"]').textContent()).toBe('12');
    expect(await page.locator('#movements').textContent()).toContain('Barbara');
    // The line took the focus with it.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Barbara');
  });

  it('lets lines glide to their new places, and stand there at once for who wants no motion', async () => {
    const glides = `(() => {
      window.glides = 0;
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...given) { window.glides += 1; return animate.apply(this, given); };
    })()`;
    const pages: Page[] = [];
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      const { page } = await site.open('', { reducedMotion, before: (blank) => blank.addInitScript(glides) });
      await shown(page);
      await page.locator('#connection[data-state="live"]').waitFor();
      pages.push(page);
    }
    // This user passes Grace.
    const article = await people[0]?.writes();
    await people[3]?.comments(article ?? '');
    await people[3]?.does('PUT', `/articles/${article}/collect`);
    for (const page of pages)
      await lineOf(page, people[3]).locator('[data-fact="score"]', { hasText: /^7$/ }).waitFor();
    const [moving, still] = await Promise.all(pages.map((page) => page.evaluate<number>('window.glides')));
    expect(moving).toBeGreaterThan(0);
    expect(still).toBe(0);
    const running = (page: Page) =>
      page.evaluate<number>(
        'document.getAnimations().filter((a) => a.effect.getComputedTiming().activeDuration > 1 && !a.effect.target.matches("[data-gained]")).length',
      );
    expect(await running(pages[1] as Page)).toBe(0);
  });

  it('listens by one stream, and to none while nobody looks', async () => {
    const { page } = await site.open();
    const isStream = (address: string) => address.includes('/stream');
    let streams = 0;
    page.on('request', (request) => (streams += isStream(request.url()) ? 1 : 0));
    const end = (request: Request) => (streams -= isStream(request.url()) ? 1 : 0);
    page.on('requestfinished', end).on('requestfailed', end);
    const streaming = page.waitForRequest((request) => isStream(request.url()));
    await page.reload();
    await streaming;
    await shown(page);
    expect(streams).toBe(1);
    const ended = page.waitForEvent('requestfailed', (request) => isStream(request.url()));
    await page.evaluate(hiding(true));
    await ended;
    const again = page.waitForRequest((request) => isStream(request.url()));
    await page.evaluate(hiding(false));
    await again;
    expect(streams).toBe(1);
  });

  it.each([
    ['too many are open of one address', 429, 'urn:laurel:problem:tooManyStreams'],
    ['too many are open in all', 503, 'urn:laurel:problem:overloaded'],
  ])('asks by itself where %s, and listens again once there is room', async (_, status, type) => {
    const isStream = '**/stream?**';
    const states: string[] = [];
    const { page } = await site.open('', {
      expects: /^Failed/,
      before: async (blank) => {
        await blank.clock.install();
        await blank.exposeFunction('noteState', (state: string) => states.push(state));
        await blank.addInitScript(`new MutationObserver(() => {
      const { state } = document.querySelector('#connection')?.dataset ?? {};
      if (state) window.noteState(state);
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-state'] })`);
        await blank.route(isStream, (route) => route.fulfill({ status, json: { status, type } }));
      },
    });
    // The page's time goes on by itself, second by second: it asks again.
    for (let times = 0; times < 2; times += 1) await page.waitForResponse(/\/ranks\/day\?/);
    await shown(page);
    await page.locator('#connection[data-state="live"]').waitFor();
    await page.unroute(isStream);
    const listening = page.waitForResponse((response) => response.url().includes('/stream?') && response.ok());
    await page.clock.fastForward(90_000);
    await listening;
    await page.locator('#connection[data-state="live"]').waitFor();
    expect(states).not.toContain('away');
  });

  it('is used by keyboard alone', async () => {
    const { page } = await site.open();
    await shown(page);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await pressOn(page, page.getByRole('link', { name: 'Week' }));
    await page.locator('#period', { hasText: /^Week \d+ of \d{4}$/ }).waitFor();
    expect(page.url()).toMatch(/board\/week$/);
    await pressOn(page, page.getByRole('link', { name: 'Day', exact: true }), 'Shift+Tab');
    await page.waitForURL(site.url);
    expect(await focused(page)).toBe('Day');
    await pressOn(page, page.getByRole('link', { name: 'Week' }));
    const search = page.getByRole('combobox', { name: 'Find a person' });
    await typeInto(page, search, 'grac');
    await page.getByRole('option', { name: /Grace/ }).waitFor();
    // Quicker than the page is drawn: no letter is lost.
    expect(await search.inputValue()).toBe('grac');
    await page.keyboard.press('Enter');
    await page.locator('[data-found]', { hasText: 'Grace' }).waitFor();
    await pressOn(page, page.locator('[data-found] a'));
    await page.getByRole('heading', { name: 'Grace' }).waitFor();
    await pressOn(page, page.locator('[data-board="week"]'));
    await page.locator('[data-found]', { hasText: 'Grace' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
  });

  it('speaks the language that the browser asks for, and the one that is chosen, also the next time', async () => {
    const { page } = await site.open('', { locale: 'zh-CN' });
    await page.getByRole('link', { name: '排行榜' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('link', { name: 'Leaderboard', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Leaderboard', exact: true }).waitFor();
  });

  it('asks for the points of today on other pages alone: the stream of the day tells them', async () => {
    const own = `/ranks/day/users/${people[0]?.id}`;
    const asksForOwn = (request: Request) => new URL(request.url()).pathname === own;
    let asked = 0;
    const { page } = await site.open('', {
      as: people[0],
      before: async (blank) => {
        blank.on('request', (request) => (asked += asksForOwn(request) ? 1 : 0));
        await blank.clock.install();
      },
    });
    await page.locator('#own-today').waitFor();
    /** Lets time pass; what is asked then is asked before this is answered. */
    const wait = async (ms: number) => {
      await page.clock.runFor(ms);
      await page.evaluate(`fetch('/health/live').then(() => undefined)`);
    };
    // The whole of the own line may be read once more.
    await wait(12_000);
    const before = asked;
    await wait(12_000);
    expect(asked).toBe(before);

    const today = page.locator('#own-today');
    const shownBefore = await today.textContent();
    await people[0]?.writes();
    await waitUntil(async () => (await today.textContent()) !== shownBefore, { what: 'more points of today' });
    await Promise.all([
      page.waitForRequest(asksForOwn),
      page.getByRole('banner').getByRole('link', { name: 'Articles' }).click(),
    ]);
  });

  it('keeps its budget: script under 150 kB compressed, few requests until standings are in sight', async () => {
    // A browser that runs, and a profile that knows nothing of the community.
    const page = await site.browser.newPage();
    const scripts: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.body());
    });
    let requests = 0;
    page.on('request', () => (requests += 1));
    await page.goto(site.url, { waitUntil: 'commit' });
    await page.evaluate(`new Promise((seen) => {
      const look = () => document.querySelector('[data-user-id]') ? seen() : requestAnimationFrame(look);
      look();
    })`);
    const firstRequests = requests;
    const bodies = await Promise.all(scripts);
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
    // Of the other language its name alone; of the operators' page nothing.
    expect(bodies.join('')).not.toMatch(/排行榜|activity\/exclusions/);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(maxScriptBytes);
    expect(firstRequests).toBeLessThanOrEqual(maxRequests);
  });

  it('answers at addresses that are no page with a problem, and people with the way back', async () => {
    for (const path of ['nothing-here', 'assets/nothing.js', 'readme']) {
      const { status, headers } = await fetch(site.url + path);
      expect(`${status} ${headers.get('content-type')}`).toMatch(/^404 application\/problem\+json/);
    }
    const { page } = await site.open('nothing-here', { expects: /^Failed/ });
    await page.getByRole('main').getByRole('link', { name: 'Leaderboard' }).click();
    await shown(page);
  });

  it('tells each minute how long a period lasts, and turns to the next one when it has ended', async () => {
    const { body } = await ask<{ period: { key: string; end: string } }>(site.community.app, 'GET', '/ranks/day');
    const { key: today, end } = body.period;
    const at = (time: number) => ({ before: (blank: Page) => blank.clock.install({ time }) });
    const { page } = await site.open('', at(Date.parse(end) - 191.5 * minuteMs));
    await page.locator('#connection[data-state="live"]').waitFor();
    await page.locator('#remaining', { hasText: 'ends in 3 h 12 min' }).waitFor();
    await page.clock.fastForward(35_000);
    await page.locator('#remaining', { hasText: 'ends in 3 h 11 min' }).waitFor();

    const { page: past } = await site.open(`?period=${today}`, at(Date.parse(end) - minuteMs));
    await shown(past);
    const later = past.getByRole('button', { name: 'Later period' });
    await past.getByLabel('Go to the period of a day').waitFor();
    expect(await later.isDisabled()).toBe(true);

    const { page: person } = await site.open(`people/${people[0]?.id}`, at(Date.parse(end) - minuteMs));
    await person.locator('[data-board="day"]', { hasText: 'Rank 1' }).waitFor();
    expect(await person.locator('[data-date]').last().getAttribute('data-date')).toBe(today);

    const title = await page.locator('#period').textContent();
    aheadMs = dayMs;
    await page.getByText('The podium is free').waitFor();
    expect(await page.locator('#period').textContent()).not.toBe(title);
    await page.getByRole('button', { name: 'Earlier period' }).click();
    await page.locator('#state', { hasText: 'Closing' }).waitFor();
    expect(page.url()).toContain(`period=${today}`);
    expect(await page.locator('#period').textContent()).toBe(title);
    // Pages that show yesterday learn of the new day by their own clock.
    for (const one of [past, person]) await one.clock.fastForward(2 * minuteMs);
    await person.locator('[data-board="day"]', { hasText: 'no points yet' }).waitFor();
    await person.locator(`[data-date="${today}"] + [data-date]`).waitFor();
    await later.click();
    await past.getByText('The podium is free').waitFor();
    expect(past.url()).toBe(site.url);
  });
});
