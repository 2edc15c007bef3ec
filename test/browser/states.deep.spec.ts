import type { Page } from 'playwright-core';
// Private: the addresses that there are, so that none is forgotten.
import { pages } from '../../apps/web/src/addresses/pages';
import { isLongRun } from '../support/seed';
import { inspect, ownSite, Person, typesKey, untilPoints } from './support';

/** Names that a careless page would trip over: wide, from right to left with pictures, and with many marks. */
const names = {
  wide: '漢字仮名交文之三十二字長之名前也漢字仮名交文之三十二字長之名',
  leftward: 'أدا لوفليس العظيمة 👩‍🚀👩🏽‍💻',
  marked: 'Z\u0338\u031b\u0353a\u0337\u0353\u033dl\u0334\u0330\u035cg\u0336\u0361\u0358o',
  long: 'Wolfeschlegelsteinhausenbergerdorffamili',
};
const longTitle = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const locales = ['en-GB', 'zh-CN'] as const;

const offlineText = 'The server cannot be reached. This page keeps trying.';

/** The pages at which none of these addresses leads. */
function pagesWithout(addresses: readonly string[]): string[] {
  return Object.values(pages).filter((page) => {
    const pattern = new RegExp(`^${page.replace(/:\w+/, '[^/?]+')}(?:\\?|$)`);
    return !addresses.some((address) => pattern.test(address));
  });
}

describe('the pages', () => {
  const site = ownSite();
  let ada: Person;
  let reader: Person;
  let article: string;

  beforeAll(async () => {
    reader = await Person.register(site.community.app, 'Reader');
  });

  /** A page of somebody who has typed the API key, and of a person who is signed in. */
  async function open(locale: (typeof locales)[number], as?: Person): Promise<Page> {
    const expects = /^(Failed to load resource|Couldn't load preload assets|TypeError: Cannot read properties)/;
    const { page } = await site.open('', { locale, as, before: typesKey, expects });
    return page;
  }

  /** Opens each page in its turn and looks at it. */
  async function inspectAll(page: Page, kind: string, pages: readonly (readonly [string, string, string])[]) {
    for (const [name, path, sign] of pages) {
      await page.goto(site.url + path);
      await page.locator(sign).first().waitFor();
      expect(await inspect(page, `${name}-${kind}`)).toEqual([]);
    }
  }

  it('can be read, heard and held in a hand while they are empty', async () => {
    await inspectAll(await open('en-GB'), 'empty', [
      ['leaderboard', '', '[data-nothing]'],
      ['articles', 'read', '[data-nothing]'],
      ['person', `people/${reader.id}`, '[data-date]'],
      ['operators', 'operators', '#refusals [data-nothing]'],
    ]);
  });

  describe('when there are people', () => {
    beforeAll(async () => {
      const { app } = site.community;
      ada = await Person.register(app, names.long);
      article = await ada.writes({ title: longTitle, category: 'technology' });
      for (const name of [names.wide, names.leftward, names.marked]) {
        const other = await Person.register(app, name);
        await other.writes({ title: name });
        await other.comments(article, name.repeat(3));
        await untilPoints(app, other, 13);
      }
      await untilPoints(app, ada, 10);
    });

    it.each(locales)('can be read, heard and held in a hand, in %s', async (locale) => {
      const shown = [
        ['leaderboard', '', '[data-user-id]'],
        ['category', 'board/week?category=technology', '[data-user-id]'],
        ['around', `board/all?around=${ada.id}`, '[data-found]'],
        ['not-on-it', `?around=${reader.id}`, '#not-on-it'],
        ['articles', 'read', '[data-article]'],
        ['article', `read/${article}`, '[data-comment]'],
        ['write', 'write', 'form'],
        ['person', `people/${ada.id}`, '#ledger tbody tr'],
        ['operators', 'operators', '#rules textarea'],
        ['sign-in', 'sign-in?new', 'form'],
        ['nothing', 'read/999999', '[role=alert]'],
        ['no-board', 'board/none', '#notice'],
      ] as const;
      expect(pagesWithout(shown.map(([, path]) => `/${path}`))).toEqual([]);
      // At each commit, each page in one of the languages.
      const inspected = shown.filter((_, i) => isLongRun || i % 2 === locales.indexOf(locale));
      await inspectAll(await open(locale, ada), locale, inspected);
    });

    it('say that they are offline, and go on when they are not', async () => {
      const page = await open('en-GB', ada);
      const offline = page.getByRole('alert').filter({ hasText: offlineText });
      await page.goto(site.url);
      await page.locator('[data-user-id]').first().waitFor();

      const find = page.getByRole('combobox');
      await find.fill('wolf');
      await page.getByRole('option', { name: names.long }).waitFor();
      await page.context().setOffline(true);
      await find.fill('wolfe');
      await page.getByRole('option', { name: 'The server cannot be reached.' }).waitFor();
      await page.locator('#notice', { hasText: offlineText }).waitFor();
      await page.locator('#connection[data-state="offline"]').waitFor();
      expect(await page.locator('[data-user-id] a').count()).toBe(4);
      expect(await inspect(page, 'leaderboard-offline')).toEqual([]);
      await page.keyboard.press('Escape');

      // The program of this page was not loaded yet.
      await page.getByRole('link', { name: 'Articles', exact: true }).click();
      await offline.waitFor();
      expect(await inspect(page, 'articles-offline')).toEqual([]);
      await page.context().setOffline(false);
      await page.getByRole('link', { name: longTitle }).click();
      await page.locator('[data-comment]').first().waitFor();

      // Those of these were.
      const author = page.locator('article').getByRole('link', { name: names.long });
      await author.click();
      await page.locator('[data-board] strong', { hasText: '4' }).first().waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'All articles' }).click();
      await page.getByRole('link', { name: longTitle }).waitFor();
      await page.context().setOffline(true);
      await page.getByRole('link', { name: longTitle }).click();
      await offline.waitFor();
      expect(await inspect(page, 'article-offline')).toEqual([]);
      await page.context().setOffline(false);
      await page.locator('[data-comment]').first().waitFor();
      expect(await offline.count()).toBe(0);
      await page.context().setOffline(true);
      await author.click();
      await offline.waitFor();
      expect(await inspect(page, 'person-offline')).toEqual([]);
      await page.context().setOffline(false);
      await page.locator('[data-board] strong', { hasText: '4' }).first().waitFor();

      await page.goto(`${site.url}operators`);
      await page.locator('#refusals [data-nothing]').waitFor();
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Read again: Refused lately' }).click();
      await offline.waitFor();
      expect(await inspect(page, 'operators-offline')).toEqual([]);
      await page.context().setOffline(false);
      await offline.waitFor({ state: 'detached' });
    });

    it('say that one of them failed, and leave the others be', async () => {
      const page = await open('en-GB', reader);
      await page.goto(`${site.url}read`);
      // As a server of another version may answer.
      await page.route(`**/articles/${article}?*`, (route) => route.fulfill({ json: { title: longTitle } }));
      await page.getByRole('link', { name: longTitle }).click();
      const failed = page.getByRole('alert').filter({ hasText: 'Something went wrong.' });
      await failed.waitFor();
      expect(await inspect(page, 'article-failed')).toEqual([]);
      await page.getByRole('link', { name: 'Articles', exact: true }).click();
      await page.getByRole('link', { name: longTitle }).waitFor();
      expect(await failed.count()).toBe(0);

      await page.getByRole('link', { name: longTitle }).click();
      await failed.waitFor();
      await page.unroute(`**/articles/${article}?*`);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('[data-comment]').first().waitFor();
    });
  });
});
