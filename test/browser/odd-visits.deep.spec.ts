import axe from 'axe-core';
import type { Page, Request } from 'playwright-core';
import { apiKey, ask, noted, ownSite, type PageOptions, Person, typesKey } from './support';

/** As in a browser that blocks all site data: each access to storage is refused. */
const blockStorage = `for (const name of ['localStorage', 'sessionStorage']) {
  Object.defineProperty(window, name, { get: () => { throw new DOMException('Access is denied.', 'SecurityError'); } });
}`;

describe('the pages', () => {
  const site = ownSite();
  let ada: Person;
  let article: string;

  beforeAll(async () => {
    ada = await Person.register(site.community.app, 'Ada');
    article = await ada.writes({ title: 'On sorted sets' });
  });

  /** A page, and every address that it asks for. */
  async function open(path: string, options: PageOptions = {}) {
    const asked: string[] = [];
    const note = (request: Request) => asked.push(new URL(request.url()).pathname);
    const before = (blank: Page) => Promise.resolve(blank.on('request', note));
    return { ...(await site.open(path, { before, ...options })), asked };
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  /** What axe finds of these rules, those of its best practices among them. */
  async function findings(page: Page, rules: readonly string[]): Promise<string[]> {
    await page.evaluate(axe.source);
    const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] });
    const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${options})`);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  it('work where the browser blocks site data: they speak, sign in and take a key until they are left', async () => {
    const { page } = await site.open('', { before: (blank) => blank.addInitScript(blockStorage) });
    await page.locator('[data-user-id]', { hasText: 'Ada' }).waitFor();
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('link', { name: '登录', exact: true }).click();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill('a password of the tests');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.getByRole('link', { name: 'Operators' }).click();
    await page.getByLabel('API key').fill(apiKey);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('#rules textarea').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
  });

  it('link to a user of any id, and ask for that user alone', async () => {
    const { status } = await ask(site.community.app, 'POST', '/activity/events', {
      token: apiKey,
      body: { events: [{ userId: 'team/7?x', action: 'praise', subject: 'article:1' }] },
    });
    expect(status).toBe(200);
    const { page, asked } = await open('', { expects: /^Failed/ });
    await page.locator('[data-user-id="team/7?x"] a').click();
    await page.getByText('There is nothing here.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/people/team%2F7%3Fx');
    await page.goto(`${site.url}?around=team%2F7%3Fx`);
    await page.locator('[data-found][data-user-id="team/7?x"]').waitFor();
    expect(asked).toContain('/ranks/day/users/team%2F7%3Fx/around');
    expect(asked.filter((path) => path.includes('team/7'))).toEqual([]);
  });

  it('ask for no other address than a leaderboard’s, whatever the name of the board', async () => {
    const { page, asked } = await open(`board/..%2Farticles%2F${article}`, { as: ada, expects: /^Failed/ });
    await page.locator('#notice').waitFor();
    expect(asked.filter((path) => path === `/articles/${article}`)).toEqual([]);
  });

  it('say that there is no such board, and offer nothing of it', async () => {
    const { page } = await open('board/nope', { expects: /^Failed/ });
    await page.getByText('There is no such leaderboard.').waitFor();
    await heading(page, 'Leaderboard');
    expect(await page.getByRole('navigation', { name: 'Categories' }).count()).toBe(0);
    expect(await page.getByText('Just now').count()).toBe(0);
    expect(await findings(page, ['empty-heading', 'landmark-unique'])).toEqual([]);
  });

  it('name the period before by its date, and refuse what is no period', async () => {
    const { page } = await open('?period=previous', { expects: /^Failed/ });
    await page.locator('#state[data-state=settled], #state[data-state=closing]').waitFor();
    const title = await page.locator('h1').textContent();
    expect(title).toMatch(/^\w+, \d{1,2} \w+ \d{4}$/);
    await page.getByRole('button', { name: 'Later period' }).click();
    await page.locator('#state[data-state=open]').waitFor();
    await page.goto(`${site.url}?period=nonsense`);
    await page.getByText('There is no such period').waitFor();
    await heading(page, 'Leaderboard');
    expect(await page.getByRole('combobox').count()).toBe(0);
    // What the server cuts by category is shown as the board it is cut of.
    await page.goto(`${site.url}board/category-month`);
    await page.locator('nav [aria-current=page]', { hasText: 'Month' }).waitFor();
    await page.locator('[data-user-id]').first().waitFor();
  });

  it('say that a contest is over once it is settled, though it is the latest of its leaderboard', async () => {
    const { page } = await open('', {
      expects: /^Failed/,
      before: async (blank) => {
        await blank.route('**/ranks/day/stream?*', (route) => route.fulfill({ status: 503 }));
        await blank.route('**/ranks/day?*', async (route) => {
          const response = await route.fetch();
          const { period, ...others } = (await response.json()) as { period: object };
          await route.fulfill({ response, json: { ...others, period: { ...period, state: 'settled' } } });
        });
      },
    });
    await page.locator('#state', { hasText: 'Final' }).waitFor();
    await page.locator('#connection', { hasText: 'Past' }).waitFor();
    expect(await page.getByText('Just now').count()).toBe(0);
  });

  it('let readers follow from the leaderboard, which shows whom they follow', async () => {
    const { page } = await open('', { as: await Person.register(site.community.app, 'Follower') });
    await page.getByRole('button', { name: 'Follow Ada' }).click();
    await noted(page, '+2 · Follow someone');
    await page.reload();
    await page.locator('[data-user-id]').getByRole('button', { name: 'Following Ada', pressed: true }).waitFor();
  });

  it('have landmarks of different names, and headings that say something', async () => {
    const { page } = await open(`people/${ada.id}`, { as: ada, before: typesKey });
    const rules = ['empty-heading', 'landmark-unique', 'scrollable-region-focusable'];
    await page.locator('#ledger tbody tr').first().waitFor();
    expect(await findings(page, rules)).toEqual([]);
    await page.goto(`${site.url}operators`);
    await page.locator('#settlement table').waitFor();
    expect(await findings(page, rules)).toEqual([]);
  });

  it('have a header of one line, and in it the whole name of the reader', async () => {
    const as = await Person.register(site.community.app, 'Ada Lovelace');
    const { page } = await open('', { as, viewport: { width: 1_280, height: 720 } });
    await page.locator('#connection', { hasText: 'Live' }).waitFor();
    await page.locator('#own-today').waitFor();
    const cut = await page.evaluate<string[]>(
      `[...document.querySelectorAll('header :is(button, a > span)')].filter(
        (node) => node.scrollWidth > node.clientWidth + 1 || node.offsetHeight > 40,
      ).map(({ textContent }) => textContent)`,
    );
    expect(cut).toEqual([]);
  });

  it('fit a window of 320 pixels, in which one’s own line hides neither more than an eighth nor the first rank', async () => {
    const { page } = await open('', { as: ada, viewport: { width: 320, height: 640 } });
    await page.locator('[data-user-id]').first().waitFor();
    const own = await page.locator('#own').boundingBox();
    expect(own?.height).toBeLessThanOrEqual(80);
    const first = await page.locator('[data-place="1"] img').boundingBox();
    expect((first?.y ?? 640) + (first?.height ?? 0)).toBeLessThan(own?.y ?? 0);
    // With many points, too, the header has two lines.
    const tall = `(document.querySelector('#own-today').textContent = '1,138 points today', document.querySelector('header').offsetHeight)`;
    expect(await page.evaluate<number>(tall)).toBeLessThan(130);
    const cut = `[...document.querySelectorAll('nav[aria-label=Main] a, nav[aria-label=Categories] [aria-current]')]
      .filter((link) => {
        const { left, right } = link.getBoundingClientRect();
        const around = link.parentElement.parentElement.getBoundingClientRect();
        return left < around.left || right > Math.min(around.right, 320);
      }).map(({ textContent }) => textContent)`;
    expect(await page.evaluate<string[]>(cut)).toEqual([]);
    // The categories are wider than the window; the chosen one is in sight.
    await page.getByRole('link', { name: 'Sports' }).click();
    await page.locator('nav[aria-label=Categories] [aria-current]', { hasText: 'Sports' }).waitFor();
    expect(await page.evaluate<string[]>(cut)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 640 });
    // With many leaderboards no scroll bar shows and all are reached; a wide window has lines of them.
    const tabs = `document.querySelector('nav[aria-label=Leaderboards]')`;
    await page.evaluate(`${tabs}.innerHTML = ${tabs}.innerHTML.repeat(4); ${tabs}.lastChild.focus()`);
    expect(await page.evaluate<number>(`${tabs}.lastChild.getBoundingClientRect().right`)).toBeLessThanOrEqual(390);
    expect(await page.evaluate<number>(`${tabs}.offsetHeight - ${tabs}.clientHeight`)).toBe(0);
    const chip = await page.getByRole('link', { name: 'People you follow' }).boundingBox();
    expect(chip?.height).toBeLessThan(40);
    await page.setViewportSize({ width: 1_280, height: 640 });
    expect(await page.evaluate<number>(`${tabs}.scrollWidth - ${tabs}.clientWidth`)).toBe(0);
  });

  it('say that the points stay where one of two comments is deleted', async () => {
    await ada.comments(article, 'First.');
    await ada.comments(article, 'Second.');
    const { page } = await open(`read/${article}`, { as: ada });
    await page.getByRole('button', { name: 'Delete your comment “First.”' }).click();
    await noted(page, 'Your points stay: another comment of yours counts here.');
  });
});
