import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { apiKey } from '../community/support/community';
import { Person } from '../community/support/person';
import { untilPoints } from '../community/support/points';
import { keepScreenshot, openPage } from './support/browser';
import { type Site, startSite } from './support/site';

/** A finding of axe, as a failing test shows it. */
interface Finding {
  readonly rule: string;
  readonly impact: string;
  readonly nodes: readonly string[];
}

/** What axe finds serious or critical on what is shown. */
async function findings(page: Page): Promise<Finding[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, nodes }) => ({
      rule: id,
      impact: String(impact),
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }));
}

describe.each(['en-GB', 'zh-CN'] as const)('the pages for those who read by ear, in %s', (locale) => {
  let site: Site;
  let ada: Person;
  let article: string;

  beforeAll(async () => {
    site = await startSite();
    ada = await Person.register(site.community.app, 'Ada');
    const grace = await Person.register(site.community.app, 'Grace');
    article = await ada.writes({ title: 'On sorted sets', category: 'technology' });
    await grace.writes();
    await grace.comments(article);
    await untilPoints(site.community.app, grace, 13);
  });
  afterAll(() => site.stop());

  /** With the API key typed in, as operators do. */
  const asOperator = (page: Page) =>
    page.addInitScript(`sessionStorage['laurel-operator-key'] = ${JSON.stringify(apiKey)}`);

  const pages: readonly (readonly [name: string, path: () => string, sign: string])[] = [
    ['leaderboard', () => '', '.entry[data-user-id]'],
    ['category', () => 'board/week?category=technology', '.entry[data-user-id]'],
    ['around', () => `board/all?around=${ada.id}`, '.entry[data-found]'],
    ['articles', () => 'read', '.article-line'],
    ['article', () => `read/${article}`, '.comment'],
    ['write', () => 'write', 'form'],
    ['person', () => `people/${ada.id}`, '#ledger tbody tr'],
    ['operators', () => 'operators', '#rules textarea'],
    ['sign-in', () => 'sign-in?new', 'form'],
    ['nothing', () => 'read/999999', '[role=alert]'],
  ];

  it.each(['light', 'dark'] as const)('have nothing serious to complain of, in %s', async (colorScheme) => {
    const { page } = await openPage(site.browser, 'about:blank', { locale, colorScheme, as: ada });
    await asOperator(page);
    for (const [name, path, sign] of pages) {
      await page.goto(site.url + path());
      await page.locator(sign).first().waitFor();
      // Colours in the middle of a change are nobody's.
      await page.evaluate(
        'Promise.allSettled(document.getAnimations().filter((a) => a.effect.getComputedTiming().endTime < 1e6).map((a) => a.finished))',
      );
      expect({ name, findings: await findings(page) }).toEqual({ name, findings: [] });
      if (colorScheme === 'light') await keepScreenshot(page, `${name}-${locale}`);
    }
    await page.context().close();
  });

  it('fit a telephone', async () => {
    const { page } = await openPage(site.browser, 'about:blank', {
      locale,
      as: ada,
      viewport: { width: 375, height: 812 },
    });
    await asOperator(page);
    for (const [name, path, sign] of pages) {
      await page.goto(site.url + path());
      await page.locator(sign).first().waitFor();
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect({ name, width }).toEqual({ name, width: 375 });
      await keepScreenshot(page, `${name}-phone-${locale}`);
    }
    await page.context().close();
  });
});
