import { systemClock } from '@laurel/leaderboard';
import { apiKey, ask, inspect, keepScreenshot, minuteMs, ownSite, Person, pressOn, untilPoints } from './support';

/** Names and texts that a careless page would trip over. */
const people = [
  ['<img src=x onerror=alert(1)>', '<script>alert(2)</script>'],
  ['أدا لوفليس العظيمة', 'تكتب عن المجموعات المرتبة، دائما وأبدا، في كل مكان وزمان'],
  ['漢字仮名交文之三十二字長之名前也漢字仮名交文之三十二字長之名', null],
  ['Wolfeschlegelsteinhausenbergerdorffamili', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'],
  ['Grace', 'It is easier to ask forgiveness.'],
  ['Alan', null],
  ['Katherine', 'Counts everything.'],
  ['Edsger', null],
  ['Barbara', 'Ninth.'],
] as const;

describe("the side panel of the month's first eight", () => {
  const site = ownSite();
  let last: Person;
  let article: string;

  const give = async (person: Person, points: number, id: string) => {
    const body = { userId: person.id, points, reason: 'For the test', id };
    expect((await ask(site.community.app, 'POST', '/activity/adjustments', { token: apiKey, body })).status).toBe(200);
  };

  beforeAll(async () => {
    for (const [index, [name, text]] of people.entries()) {
      last = await Person.register(site.community.app, name);
      if (text !== null) await last.does('PUT', '/profile/text', { text });
      await give(last, 1_000 - 20 * index, `first ${index}`);
    }
    article = await last.writes({ title: 'From the ninth' });
    await untilPoints(site.community.app, last, 850, 'month');
  });

  it('stands beside the articles with places, pictures, names, texts and points, and leads to the whole board', async () => {
    const { page } = await site.open('read');
    const panel = page.getByRole('complementary', { name: 'This month’s first eight' });
    const lines = panel.getByRole('listitem');
    await lines.first().waitFor();
    expect(await lines.getByRole('link').allTextContents()).toEqual(people.slice(0, 8).map(([name]) => name));
    expect(await lines.count()).toBe(8);
    expect(await lines.first().textContent()).toBe(
      '1Rank 1<img src=x onerror=alert(1)><script>alert(2)</script>1,000 points',
    );
    expect(await panel.locator('img[src^="/avatars/"]').count()).toBe(8);
    expect(await panel.getByRole('heading', { level: 2 }).textContent()).toBe('This month’s first eight');
    expect(await inspect(page, 'month-panel')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await keepScreenshot(page, 'month-panel-dark');
    await pressOn(page, panel.getByRole('link', { name: 'The whole leaderboard' }));
    await page.waitForURL(`${site.url}board/month`);
  });

  it('is brought up to date each minute, with one request', async () => {
    const { page } = await site.open(`read/${article}`, { before: (blank) => blank.clock.install() });
    const names = page.locator('#month li a');
    await names.first().waitFor();
    expect(await names.first().textContent()).not.toBe('Barbara');
    await give(last, 500, 'to the top');
    await untilPoints(site.community.app, last, 1_350, 'month');
    // From here on its time stands still, however long the machine takes.
    await page.clock.pauseAt(systemClock.now() + minuteMs / 2);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/ranks/')) asked.push(new URL(request.url()).pathname);
    });
    await page.clock.fastForward(minuteMs);
    await page.locator('#month li:first-child a', { hasText: 'Barbara' }).waitFor();
    expect(asked).toEqual(['/ranks/month']);
  });

  it('is left out where the points cannot be read: the articles are there without it', async () => {
    let refused: Promise<unknown> | undefined;
    const { page } = await site.open('read', {
      expects: /^Failed/,
      before: async (blank) => {
        await blank.route('**/ranks/**', (route) => route.fulfill({ status: 503 }));
        refused = blank.waitForResponse(/\/ranks\/month/);
      },
    });
    await refused;
    await page.locator('[data-article]').first().waitFor();
    await page.locator('#month').waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
