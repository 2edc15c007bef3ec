import { waitUntil } from '../support/wait-until';
import { pressOn, tabTo, typeInto } from './support/keyboard';
import { apiKey, ask, inspect, keepScreenshot, ownSite, Person, typesKey, untilPoints } from './support';

describe("the operators' page", () => {
  const site = ownSite(() => ({ limits: [{ type: 'daily', action: 'publish', max: 1 }] }));
  let ada: Person;
  let grace: Person;

  beforeAll(async () => {
    ada = await Person.register(site.community.app, 'Ada');
    grace = await Person.register(site.community.app, 'Grace');
    const article = await ada.writes();
    await untilPoints(site.community.app, ada, 10);
    for (let times = 0; times < 2; times += 1) await ada.writes();
    await grace.comments(article);
    await grace.does('PUT', `/users/${ada.id}/follow`);
    await untilPoints(site.community.app, grace, 5);
  });

  /** The page of somebody who has typed the key. */
  const opened = (expects?: RegExp) => site.open('operators', { before: typesKey, expects });

  it('opens with the API key alone, shows how things stand, and forgets the key', async () => {
    const { page } = await site.open('operators', { expects: /^Failed/ });
    await page.getByLabel('API key').fill('a wrong key');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('#settlement').getByRole('alert').waitFor();
    expect(await page.locator('#settlement table').count()).toBe(0);
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await page.getByLabel('API key').fill(apiKey);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('#settlement tbody tr', { hasText: 'Month' }).first().waitFor();
    await page.locator('#refusals tbody tr', { hasText: 'Publish an article (2 times)' }).waitFor();
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
    await keepScreenshot(page, 'operators');
    await page.getByRole('button', { name: 'Forget the key' }).click();
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([]);
  });

  it('keeps a user off, adjusts points and changes rules after a dry run, by keyboard alone', async () => {
    const { page } = await site.open('operators');
    await typeInto(page, page.getByLabel('API key'), apiKey);
    await page.keyboard.press('Enter');
    const exclusions = page.locator('#exclusions');
    await typeInto(page, exclusions.getByLabel('Person'), 'ada');
    await tabTo(page, exclusions.getByLabel('Reason'));
    await page.keyboard.type('staff');
    await pressOn(page, exclusions.getByRole('button', { name: 'Keep off' }));
    await exclusions.locator('tbody tr', { hasText: 'staff' }).waitFor();
    await pressOn(page, exclusions.getByRole('button', { name: 'Show again: Ada' }));
    await exclusions.getByText('None.').waitFor();

    const adjustments = page.locator('#adjustments');
    await typeInto(page, adjustments.getByLabel('Person'), ada.id);
    await typeInto(page, adjustments.getByLabel('Points'), '-4');
    await typeInto(page, adjustments.getByLabel('Reason'), '<b>A try</b>');
    await typeInto(page, adjustments.getByLabel('Reference'), 'ticket-1');
    await page.keyboard.press('Enter');
    await adjustments.locator('tbody tr', { hasText: '<b>A try</b>' }).getByText('Ada').waitFor();
    await untilPoints(site.community.app, ada, 6);

    const rules = page.locator('#rules');
    const text = rules.locator('textarea');
    const dryRun = rules.getByRole('button', { name: 'Dry run' });
    const apply = rules.getByRole('button', { name: 'Put in force' });
    const document = JSON.parse(await text.inputValue()) as { rules: { action: string; points: number }[] };
    expect(await apply.isDisabled()).toBe(true);
    await typeInto(page, text, '{ "rules": [');
    await pressOn(page, dryRun);
    await rules.getByRole('alert').waitFor();
    expect(await rules.locator('tbody').count()).toBe(0);

    const others = document.rules.filter(({ action }) => action !== 'follow');
    const changed = others.map((rule) => (rule.action === 'publish' ? { ...rule, points: 5 } : rule));
    await tabTo(page, text, 'Shift+Tab');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(JSON.stringify({ ...document, rules: changed }));
    await pressOn(page, dryRun);
    await rules.locator('tbody tr', { hasText: 'publish' }).waitFor();
    // The standings of the day: what was published is worth 5, following nothing, and the adjustment stays as it is.
    const places = rules.locator('#simulation tbody tr');
    await places.first().waitFor();
    expect(await places.allTextContents()).toEqual(['1 ▲ 1Grace35', '2 ▼ 1Ada16']);
    await rules.getByText('All points: 11 now, 4 under these rules.').waitFor();
    await rules.getByText('worth nothing under these rules: Follow someone').waitFor();
    await keepScreenshot(page, 'operators-dry-run');
    await untilPoints(site.community.app, grace, 5);
    await pressOn(page, apply);
    await waitUntil(async () => (await text.inputValue()).includes('"points": 5'), { what: 'the new rules' });
    await rules.getByLabel('Also for what was recorded since').fill('2020-01-01');
    await rules.getByRole('button', { name: 'Recompute points' }).click();
    await rules.getByText('2 users changed, by -7 points together.').waitFor();
    await untilPoints(site.community.app, grace, 3);
  });

  it('begins a contest that is filled from the days before, and ends it', async () => {
    const { page } = await opened(/^Failed/);
    const contests = page.locator('#leaderboards');
    type Boards = { leaderboards: { name: string; current: { key: string } }[] };
    const { body: boards } = await ask<Boards>(site.community.app, 'GET', '/ranks');
    const today = boards.leaderboards.find(({ name }) => name === 'day')?.current.key ?? '';
    await contests.getByLabel('Leaderboard').fill('spring');
    await contests.getByLabel('First day').fill(today);
    await contests.getByLabel('Last day').fill('2020-01-01');
    await contests.getByRole('button', { name: 'Begin' }).click();
    await contests.getByRole('alert').waitFor();
    await contests.getByLabel('Last day').fill(today);
    await contests.getByRole('button', { name: 'Begin' }).click();
    const row = contests.locator('tbody tr', { hasText: 'spring' });
    await row.waitFor();
    await waitUntil(async () => {
      const { text } = await ask(site.community.app, 'GET', '/activity/leaderboards', { token: apiKey });
      return !text.includes('"filledAt":null');
    });
    await contests.getByRole('button', { name: 'Read again' }).click();
    await row.getByText(`from ${today} on`).waitFor();
    const { body } = await ask<{ entries: { score: number }[] }>(site.community.app, 'GET', '/ranks/spring');
    expect(body.entries[0]?.score).toBeGreaterThan(0);
    await keepScreenshot(page, 'operators-contest');
    await contests.getByRole('button', { name: 'End: spring' }).click();
    await contests.getByRole('button', { name: 'End: spring' }).waitFor({ state: 'detached' });
  });

  it('warns of a person whom nobody here knows, before it takes the text for an id', async () => {
    const { page } = await opened();
    const exclusions = page.locator('#exclusions');
    await exclusions.getByLabel('Person').fill('Ada Lovelance');
    await exclusions.getByRole('button', { name: 'Keep off' }).click();
    await exclusions.getByText('Nobody here has the name or id “Ada Lovelance”.').waitFor();
    expect(await exclusions.locator('tbody tr').count()).toBe(0);
    await exclusions.getByRole('button', { name: 'Keep off' }).click();
    await exclusions.locator('tbody tr', { hasText: 'Ada Lovelance' }).waitFor();
    await exclusions.getByRole('button', { name: 'Show again: Ada Lovelance' }).click();
    await exclusions.getByText('None.').waitFor();
  });

  it('holds points back for review, gives them back, takes them for good, and erases a person', async () => {
    const { app } = site.community;
    const { body } = await ask<{ actions: { action: string; points: number }[] }>(app, 'GET', '/points');
    const worth = body.actions.find(({ action }) => action === 'publish')?.points ?? 0;
    const eve = await Person.register(app, 'Eve');
    await eve.writes();
    await untilPoints(app, eve, worth);
    const { page } = await opened();
    const reviews = page.locator('#reviews');
    const holdBack = async (what = 'All of their points') => {
      await reviews.getByLabel('Person').fill('Eve');
      await reviews.getByLabel('What').selectOption(what);
      await reviews.getByLabel('Reason').fill('Too quick.');
      await reviews.getByRole('button', { name: 'Hold back' }).click();
      await reviews.locator('tbody tr', { hasText: 'Too quick.' }).getByText('Eve').waitFor();
    };
    await holdBack('Publish an article');
    await reviews.locator('tbody').getByText('Publish an article').waitFor();
    await reviews.getByRole('button', { name: 'Give the points back: Eve' }).click();
    await reviews.getByText('None.').waitFor();
    await untilPoints(app, eve, worth);
    await holdBack();
    await reviews.getByRole('button', { name: 'Take the points …: Eve' }).click();
    await reviews.getByRole('button', { name: 'Take them for good: Eve' }).click();
    await reviews.getByText('None.').waitFor();

    const erasure = page.locator('#erasure');
    await erasure.getByLabel('Person').fill('Eve');
    await erasure.getByLabel('With everything of theirs, for good').check();
    await erasure.getByRole('button', { name: 'Erase' }).click();
    await erasure.locator('li[data-state="done"]', { hasText: 'users 1' }).waitFor();
    expect((await ask(app, 'GET', `/users/${eve.id}`)).status).toBe(404);
  });

  it('shows everybody who is kept off, page by page, and lets each be shown again', async () => {
    const userIds = Array.from({ length: 300 }, (_, i) => `spammer-${i}`);
    for (const userId of userIds) {
      const { status } = await ask(site.community.app, 'PUT', `/activity/exclusions/${userId}`, {
        token: apiKey,
        body: { reason: 'banned' },
      });
      expect(status).toBe(200);
    }
    const { page } = await opened();
    const exclusions = page.locator('#exclusions');
    const more = exclusions.getByRole('button', { name: 'Show more of them' });
    await more.waitFor();
    while ((await more.count()) > 0) {
      const before = await exclusions.locator('tbody tr').count();
      await more.click();
      await waitUntil(
        async () => (await exclusions.locator('tbody tr').count()) > before || (await more.count()) === 0,
      );
    }
    const shown = await exclusions.locator('tbody th').allTextContents();
    expect(shown.sort()).toEqual([...userIds].sort());
    const last = shown.at(-1) ?? '';
    await exclusions.getByRole('button', { name: `Show again: ${last}`, exact: true }).click();
    await waitUntil(async () => {
      const { body } = await ask(site.community.app, 'GET', `/activity/exclusions/${last}`, {
        token: apiKey,
      });
      return !JSON.stringify(body).includes('banned');
    });
  });

  it('lets no change of the rules by another operator be lost', async () => {
    const { page } = await opened(/^Failed/);
    const rules = page.locator('#rules');
    const read = JSON.parse(await rules.locator('textarea').inputValue()) as { rules: { action: string }[] };
    const withPoints = (points: number) => ({
      ...read,
      rules: read.rules.map((rule) => (rule.action === 'publish' ? { ...rule, points } : rule)),
    });
    await rules.locator('textarea').fill(JSON.stringify(withPoints(21)));
    await rules.getByRole('button', { name: 'Dry run' }).click();
    await rules.locator('tbody tr', { hasText: 'publish' }).first().waitFor();
    const posted = await ask(site.community.app, 'POST', '/activity/rules', {
      token: apiKey,
      body: withPoints(22),
    });
    expect(posted.status).toBe(200);
    await rules.getByRole('button', { name: 'Put in force' }).click();
    await rules.getByText('Somebody has changed it meanwhile.').waitFor();
    const inForce = await ask<{ rules: unknown }>(site.community.app, 'GET', '/activity/rules', { token: apiKey });
    expect(JSON.stringify(inForce.body.rules)).toContain('"points":22');
  });

  it('looks for people who praise each other in a ring, and holds what they gave each other back', async () => {
    const { app } = site.community;
    const ring: { readonly person: Person; readonly article: string }[] = [];
    for (const name of ['Nora', 'Otto', 'Vera']) {
      const person = await Person.register(app, name);
      ring.push({ person, article: await person.writes() });
    }
    for (const [i, { person }] of ring.entries()) {
      await person.does('PUT', `/articles/${ring[(i + 1) % 3]?.article}/praise`);
    }
    const { page } = await opened(/^Failed/);
    const rings = page.locator('#rings');
    const reviews = page.locator('#reviews tbody tr', { hasText: 'Praise each other in a ring (3 people' });
    const look = rings.getByRole('button', { name: 'Look for rings' });
    await rings.getByLabel('Times, at least').fill('1000');
    await look.click();
    await rings.getByText(/^0 rings among \d+ people, /).waitFor();

    await page.route('**/activity/rings?*', (route) => route.abort());
    await look.click();
    await rings.getByRole('alert').filter({ hasText: 'The server cannot be reached.' }).waitFor();
    await page.unroute('**/activity/rings?*');
    let answer = (): void => undefined;
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/activity/rings?*', (route) => mayAnswer.then(() => route.continue()));
    await rings.getByLabel('Times, at least').fill('1');
    await look.click();
    await rings.getByText('Looking at everybody’s days.').waitFor();
    expect(await look.isDisabled()).toBe(true);
    expect(await rings.getByRole('alert').count()).toBe(0);
    answer();
    const row = rings.locator('li');
    await row.getByText('Nora 1 → Otto 1 → Vera 1 → Nora').waitFor();
    await rings.getByText('1 ring among').waitFor();
    expect(await inspect(page, 'operators-rings')).toEqual([]);

    await rings.getByRole('button', { name: 'Hold back: Nora, Otto, Vera' }).click();
    await waitUntil(async () => (await reviews.count()) === 3, { what: 'three reviews' });
    await row.getByText('Nora (held back) 1 → Otto (held back) 1 → Vera (held back) 1 → Nora').waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    // Looked for again, they are no ring while that waits.
    await look.click();
    await rings.getByText(/^0 rings among \d+ people, /).waitFor();

    const read = async <Body>(path: string) => (await ask<Body>(app, 'GET', path, { token: apiKey })).body;
    const { since: from } = await read<{ since: string }>('/activity/rings?leaderboard=month');
    expect(await read('/activity/reviews')).toMatchObject({ reviews: ring.map(() => ({ from, action: 'praise' })) });
  });
});
