import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { waitUntil } from '../support/wait-until';
import { startBrowser } from './support/browser';
import { compared, montage, whyNotHere } from './support/pictures';

const built = join(__dirname, '../../dist/apps/web');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const origin = 'http://laurel.test';
const now = '2026-11-20T12:00:00.000Z';

const day = { key: '2026-11-20', start: '2026-11-20T00:00:00.000Z', end: '2026-11-21T00:00:00.000Z', state: 'open' };
const month = { key: '2026-11', start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z', state: 'open' };
const standings = (leaderboard: string, period: typeof day) => ({
  ...{ leaderboard, period, ranking: 'ordinal', timezone: 'UTC', asOf: now, total: 0, entries: [], next: null },
});

/** The answers of a community in which nobody has done anything. */
const nothing: Readonly<Record<string, unknown>> = {
  '/ranks': {
    leaderboards: [
      { name: 'day', period: 'day', timezone: 'UTC', current: day },
      { name: 'month', period: 'month', timezone: 'UTC', current: month },
    ],
  },
  '/ranks/day': standings('day', day),
  '/ranks/month': standings('month', month),
  '/points': { actions: [{ action: 'praise', points: 2 }] },
  '/articles': { articles: [], next: null },
  '/activity/settlement': { isOn: true, leaderboards: [] },
  '/activity/leaderboards': { leaderboards: [] },
  '/activity/refusals': { refusals: [] },
  '/activity/exclusions': { exclusions: [], next: null },
  '/activity/adjustments': { adjustments: [] },
  '/activity/reviews': { reviews: [] },
  '/submissions': { submissions: [], next: null },
  '/activity/rules': { version: 1, revision: 1, since: now, source: 'options', rules: [], limits: [] },
};

/** How the server is: it answers, has nothing to say, or cannot be reached. */
type Server = 'empty' | 'silent' | 'failing' | 'unreached';

const states: readonly { name: string; path: string; server: Server; sign: string; height?: number }[] = [
  { name: 'leaderboard-empty', path: '/', server: 'empty', sign: '[data-nothing]' },
  { name: 'leaderboard-loading', path: '/', server: 'silent', sign: 'h1' },
  { name: 'leaderboard-failing', path: '/', server: 'failing', sign: '#notice' },
  { name: 'articles-empty', path: '/read', server: 'empty', sign: '[data-nothing]' },
  { name: 'articles-loading', path: '/read', server: 'silent', sign: 'h1' },
  { name: 'articles-offline', path: '/read', server: 'unreached', sign: '[role=alert]' },
  { name: 'person-missing', path: '/people/7', server: 'empty', sign: '[role=alert]' },
  { name: 'operators-empty', path: '/operators', server: 'empty', sign: '#rules textarea', height: 1_200 },
  { name: 'operators-loading', path: '/operators', server: 'silent', sign: '#refusals', height: 1_200 },
  { name: 'operators-failing', path: '/operators', server: 'failing', sign: '#rules [role=alert]', height: 1_200 },
];

const problem = (status: number) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: '', status, detail: '' }),
});

/** Answers as the built pages and a server in this state do. */
async function answer(route: Route, server: Server): Promise<void> {
  const { pathname } = new URL(route.request().url());
  const file = join(built, pathname);
  const isPage = route.request().isNavigationRequest();
  if (isPage || (extname(file) in types && existsSync(file))) {
    const served = isPage ? join(built, 'index.html') : file;
    return route.fulfill({ contentType: types[extname(served)] ?? '', body: await readFile(served) });
  }
  if (server === 'silent') return;
  if (server === 'unreached') return route.abort();
  if (server === 'failing') return route.fulfill(problem(500));
  const json = nothing[pathname];
  return route.fulfill(json === undefined ? problem(404) : { json, headers: { date: new Date(now).toUTCString() } });
}

const still = { animations: 'disabled', caret: 'hide' } as const;
/** Charts take the width of their card in the frame after it has changed. */
const drawnAnew = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** Waits until all answers are drawn: until a picture is as the one before. */
async function settled(page: Page): Promise<void> {
  let last = await page.screenshot(still);
  await waitUntil(
    async () => {
      const next = await page.screenshot(still);
      const isSame = next.equals(last);
      last = next;
      return isSame;
    },
    { everyMs: 150, what: 'a page that stays as it is' },
  );
}

const why = whyNotHere();
const inPictures = why === null ? it : it.skip;

describe('the pages, in pictures', () => {
  let browser: Browser;
  beforeAll(async () => {
    if (why === null) browser = await startBrowser();
  });
  afterAll(async () => {
    if (why === null) await browser.close();
  });

  async function open(locale: string, { path, server }: (typeof states)[number]): Promise<Page> {
    const context = await browser.newContext({
      ...{ locale, timezoneId: 'UTC', reducedMotion: 'reduce', deviceScaleFactor: 0.5 },
    });
    await context.addInitScript(`sessionStorage['laurel-operator-key'] = 'a key'`);
    const page = await context.newPage();
    await page.clock.setFixedTime(now);
    await page.route('**/*', (route) => answer(route, server));
    await page.goto(origin + path);
    return page;
  }

  inPictures.each(states)(
    `$name looks as it did, in all sizes, languages and colours${why === null ? '' : ` (skipped: ${why})`}`,
    async (state) => {
      const { name, sign, height = 640 } = state;
      const rows: Buffer[][] = [];
      for (const locale of ['en-GB', 'zh-CN']) {
        const page = await open(locale, state);
        await page.locator(sign).first().waitFor();
        if (state.server !== 'silent') await page.waitForLoadState('networkidle');
        await settled(page);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const row: Buffer[] = [];
          for (const width of [320, 390, 1_280]) {
            await page.setViewportSize({ width, height });
            await page.evaluate(drawnAnew);
            row.push(await page.screenshot(still));
          }
          rows.push(row);
        }
        await page.context().close();
      }
      expect(await compared(name, await montage(browser, rows))).toBeNull();
    },
  );
});
