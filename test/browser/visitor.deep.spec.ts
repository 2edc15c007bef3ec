import type { StandingEvent } from '@laurel/activity/internals';
import { systemClock } from '@laurel/leaderboard';
import type { Page } from 'playwright-core';
import { EventStream } from '../support/event-stream';
import { waitUntil } from '../support/wait-until';
import { minuteMs } from '../support/clock';
import { ask, inspect, keepScreenshot, noted, otherNotes, ownSite, Person, pressOn, typeInto } from './support';

/** What stands at a path of the community's own description. */
const described = async (app: Parameters<typeof ask>[0], path: readonly (string | number)[]) =>
  path.reduce<unknown>(
    (part, key) => (part as Record<string, unknown>)[key],
    (await ask(app, 'GET', '/docs-json')).body,
  );
const schema = (name: string, property: string) => ['components', 'schemas', name, 'properties', property];

describe('a visitor of the community, further on,', () => {
  const site = ownSite();
  let author: Person;

  beforeAll(async () => {
    author = await Person.register(site.community.app, 'Ada');
    await author.writes({ title: 'On sorted sets' });
  });

  it('learns at once that a user in another window has overtaken them', async () => {
    const { app } = site.community;
    const [slow, fast] = [await Person.register(app, 'Slow'), await Person.register(app, 'Fast')];
    await slow.writes();
    const draft = await fast.writes({ publish: false, title: 'Fast work' });
    for (let times = 0; times < 2; times += 1) await fast.comments(await author.writes());
    // A page that has just begun to listen is told of nobody who passed before the next look at the board, and what it
    // shows by then it may have asked for. What this stream is sent, all of this user's know.
    const headers = { authorization: `Bearer ${slow.token}` };
    const stream = await EventStream.open(`${site.url}ranks/day/stream?ranking=competition`, headers);
    const isWatchedAt = (points: number) =>
      waitUntil(() => stream.of<StandingEvent>('standing').at(-1)?.data.entry.score === points, {
        what: `The streams of Slow at ${points} points`,
      });
    let listening: Promise<unknown> | undefined;
    const listens = (to: Page) => (listening = to.waitForResponse(/\/ranks\/day\/stream/));
    const { page } = await site.open('', { as: slow, before: async (blank) => void listens(blank) });
    const { page: other } = await site.open(`read/${draft}`, { as: fast });
    await listening;
    await page.locator('#own-score', { hasText: '10 points' }).waitFor();
    await isWatchedAt(10);
    await page.locator('[data-user-id]', { hasText: 'Fast' }).waitFor();
    const notice = page.locator('#overtaken', { hasText: 'Fast overtook you.' });
    await other.getByRole('button', { name: 'Publish' }).click();
    await notice.waitFor();
    // It is told of this board, for as long as it is true.
    await page.getByRole('link', { name: 'Week', exact: true }).click();
    await page.locator('#period', { hasText: 'Week' }).waitFor();
    await page.locator('#own-rank').waitFor();
    expect(await notice.count()).toBe(0);
    void listens(page);
    await page.getByRole('link', { name: 'Day', exact: true }).click();
    await notice.waitFor();
    await listening;
    await keepScreenshot(page, 'overtaken');
    await slow.writes();
    await notice.waitFor({ state: 'detached' });
    await isWatchedAt(20);
    await fast.writes();
    await notice.waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await page.locator('#overtaken').count()).toBe(0);
  });

  it('does all of it by keyboard alone', async () => {
    const keys = await Person.register(site.community.app, 'Keys');
    await author.writes({ title: 'By keyboard' });
    const { page } = await site.open('read', { as: keys });
    const note = (text: string) => noted(page, text);
    await pressOn(page, page.getByRole('link', { name: 'By keyboard' }));
    await note('+1 · Read a page');
    await pressOn(page, page.getByRole('button', { name: 'Praise · 0' }));
    await note('+2 · Praise an article');
    await pressOn(page, page.getByRole('button', { name: 'Praised · 1' }));
    await note('−2 · Praise an article, undone');
    await pressOn(page, page.getByRole('button', { name: 'Collect · 0' }));
    await note('+2 · Collect an article');
    await pressOn(page, page.getByRole('button', { name: 'Follow Ada' }));
    await note('+2 · Follow someone');
    await typeInto(page, page.getByLabel('Your comment'), 'Typed.');
    await pressOn(page, page.getByRole('button', { name: 'Comment', exact: true }));
    await note('+3 · Comment on an article');
    await pressOn(page, page.getByRole('button', { name: 'Delete your comment “Typed.”' }));
    await note('−3 · Comment on an article, undone');
    await page.locator('[data-comment]').waitFor({ state: 'detached' });
    await pressOn(page, page.getByRole('link', { name: 'Write', exact: true }), 'Shift+Tab');
    await typeInto(page, page.getByLabel('Title'), 'Without a mouse');
    await typeInto(page, page.getByLabel('Text'), 'A text.');
    await pressOn(page, page.getByRole('button', { name: 'Keep as a draft' }));
    await note('Kept as a draft. It earns points when it is published.');
    await pressOn(page, page.getByRole('link', { name: 'Without a mouse' }));
    await pressOn(page, page.getByRole('button', { name: 'Publish' }));
    await note('+10 · Publish an article');
    await page.getByRole('button', { name: 'Praise · 0' }).waitFor();
  });

  it('clicks twice before the first click is answered, and goes on while an answer is slow', async () => {
    const quick = await Person.register(site.community.app, 'Quick');
    const id = await author.writes({ title: 'Twice' });
    const { page } = await site.open(`read/${id}`, { as: quick });
    const held: (() => Promise<void>)[] = [];
    const hold = (address: RegExp) => page.route(address, (route) => void held.push(() => route.continue()));
    const answerTo = async (address: RegExp, release: (() => Promise<void>) | undefined) => {
      const answered = page.waitForResponse((response) => address.test(response.url()));
      await release?.();
      await (await answered).finished();
    };
    await hold(/\/(praise|collect)\?/);
    for (const name of ['Praise · 0', 'Collect · 0']) {
      const asked = page.waitForRequest(/\/(praise|collect)\?/);
      await page.getByRole('button', { name }).click();
      await asked;
    }
    await answerTo(/praise/, held[0]);
    await page.getByRole('button', { name: 'Praised · 1', pressed: true }).waitFor();
    await answerTo(/collect/, held[1]);
    await page.getByRole('button', { name: 'Collected · 1', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Praised · 1', pressed: true }).waitFor();

    for (let written = 0; written < 13; written += 1) await author.writes();
    await page.getByRole('link', { name: 'All articles' }).click();
    await hold(/cursor=/);
    const asked = page.waitForRequest(/cursor=/);
    await page.getByRole('button', { name: 'Older articles' }).click();
    await asked;
    await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Life' }).click();
    const none = page.getByText('Nothing is online in Life yet.');
    await none.waitFor();
    await answerTo(/cursor=/, held[2]);
    // A page that is drawn anew: what came late was taken in by then.
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByText('“生活”里还没有文章').waitFor();
  });

  it('keeps a draft, finds it again, and publishes it', async () => {
    const writer = await Person.register(site.community.app, 'Edsger');
    const { page } = await site.open('write', { as: writer });
    await page.getByText('You have no drafts.').waitFor();
    await page.getByLabel('Title').fill('Considered harmful');
    await page.getByLabel('Category').selectOption('Sports');
    await page.getByLabel('Text').fill('A text.');
    for (let written = 0; written < 12; written += 1) {
      await writer.writes({ publish: false, title: `Draft ${written}` });
    }
    await page.getByRole('button', { name: 'Keep as a draft' }).click();
    const kept = page.getByRole('link', { name: 'Considered harmful' });
    await kept.waitFor();
    expect(await page.locator('[data-article]').count()).toBe(12);
    await page.getByRole('button', { name: 'Older drafts' }).click();
    await page.getByRole('link', { name: 'Draft 0' }).waitFor();
    expect(await page.locator('[data-article]').count()).toBe(13);
    expect(await page.getByRole('button', { name: 'Older drafts' }).count()).toBe(0);
    await kept.click();
    // The page left has a button of this name, and stands until the program of the next is loaded.
    await page.getByRole('heading', { name: 'Considered harmful', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: /^Praise ·/ }).waitFor();
    await page.locator('article').getByRole('link', { name: 'Sports' }).click();
    await page.getByRole('link', { name: 'Considered harmful' }).waitFor();
    expect(await page.locator('[data-article]').count()).toBe(1);
    await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Life' }).click();
    await page.getByText('Nothing is online in Life yet.').waitFor();
    expect(page.url()).toBe(`${site.url}read?category=life`);
  });

  it('learns that the session has ended, hears of points that were not given, keeps the text, and signs in anew', async () => {
    const { name } = await Person.register(site.community.app, 'Owl');
    const id = await author.writes({ title: 'By night' });
    const { page } = await site.open('sign-in?from=/write');
    // The visitor's clock is wrong by a day: a session's length and start are the community's.
    let aheadMs = 24 * 60 * minuteMs;
    await page.clock.install({ time: systemClock.now() + aheadMs });
    const ended = page.getByText('Your session has ended.');
    /** For a minute, where the community says 12 hours. */
    const signIn = async () => {
      await page.route(
        '**/auth/login',
        async (route) => {
          const response = await route.fetch();
          const { expiresAt, ...others } = (await response.json()) as { expiresAt: string };
          expect(Date.parse(expiresAt) - systemClock.now()).toBeGreaterThan(11 * 60 * minuteMs);
          const soon = new Date(systemClock.now() + minuteMs).toISOString();
          await route.fulfill({ response, json: { ...others, expiresAt: soon } });
        },
        { times: 1 },
      );
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Password').fill('a password of the tests');
      await page.getByRole('button', { name: 'Sign in' }).click();
    };

    await signIn();
    await page.getByLabel('Title').fill('Half a thought');
    await page.clock.fastForward(minuteMs);
    aheadMs += minuteMs;
    await ended.waitFor();
    await page.getByText('Sign in first.').waitFor();
    expect(await inspect(page, 'session-ended')).toEqual([]);
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await signIn();
    await page.waitForURL(`${site.url}write`);
    expect(await page.getByLabel('Title').inputValue()).toBe('Half a thought');
    expect(await ended.count()).toBe(0);

    await page.getByRole('link', { name: 'Articles', exact: true }).click();
    const article = page.getByRole('link', { name: 'By night' });
    await article.waitFor();
    // As after a sleep of the computer: no timer has ended it.
    await page.clock.setSystemTime(systemClock.now() + aheadMs + 2 * minuteMs);
    const asked = page.waitForRequest(new RegExp(`/articles/${id}`));
    await article.click();
    expect((await asked).headers()).not.toHaveProperty('authorization');
    await ended.waitFor();
    await page.getByRole('heading', { name: 'By night', level: 1 }).waitFor();
    expect(await otherNotes(page)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'By night', level: 1 }).waitFor();
    expect(await ended.count()).toBe(0);
  });

  it('keeps what was written while they sign in, and a session where another sign-in is refused', async () => {
    const { page } = await site.open(`read/${await author.writes()}`, { expects: /^Failed/ });
    const comment = page.locator('textarea[name=comment]');
    await comment.fill('Half a comment');
    await page.locator('form', { has: comment }).getByRole('button').click();
    const signIn = async (password: string) => {
      await page.getByLabel('Name').fill(author.name);
      await page.getByLabel('Password').fill(password);
      await page.locator('main form').getByRole('button', { name: 'Sign in' }).click();
    };
    await signIn('a password of the tests');
    await comment.waitFor();
    expect(await comment.inputValue()).toBe('Half a comment');
    await page.goto(`${site.url}sign-in`);
    await signIn('another password');
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('Your session has ended.').count()).toBe(0);
  });

  it('publishes once, whether the answer that was lost came before or after it was done', async () => {
    const writer = await Person.register(site.community.app, 'Unlucky');
    const { page } = await site.open('write', { as: writer, expects: /^Failed/ });
    const online = async () =>
      (await writer.does<{ articles: { title: string }[] }>('GET', `/users/${writer.id}`)).body.articles.length;
    for (const [published, isDone] of [false, true].entries()) {
      const title = isDone ? 'Done, and not said' : 'Never arrived';
      await page.route(
        '**/publish?*',
        async (route) => {
          if (isDone) await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
      await page.getByRole('link', { name: 'Write', exact: true }).click();
      await page.getByLabel('Title').fill(title);
      await page.getByLabel('Text').fill('A text.');
      const publish = page.getByRole('button', { name: 'Publish' });
      await publish.click();
      await page.getByText('The server cannot be reached.').waitFor();
      // What was kept is there to be seen, or is no draft any more.
      await page.getByRole('link', { name: title }).waitFor({ state: isDone ? 'detached' : 'visible' });
      await publish.click();
      // The article's own page: the list of drafts shows its title too, one level below.
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      expect(await online()).toBe(published + 1);
    }
    const { body } = await writer.does<{ articles: unknown[] }>('GET', '/articles?state=draft');
    expect(body.articles).toEqual([]);
  });

  it('chooses a category by mouse and by keyboard, in either language, and sees it move, on a telephone', async () => {
    const { app } = site.community;
    const writer = await Person.register(app, 'Barbara');
    const viewport = { width: 375, height: 812 };
    const { page } = await site.open('', { as: writer, viewport });
    const choice = page.getByRole('navigation', { name: 'Categories' });
    const line = page.locator('[data-user-id]', { hasText: 'Barbara' });
    const scores = (score: number) =>
      line.locator('[data-fact="score"]', { hasText: new RegExp(`^${score}$`) }).waitFor();
    const isAt = (path: string) => page.waitForURL(site.url + path);

    await choice.getByRole('link', { name: 'Technology' }).click();
    await isAt('board/week?category=technology');
    await page.getByText('Nobody has earned points in Technology').waitFor();
    await page.getByText('No points in Technology yet.').waitFor();
    await page.locator('#connection[data-state=live]').waitFor();
    const article = await author.writes({ category: 'technology' });
    await writer.writes({ category: 'arts' });
    await writer.comments(article);
    await scores(3);
    await page.locator('#own-rank', { hasText: '2' }).waitFor();
    await page.locator('#own-gap', { hasText: /^7 points to the next place$/ }).waitFor();
    expect(await page.locator('#total').textContent()).toBe('2 people');
    await page.getByRole('combobox', { name: 'Find a person' }).fill('barb');
    await page.getByRole('option', { name: /Barbara.*Rank 2/ }).click();
    await page.locator('[data-found]', { hasText: 'Barbara' }).waitFor();
    expect(page.url()).toContain('category=technology');

    await choice.getByRole('link', { name: 'Technology' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await isAt('board/week?category=arts');
    await scores(10);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Arts');
    await page.getByRole('link', { name: 'Month', exact: true }).click();
    await isAt('board/month?category=arts');
    await page.reload();
    await scores(10);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(viewport.width);

    await page.getByRole('button', { name: '中文' }).click();
    const chosen = page.locator('main [aria-current=true]');
    await chosen.getByText('艺术').waitFor();
    await keepScreenshot(page, 'category-phone');
    await page.getByRole('link', { name: '日榜' }).click();
    await isAt('');
    await chosen.getByText('全部').waitFor();
  });

  it('is shown the categories that the community has, and no others', async () => {
    const known = await described(site.community.app, [...schema('ArticleSummary', 'category'), 'enum']);
    const { page } = await site.open('board/month?category=cooking');
    await page.locator('[data-user-id]', { hasText: 'Ada' }).waitFor();
    const links = await page.getByRole('navigation', { name: 'Categories' }).getByRole('link').all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      '/board/month',
      ...(known as string[]).map((category) => `/board/month?category=${category}`),
    ]);
  });

  it('writes and reads as much as the community takes and has, and is told why something is refused', async () => {
    const article = await author.writes({ title: 'To the point' });
    for (let i = 0; i < 51; i += 1) await author.comments(article, `Comment ${i}`);
    const { page } = await site.open('', { as: author, expects: /^Failed/ });
    for (const [path, field, place] of [
      ['', '[role=combobox]', ['paths', '/users', 'get', 'parameters', 1, 'schema']],
      ['sign-in?new', '[name=name]', schema('Registration', 'name')],
      ['write', '[name=title]', schema('ArticleDraft', 'title')],
      ['write', '[name=body]', schema('ArticleDraft', 'body')],
      [`read/${article}`, '[name=comment]', schema('CommentDraft', 'body')],
    ] as const) {
      await page.goto(site.url + path);
      const most = await described(site.community.app, [...place, 'maxLength']);
      expect([field, await page.locator(field).getAttribute('maxlength')]).toEqual([field, String(most)]);
    }

    const comment = page.getByRole('textbox', { name: 'Your comment' });
    await comment.fill(' \n ');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    const refusal = page.getByRole('alert').filter({ hasText: /body must be text of 1 to 2000 characters/ });
    await refusal.waitFor();
    expect(await otherNotes(page)).toEqual([]);
    await comment.fill('x'.repeat(2_000));
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('[data-comment]').getByText(/^x+$/).waitFor();
    expect(await refusal.count()).toBe(0);
    await page.getByRole('button', { name: 'Older comments' }).click();
    await page
      .locator('[data-comment]')
      .getByText(/^Comment 0$/)
      .waitFor();
    expect(await page.locator('[data-comment]').count()).toBe(52);
    expect(await page.getByRole('button', { name: 'Older comments' }).count()).toBe(0);
  });
});
