import { type RedisServer, startRedis } from '@laurel/servers';
import type { Page } from 'playwright-core';
import { sampleOf } from '../support/sampled';
import { waitUntil } from '../support/wait-until';
import { inspect, noted, ownSite, Person, typesKey, untilPoints } from './support';

const languages = [
  {
    ...{ locale: 'en-GB', away: /moment\. The community itself goes on\. This page keeps trying/, clicked: 0 },
    missed: 'No points: they cannot be recorded at the moment',
    pending: 'Done. The points follow as soon as they are recorded.',
  },
  {
    ...{ locale: 'zh-CN', away: /暂时读不到积分。.*页面会继续重试/, clicked: 1 },
    missed: '没有积分: 暂时无法计分',
    pending: '完成。积分记录后即会到账。',
  },
] as const;

interface Ledger {
  readonly days: readonly { readonly actions: Readonly<Record<string, number>> }[];
}

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
// The deadlines of production: no user waits longer for a page, nor for the points of a click.
const site = ownSite(() => ({ redis: { url: redis.url }, commandTimeoutMs: 900, recordTimeoutMs: 5_000 }), {
  outcomeWaitMs: 1_000,
});
afterAll(() => redis.stop());
let ada: Person;
let reader: Person;
let article: string;

beforeAll(async () => {
  const { app } = site.community;
  [ada, reader] = [await Person.register(app, 'Ada'), await Person.register(app, 'Reader')];
  article = await ada.writes({ title: 'On sorted sets' });
  await reader.comments(article);
  for (const [person, points] of [
    [ada, 10],
    [reader, 3],
  ] as const)
    await untilPoints(app, person, points);
});

it('while Redis is away, the pages say what is missing, do without, and go on by themselves', async () => {
  const opened: ((typeof languages)[number] & { page: Page })[] = [];
  for (const language of sampleOf(languages, 1)) {
    const { locale } = language;
    const { page } = await site.open(`people/${ada.id}`, {
      locale,
      as: reader,
      before: typesKey,
      expects: /^Failed/,
    });
    await page.locator('[data-date]').first().waitFor();
    opened.push({ ...language, page });
  }
  const { page: board } = await site.open('', { expects: /^Failed/ });
  const names = () => board.locator('[data-user-id] a').allTextContents();
  await board.locator('[data-user-id]').first().waitFor();
  await redis.stop();
  await board.locator('#notice', { hasText: 'Points cannot be read' }).waitFor();
  expect(await names()).toEqual(['Ada', 'Reader']);
  expect(await board.locator('#connection').getAttribute('data-state')).toBe('away');

  for (const { page, locale, away, missed, pending, clicked } of opened) {
    const alert = page.getByRole('alert').filter({ hasText: away });
    await page.goto(`${site.url}operators`);
    await alert.first().waitFor();
    expect(await inspect(page, `operators-away-${locale}`)).toEqual([]);
    await page.goto(`${site.url}read`);
    await page.getByRole('link', { name: 'On sorted sets' }).click();
    await page.locator('[data-comment]').first().waitFor();
    await noted(page, missed);
    await page.locator('main [aria-pressed]').nth(clicked).click();
    await page.locator('main [aria-pressed=true]').nth(clicked).waitFor();
    await noted(page, pending);
    expect(await inspect(page, `article-away-${locale}`)).toEqual([]);
    await page.goto(`${site.url}people/${ada.id}`);
    await alert.waitFor();
    expect(await page.locator('h1').textContent()).toBe('Ada');
    expect(await inspect(page, `person-away-${locale}`)).toEqual([]);
  }
  await redis.restart();
  await board.locator('#connection[data-state="live"]').waitFor();
  expect(await board.locator('#notice').count()).toBe(0);
  for (const { page } of opened) {
    await page.locator('[data-date]').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  }
  // What was clicked meanwhile counts.
  await waitUntil(
    async () => {
      const { body } = await reader.does<Ledger>('GET', `/activity/users/${reader.id}`);
      const actions = body.days[0]?.actions ?? {};
      return opened.every(({ clicked }) => actions[['praise', 'collect'][clicked] as string] === 1);
    },
    { what: 'each praise and collection' },
  );
});
