import { apiKey } from '../community/support/community';
import { Person } from '../community/support/person';
import { untilPoints } from '../community/support/points';
import { waitUntil } from '../support/wait-until';
import { keepScreenshot, openPage } from './support/browser';
import { type Site, startSite } from './support/site';

describe("the operators' page", () => {
  let site: Site;
  let ada: Person;

  beforeAll(async () => {
    site = await startSite({ limits: [{ type: 'daily', action: 'publish', max: 1 }] });
    ada = await Person.register(site.community.app, 'Ada');
    await ada.writes();
    await untilPoints(site.community.app, ada, 10);
    await ada.writes();
  });
  afterAll(() => site.stop());

  it('opens with the API key alone, shows how things stand, and forgets the key', async () => {
    const { page } = await openPage(site.browser, `${site.url}operators`);
    await page.getByLabel('API key').fill('a wrong key');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('#settlement .notice').waitFor();
    expect(await page.locator('#settlement table').count()).toBe(0);
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await page.getByLabel('API key').fill(apiKey);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('#settlement tbody tr', { hasText: 'Month' }).waitFor();
    await page.locator('#outcomes .legend', { hasText: 'granted' }).waitFor();
    await page.locator('#refusals tbody tr', { hasText: 'Publish an article' }).waitFor();
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
    await keepScreenshot(page, 'operators');
    await page.getByRole('button', { name: 'Forget the key' }).click();
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([]);
    await page.context().close();
  });

  it('keeps a user off and shows him again, adjusts his points, and changes rules after a dry run', async () => {
    const { page, complaints } = await openPage(site.browser, site.url);
    await page.addInitScript(`sessionStorage['laurel-operator-key'] = ${JSON.stringify(apiKey)}`);
    await page.goto(`${site.url}operators`);
    const exclusions = page.locator('#exclusions');
    await exclusions.getByLabel('User id').fill(ada.id);
    await exclusions.getByLabel('Reason').selectOption('staff');
    await exclusions.getByRole('button', { name: 'Keep off' }).click();
    await exclusions.locator('tbody tr', { hasText: 'staff' }).waitFor();
    await exclusions.getByRole('button', { name: `Show ${ada.id} again` }).click();
    await exclusions.getByText('None.').waitFor();

    const adjustments = page.locator('#adjustments');
    await adjustments.getByLabel('User id').fill(ada.id);
    await adjustments.getByLabel('Points').fill('-4');
    await adjustments.getByLabel('Reason').fill('<b>A try</b>');
    await adjustments.getByLabel('Reference').fill('ticket-1');
    await adjustments.getByRole('button', { name: 'Adjust', exact: true }).click();
    await adjustments.locator('tbody tr', { hasText: '<b>A try</b>' }).waitFor();
    await untilPoints(site.community.app, ada, 6);

    const rules = page.locator('#rules');
    const text = rules.locator('textarea');
    const document = JSON.parse(await text.inputValue()) as { rules: { action: string; points: number }[] };
    const apply = rules.getByRole('button', { name: 'Put in force' });
    expect(await apply.isDisabled()).toBe(true);
    await text.fill('{ "rules": [');
    await rules.getByRole('button', { name: 'Dry run' }).click();
    await rules.locator('.notice').waitFor();
    const changed = document.rules.map((rule) => (rule.action === 'praise' ? { ...rule, points: 7 } : rule));
    await text.fill(JSON.stringify({ ...document, rules: changed }));
    await rules.getByRole('button', { name: 'Dry run' }).click();
    await rules.locator('tbody tr', { hasText: 'praise' }).waitFor();
    await apply.click();
    await waitUntil(async () => (await text.inputValue()).includes('"points": 7'), { what: 'the new rules' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
