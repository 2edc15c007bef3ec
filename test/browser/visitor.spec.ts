import { inspect, keepScreenshot, noted, ownSite, Person } from './support';

const password = 'a password of the tests';

describe('a visitor of the community', () => {
  const site = ownSite();
  let author: Person;

  beforeAll(async () => {
    author = await Person.register(site.community.app, 'Ada');
    await author.writes({ title: 'On sorted sets' });
  });

  it('registers, reads, praises, regrets, comments and publishes, and another window sees the rank move', async () => {
    const { page: watcher } = await site.open();
    const { page } = await site.open();
    const line = watcher.locator('[data-user-id]', { hasText: 'Grace' });
    const seen = async (score: string, act: () => Promise<unknown>) => {
      await watcher.evaluate('window.isKept = true');
      await act();
      await line.locator('[data-fact="score"]', { hasText: new RegExp(`^${score}$`) }).waitFor();
      expect(await watcher.evaluate('window.isKept')).toBe(true);
    };
    await watcher.locator('[data-user-id]', { hasText: 'Ada' }).waitFor();
    await watcher.locator('#connection[data-state=live]').waitFor();

    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByText('No points here yet').waitFor();

    await page.getByRole('link', { name: 'Articles', exact: true }).click();
    await page.getByRole('link', { name: 'On sorted sets' }).waitFor();
    await seen('1', () => page.getByRole('link', { name: 'On sorted sets' }).click());
    await page.locator('#own-today', { hasText: '1 point' }).waitFor();
    await page.getByRole('heading', { name: 'On sorted sets', level: 1 }).waitFor();
    await noted(page, '+1 · Read a page');

    await seen('3', () => page.getByRole('button', { name: /^Praise ·/ }).click());
    await page.getByRole('button', { name: 'Praised · 1', pressed: true }).waitFor();
    await noted(page, '+2 · Praise an article');
    expect(await inspect(page, 'article-praised')).toEqual([]);
    await seen('1', () => page.getByRole('button', { name: 'Praised · 1' }).click());
    await page.getByRole('button', { name: 'Praise · 0', pressed: false }).waitFor();
    await noted(page, '−2 · Praise an article, undone');

    await page.getByLabel('Your comment').fill('<b>Well</b> said.');
    await seen('4', () => page.getByRole('button', { name: 'Comment', exact: true }).click());
    await page.locator('[data-comment]').getByText('<b>Well</b> said.').waitFor();
    await seen('6', () => page.getByRole('button', { name: 'Follow Ada' }).click());

    expect(await line.getAttribute('data-place')).toBe('2');
    await page.getByRole('link', { name: 'Write', exact: true }).click();
    await page.getByLabel('Title').fill('What a day is');
    await page.getByLabel('Text').fill('One paragraph.\n\nAnother one.');
    await keepScreenshot(page, 'write');
    // Ten for publishing, and none for the page that is shown then: it is one's own.
    await seen('16', () => page.getByRole('button', { name: 'Publish' }).click());
    await page.getByRole('heading', { name: 'What a day is', level: 1 }).waitFor();
    await noted(page, '+10 · Publish an article');
    await page.getByRole('button', { name: /^Praise ·/ }).click();
    await noted(page, 'No points: your own does not count');
    const [, ...paragraphs] = await page.locator('article > p').allTextContents();
    expect(paragraphs).toEqual(['One paragraph.', 'Another one.']);
    expect(await line.getAttribute('data-place')).toBe('1');
    await watcher.locator('#movements', { hasText: 'Grace' }).waitFor();
    expect(await inspect(watcher, 'watcher')).toEqual([]);
  });

  it('is led to sign in where a click needs it, and back again', async () => {
    const id = await author.writes({ title: 'Asked for' });
    const { page } = await site.open(`read/${id}`, { expects: /^Failed/ });
    await page.getByRole('button', { name: /^Praise ·/ }).click();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill('not this one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This name and password do not belong together.').waitFor();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Asked for' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
  });

  it('sees on their own page what each of their points is for, and on that of another where they stand', async () => {
    const reader = await Person.register(site.community.app, 'Reader');
    const { page } = await site.open(`people/${author.id}`, { as: reader });
    await page.getByRole('button', { name: 'Follow Ada' }).click();
    await page.getByText(/^\d followers?$/).waitFor();
    await noted(page, '+1 · Read a page');
    await noted(page, '+2 · Follow someone');
    await page.reload();
    await page.getByRole('button', { name: 'Following Ada', pressed: true }).waitFor();
    await page.locator('[data-date]').first().waitFor();
    expect(await page.locator('#ledger').count()).toBe(0);

    await page.goto(`${site.url}people/${reader.id}`);
    await page.locator('#ledger tbody tr', { hasText: 'Follow someone' }).waitFor();
    await page.locator('#ledger tbody tr', { hasText: 'Read a page' }).waitFor();
    expect(await inspect(page, 'person-own')).toEqual([]);
  });
});
