import { keepScreenshot, noted, otherNotes } from './support/browser';
import { sampleOf } from '../support/sampled';
import { apiKey, ask, dayMs, inspect, ownSite, Person, pressOn, tabTo, untilPoints } from './support';

describe("a person's page", () => {
  const site = ownSite(() => ({ latenessMs: 20 * dayMs, retentionMs: { ledger: 31 * dayMs } }));
  let ada: Person;
  let today: string;
  let earlier: string;
  let longAgo: string;

  beforeAll(async () => {
    const { app } = site.community;
    ada = await Person.register(app, 'Ada');
    const grace = await Person.register(app, 'Grace');
    await ada.comments(await grace.writes({ title: 'On bugs' }));
    await ada.writes();
    await untilPoints(app, ada, 13);
    const { body } = await ask<{ period: { key: string; start: string } }>(app, 'GET', '/ranks/day');
    today = body.period.key;
    const occurredAt = new Date(Date.parse(body.period.start) - 3.5 * dayMs).toISOString();
    earlier = occurredAt.slice(0, 10);
    longAgo = new Date(Date.parse(body.period.start) - 60 * dayMs).toISOString().slice(0, 10);
    const events = [{ userId: ada.id, action: 'praise', subject: 'article:old', occurredAt }];
    await ask(app, 'POST', '/activity/events', { token: apiKey, body: { events } });
  });

  it('shows users their points over time, day by day and line by line', async () => {
    const { page } = await site.open(`people/${ada.id}`, { as: ada, expects: /^Failed/ });
    await page.locator(`[data-date="${today}"][data-level="4"]`).waitFor();
    await page.locator('[data-board="day"]', { hasText: 'Rank 1' }).waitFor();
    await page.locator('#ledger tbody tr', { hasText: 'Publish an article' }).waitFor();
    await page
      .locator('#ledger tbody tr', { hasText: 'Comment on an article' })
      .getByRole('link', { name: 'On bugs' })
      .waitFor();
    expect(await page.getByRole('region', { name: 'What you did in 31 days' }).textContent()).toMatch(
      /Publish an article/,
    );
    await keepScreenshot(page, 'person-own');
    await page.locator(`[data-date="${earlier}"]`).click();
    await page.locator('#ledger tbody tr', { hasText: 'Praise an article' }).waitFor();
    expect(await page.locator('#ledger tbody tr').count()).toBe(1);
    await page.getByLabel('Day', { exact: true }).fill(today);
    await page.locator('#ledger tbody tr', { hasText: 'Comment on an article' }).waitFor();
    // Days stand in the calendar for longer than their ledgers are kept.
    await page.locator(`[data-date="${longAgo}"]`).click();
    await page.locator('#ledger [role="alert"]', { hasText: 'This is no longer kept.' }).waitFor();
    expect(await page.getByText('Nothing was counted on this day.').count()).toBe(0);
    // A year on its way to four digits is no day to be read.
    const read: string[] = [];
    page.on('request', (request) => read.push(/ledger\?date=([\d-]+)/.exec(request.url())?.[1] ?? ''));
    const before = `${Number(longAgo.slice(0, 4)) - 4}${longAgo.slice(4)}`;
    const asked = page.waitForRequest(new RegExp(`ledger.date=${before}`));
    await page.getByLabel('Day', { exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type(before.slice(0, 4));
    await page.keyboard.press('Enter');
    await asked;
    expect(read.filter((date) => date !== '')).toEqual([before]);
  });

  it('explains users their points day by day, by keyboard alone', async () => {
    const { page } = await site.open(`people/${ada.id}`, { as: ada });
    const day = page.getByLabel('Day', { exact: true });
    await page.locator('#ledger tbody tr').first().waitFor();
    await pressOn(page, page.getByRole('button', { name: 'A year' }));
    await page.locator('#looked-at', { hasText: '366 days' }).waitFor();
    const slider = page.getByRole('slider', { name: 'Look at the points of a day' });
    await tabTo(page, slider);
    await page.locator('#looked-at', { hasText: /: \d+ points$/ }).waitFor();
    for (let days = 0; days < 5 && !(await slider.getAttribute('aria-valuetext'))?.endsWith(': 2 points'); days += 1) {
      await page.keyboard.press('ArrowLeft');
    }
    await page.locator('#looked-at', { hasText: /: 2 points$/ }).waitFor();
    await keepScreenshot(page, 'person-chart');
    // The calendar: yesterday, the same day a week before, and the day after the first.
    const calendar = page.getByRole('slider', { name: 'The year, day by day' });
    await tabTo(page, calendar);
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
    expect(await calendar.getAttribute('aria-valuetext')).toMatch(/: 2 points$/);
    await page.keyboard.press('Enter');
    await page.locator('#ledger tbody tr', { hasText: 'Praise an article' }).waitFor();
    await pressOn(page, page.getByText('As a table'));
    await page.locator('details tbody tr').first().waitFor();
    // The calendar goes on from the chosen day.
    expect(await calendar.getAttribute('aria-valuetext')).toMatch(/: 2 points$/);
    expect(await page.locator('details tbody tr').allTextContents()).toEqual([
      expect.stringMatching(/13$/),
      expect.stringMatching(/2$/),
    ]);
    await day.fill(today);
    const before = page.getByRole('button', { name: 'The day before' });
    for (let days = 0; days < 5 && (await day.inputValue()) !== earlier; days += 1) await pressOn(page, before);
    await page.locator('#ledger tbody tr', { hasText: 'Praise an article' }).waitFor();
    expect(await page.locator('[data-date][data-chosen]').getAttribute('data-date')).toBe(earlier);
    await pressOn(page, page.getByRole('button', { name: 'The day after' }));
    await page.getByText('Nothing was counted on this day.').waitFor();
    await pressOn(page, page.getByRole('button', { name: 'Week' }));
    await page.getByRole('button', { name: 'Week', pressed: true }).waitFor();
  });

  it.each([
    ['en-GB', 'Level and badges', 'Level 2', 'First points'],
    ['zh-CN', '等级与徽章', '2 级', '初得积分'],
  ])('shows everybody the level and the badges, in %s', async (locale, name, level, badge) => {
    const { page } = await site.open(`people/${ada.id}`, { locale });
    const rewards = page.getByRole('region', { name });
    await rewards.getByText(level, { exact: true }).waitFor();
    expect(await rewards.locator('[data-title]').allTextContents()).toEqual([badge]);
    if (locale === 'zh-CN') expect(await inspect(page, 'rewards')).toEqual([]);
  });

  const words = [
    ['en-GB', 'Leave the leaderboards', 'Show me again', 'You have left the leaderboards.', 'not shown'],
    ['zh-CN', '退出排行榜', '回到排行榜', '你已退出排行榜。', '不显示'],
  ] as const;
  it.each(sampleOf(words, 1))(
    'takes users off the leaderboards and brings them back, at once, in %s',
    async (locale, out, back, left, not) => {
      const { page } = await site.open(`people/${ada.id}`, { as: ada, locale });
      await pressOn(page, page.getByRole('button', { name: out }));
      await page.getByRole('button', { name: back }).waitFor();
      await page.locator('[data-board="day"]', { hasText: not }).waitFor();
      if (locale === 'en-GB') expect(await inspect(page, 'opted-out')).toEqual([]);
      const { page: others } = await site.open('', { locale });
      await others.locator('[data-user-id], [data-nothing]').first().waitFor();
      expect(await others.locator(`[data-user-id="${ada.id}"]`).count()).toBe(0);
      const { page: own } = await site.open('', { as: ada, locale });
      await own.locator('#own', { hasText: left }).waitFor();
      await pressOn(page, page.getByRole('button', { name: back }));
      await page.locator('[data-board="day"]').filter({ hasNotText: not }).waitFor();
      await own.locator('#own-rank').waitFor();
    },
  );

  it('is found by name from the leaderboard, which jumps to the user’s line', async () => {
    const { page } = await site.open();
    await page.locator('[data-user-id]').first().waitFor();
    await page.getByRole('combobox', { name: 'Find a person' }).fill('DA');
    await page.getByRole('option', { name: /Ada/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator(`[data-found][data-user-id="${ada.id}"]`).waitFor();
  });

  it('says nothing of points to readers who come again, and where days begin to those elsewhere', async () => {
    const reader = await Person.register(site.community.app, 'Reader of the time');
    const { page } = await site.open(`people/${ada.id}`, { as: reader, timezoneId: 'Asia/Kolkata' });
    await noted(page, '+1 · Read a page');
    await page.reload();
    await page.locator('[data-date]').first().waitFor();
    await page.locator('#own-today', { hasText: '1 point today' }).waitFor();
    expect(await otherNotes(page)).toEqual([]);
    await page.goto(site.url);
    await page.locator('#zone', { hasText: 'Days begin at midnight in ' }).waitFor();
    const { body } = await ask<{ leaderboards: { timezone: string }[] }>(site.community.app, 'GET', '/ranks');
    const timezoneId = body.leaderboards[0]?.timezone ?? '';
    const { page: atHome } = await site.open('', { timezoneId });
    await atHome.locator('[data-user-id]').first().waitFor();
    expect(await atHome.locator('#zone').count()).toBe(0);
  });
});
