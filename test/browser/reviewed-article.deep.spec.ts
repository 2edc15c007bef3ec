import { apiKey, inspect, noted, ownSite, Person, pointsOf, pressOn, typeInto, typesKey, untilPoints } from './support';

describe('an article that is reviewed', () => {
  const site = ownSite(() => ({}), { reviewsArticles: true });
  let ada: Person;

  beforeAll(async () => {
    ada = await Person.register(site.community.app, 'Ada');
  });

  it('is handed in, refused with a reason, rewritten, approved and worth its points, by keyboard alone', async () => {
    const { page: author } = await site.open('write', { as: ada });
    const { page: moderator } = await site.open('operators');
    const note = (text: string) => noted(author, text);
    const submissions = moderator.locator('#submissions');
    const refresh = () => pressOn(moderator, submissions.getByRole('button', { name: 'Read again' }), 'Shift+Tab');

    await typeInto(author, author.getByLabel('Title'), '<i>On</i> sorted sets');
    await typeInto(author, author.getByLabel('Text'), 'A <b>text</b>.');
    await pressOn(author, author.getByRole('button', { name: 'Publish' }));
    await note('Handed in.');
    await author.getByText('This article waits to be reviewed.').waitFor();
    expect(await inspect(author, 'article-in-review')).toEqual([]);

    await typeInto(moderator, moderator.getByLabel('API key'), apiKey);
    await moderator.keyboard.press('Enter');
    await submissions.getByRole('heading', { name: '<i>On</i> sorted sets' }).waitFor();
    await pressOn(moderator, submissions.locator('summary'));
    await submissions.getByText('A <b>text</b>.').waitFor();
    expect(await inspect(moderator, 'submissions')).toEqual([]);
    await typeInto(moderator, submissions.getByLabel('Why it is refused'), '<u>Which</u> sets?');
    await pressOn(moderator, submissions.getByRole('button', { name: 'Refuse “<i>On</i> sorted sets”' }));
    await submissions.getByText('None.').waitFor();
    expect(await pointsOf(site.community.app, ada)).toBe(0);

    await author.goto(`${site.url}write`);
    await author.locator('[data-article]', { hasText: 'Not accepted' }).waitFor();
    await pressOn(author, author.getByRole('link', { name: '<i>On</i> sorted sets' }));
    await author.locator('#review', { hasText: '<u>Which</u> sets?' }).waitFor();
    await pressOn(author, author.locator('summary', { hasText: 'Rewrite it' }));
    expect(await inspect(author, 'article-refused')).toEqual([]);
    await typeInto(author, author.getByLabel('Text'), ' Redis’ own.');
    await pressOn(author, author.getByRole('button', { name: 'Keep the new text' }));
    await note('The new text is kept.');
    await author.locator('article', { hasText: 'Redis’ own.' }).waitFor();
    await pressOn(author, author.getByRole('button', { name: 'Publish' }), 'Shift+Tab');
    await author.getByText('This article waits to be reviewed.').waitFor();

    await refresh();
    await pressOn(moderator, submissions.getByRole('button', { name: 'Approve “<i>On</i> sorted sets”' }));
    await submissions.getByText('None.').waitFor();
    await untilPoints(site.community.app, ada, 10);
    await author.reload();
    await author.getByRole('button', { name: 'Praise · 0' }).waitFor();
  });

  it('is decided by one of two moderators, and the other is told', async () => {
    await ada.writes({ title: 'Twice' });
    const options = { before: typesKey, expects: /^Failed/ };
    const pages = await Promise.all([1, 2].map(() => site.open('operators', options)));
    for (const { page } of pages) await page.getByRole('button', { name: 'Approve “Twice”' }).waitFor();
    const [first, second] = pages.map(({ page }) => page.locator('#submissions'));
    await first?.getByRole('button', { name: 'Approve “Twice”' }).click();
    await first?.getByText('None.').waitFor();
    await second?.getByLabel('Why it is refused').fill('No.');
    await second?.getByRole('button', { name: 'Refuse “Twice”' }).click();
    await second?.getByText('Somebody was faster.').waitFor();
    await second?.getByText('None.').waitFor();
    await untilPoints(site.community.app, ada, 20);
  });

  it('is taken back by its author while it waits', async () => {
    const id = await ada.writes({ title: 'Regretted' });
    const { page } = await site.open(`read/${id}`, { as: ada });
    await page.getByRole('button', { name: 'Take it back' }).click();
    await page.getByRole('button', { name: 'Publish' }).waitFor();
    expect(await page.locator('#review').count()).toBe(0);
  });
});
