import { ask, ownCommunity, Person, untilPoints } from './support';

interface List {
  readonly articles: readonly { readonly id: string; readonly title: string; readonly category: string }[];
  readonly next: string | null;
}

interface Comments {
  readonly comments: readonly { readonly body: string }[];
  readonly next: string | null;
}

interface CommentedArticle {
  readonly latestComments: Comments['comments'];
  readonly olderComments: string | null;
}

const community = ownCommunity();
let author: Person;
let reader: Person;

/** All pages of a list, one after the other. */
async function listed(query: string): Promise<List['articles'][number][]> {
  const found: List['articles'][number][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: { body: List } = await ask<List>(community.app, 'GET', `/articles?${query}${cursor}`);
    found.push(...body.articles);
    cursor = body.next === null ? null : `&cursor=${body.next}`;
  }
  return found;
}

beforeAll(async () => {
  [author, reader] = [await Person.register(community.app, 'The Author'), await Person.register(community.app)];
});

describe('articles, people and what they do to each other', () => {
  it('keeps a draft to its author, until it goes online', async () => {
    const { status, body: draft } = await author.does<{ id: string }>('POST', '/articles', {
      title: ' A title ',
      body: 'Line one.\n\nLine two.',
    });
    expect(status).toBe(201);
    expect(draft).toMatchObject({ title: 'A title', publishedAt: null, author: { id: author.id, name: 'The Author' } });
    const url = `/articles/${draft.id}`;
    expect((await author.does('GET', url)).status).toBe(200);
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/publish'],
      ['PUT', '/praise'],
      ['DELETE', '/collect'],
    ] as const) {
      expect((await reader.tries(method, url + path)).status).toBe(404);
    }
    expect((await ask(community.app, 'GET', url)).status).toBe(404);
    expect((await author.tries('PUT', `${url}/praise`)).status).toBe(404);
    const drafts = await author.does<List>('GET', '/articles?state=draft');
    expect(drafts.body.articles.map(({ id }) => id)).toContain(draft.id);
    expect((await ask(community.app, 'GET', '/articles?state=draft')).status).toBe(401);

    const published = await author.does('POST', `${url}/publish`);
    expect(published.body).toMatchObject({ publishedAt: expect.any(String), body: 'Line one.\n\nLine two.' });
    expect((await ask(community.app, 'GET', url)).status).toBe(200);
    expect((await reader.tries('POST', `${url}/publish`)).status).toBe(403);
  });

  it('goes online at once where nothing is reviewed, also what waited for a review before', async () => {
    const { app, database } = community;
    const writer = await Person.register(app);
    const id = await writer.writes({ publish: false });
    await database.query('INSERT INTO submissions (article_id, submitted_at) VALUES ($1, now())', [id]);
    const { body } = await writer.does<{ publishedAt: string | null }>('POST', `/articles/${id}/publish`);
    expect(body.publishedAt).not.toBeNull();
    expect((await database.query('SELECT FROM submissions')).rowCount).toBe(0);
    await untilPoints(app, writer, 10);
  });

  it('lists what is online, the newest first, page after page', async () => {
    const written: string[] = [];
    for (let count = 0; count < 7; count += 1) written.unshift(await author.writes({ title: `Number ${count}` }));
    const seen = (await listed('limit=3')).map(({ id }) => id);
    expect(seen.slice(0, 7)).toEqual(written);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=51', 'limit'],
    ['limit=many', 'limit'],
    ['cursor=made-up', 'cursor'],
    ['state=all', 'state'],
    ['page=2', 'page'],
  ])('refuses a list with %s, naming the field', async (query, path) => {
    const { status, body } = await ask(community.app, 'GET', `/articles?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path, message: expect.any(String) }] });
  });

  it('counts praise, collections and comments on an article, and shows the newest comments', async () => {
    const id = await author.writes();
    await reader.does('PUT', `/articles/${id}/praise`);
    await author.does('PUT', `/articles/${id}/praise`);
    await reader.does('PUT', `/articles/${id}/collect`);
    await reader.comments(id, 'First.');
    await author.comments(id, '<script>alert("second")</script>');
    const { body } = await ask(community.app, 'GET', `/articles/${id}`);
    expect(body).toMatchObject({
      praises: 2,
      collects: 1,
      comments: 2,
      latestComments: [
        { body: '<script>alert("second")</script>', author: { id: author.id } },
        { body: 'First.', author: { id: reader.id, name: reader.name } },
      ],
    });
  });

  it('gives the comments behind those that an article shows, page after page', async () => {
    const articleId = await author.writes();
    const said = Array.from({ length: 57 }, (_, i) => `Comment ${57 - i}`);
    await community.database.query(
      `INSERT INTO comments (article_id, author_id, body, created_at)
       SELECT $1, $2, body, to_timestamp(0) FROM unnest($3::text[]) WITH ORDINALITY AS said (body, n) ORDER BY n`,
      [articleId, reader.id, [...said].reverse()],
    );
    const bodies = (shown: readonly { readonly body: string }[]) => shown.map(({ body }) => body);
    const { body: page } = await ask<CommentedArticle>(community.app, 'GET', `/articles/${articleId}`);
    expect(bodies(page.latestComments)).toEqual(said.slice(0, 50));
    const seen = bodies(page.latestComments);
    for (let next = page.olderComments; next !== null;) {
      const { body } = await ask<Comments>(
        community.app,
        'GET',
        `/articles/${articleId}/comments?limit=3&cursor=${next}`,
      );
      seen.push(...bodies(body.comments));
      next = body.next;
    }
    expect(seen).toEqual(said);
    const first = await ask<Comments>(community.app, 'GET', `/articles/${articleId}/comments`);
    expect(bodies(first.body.comments)).toEqual(said.slice(0, 10));

    const few = await author.writes();
    await reader.comments(few);
    expect((await ask(community.app, 'GET', `/articles/${few}`)).body).toMatchObject({ olderComments: null });
    const draft = await author.writes({ publish: false });
    expect((await reader.tries('GET', `/articles/${draft}/comments`)).status).toBe(404);
    expect((await author.does('GET', `/articles/${draft}/comments`)).body).toEqual({ comments: [], next: null });
    for (const path of ['limit', 'cursor']) {
      const { status, body } = await ask(community.app, 'GET', `/articles/${few}/comments?${path}=none`);
      expect([status, body]).toEqual([400, expect.objectContaining({ errors: [expect.objectContaining({ path })] })]);
    }
  });

  it('lets none but its author delete a comment', async () => {
    const id = await author.writes();
    const comment = await reader.comments(id);
    // Also while the article is offline.
    expect((await author.does('DELETE', `/articles/${id}/publish`)).status).toBeLessThan(300);
    expect((await author.tries('DELETE', `/comments/${comment}`)).status).toBe(403);
    expect((await ask(community.app, 'DELETE', `/comments/${comment}`)).status).toBe(401);
    expect((await reader.does('DELETE', `/comments/${comment}`)).status).toBe(204);
  });

  it("shows a user's page: name, picture, followers and articles", async () => {
    const writer = await Person.register(community.app);
    const id = await writer.writes({ title: 'The only one' });
    await writer.writes({ publish: false });
    await reader.does('PUT', `/users/${writer.id}/follow`);
    const { body } = await ask<Record<string, unknown>>(community.app, 'GET', `/users/${writer.id}`);
    expect(body).toEqual({
      id: writer.id,
      name: writer.name,
      text: null,
      avatarUrl: `/avatars/${writer.id}.svg`,
      joinedAt: expect.any(String),
      followers: 1,
      following: 0,
      articles: [expect.objectContaining({ id, title: 'The only one' })],
      viewer: null,
    });
    const avatar = await ask(community.app, 'GET', String(body.avatarUrl));
    expect(avatar.headers['content-type']).toMatch(/^image\/svg\+xml/);
    expect(avatar.text).toMatch(/^<svg /);
  });

  it.each([
    ['GET', '/articles/99999999'],
    ['GET', '/articles/9223372036854775808'],
    ['GET', '/articles/-1'],
    ['GET', '/articles/%00'],
    ['GET', '/articles/99999999/comments'],
    ['GET', "/articles/1'--"],
    ['GET', '/users/no-one'],
    ['GET', '/avatars/..%2F..%2Fmain.svg'],
    ['PUT', '/articles/99999999/praise'],
    ['PUT', '/users/99999999/follow'],
    ['DELETE', '/users/1e3/follow'],
    ['DELETE', '/comments/x'],
    ['GET', '/no/such/route'],
  ] as const)('answers %s %s with a problem: 404', async (method, url) => {
    const { status, body, headers, text } = await reader.tries(method, url);
    expect(status).toBe(404);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(body).toMatchObject({
      type: expect.any(String),
      title: 'Not Found',
      status: 404,
      detail: expect.any(String),
    });
    expect(text).not.toMatch(/\bat \S+:\d+/);
  });

  it.each([
    [{ title: '', body: 'b' }, 'title'],
    [{ title: 'two\nlines', body: 'b' }, 'title'],
    [{ title: 'x'.repeat(201), body: 'b' }, 'title'],
    [{ title: 't', body: '\ud800' }, 'body'],
    [{ title: 't', body: ['b'] }, 'body'],
    [{ title: 't', body: 'b', authorId: '1' }, 'authorId'],
  ])('refuses an article %#, naming the field', async (article, path) => {
    const { status, body } = await author.tries('POST', '/articles', article);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path, message: expect.any(String) }] });
  });
});

describe('the category of an article', () => {
  it('is the one that its author names, for good, or the default', async () => {
    const { app } = community;
    const id = await author.writes({ category: 'technology', publish: false });
    expect((await author.does('GET', `/articles/${id}`)).body).toMatchObject({ category: 'technology' });
    expect((await author.does('POST', `/articles/${id}/publish`)).body).toMatchObject({ category: 'technology' });
    expect((await ask(app, 'GET', `/articles/${id}`)).body).toMatchObject({ category: 'technology' });
    expect((await author.does('GET', `/articles/${await author.writes()}`)).body).toMatchObject({
      category: 'general',
    });
  });

  it('has no points of the past where nobody can have named it, whatever is in its name', async () => {
    const url = `/ranks/category-week/users/${author.id}`;
    for (const name of ['%00', 'a%00b', '%EF%B7%90']) {
      const asked = await ask(community.app, 'GET', `${url}/points?partition=${name}`);
      expect([name, asked.status]).toEqual([name, 200]);
      expect([name, (await ask(community.app, 'GET', `${url}/history?partition=${name}`)).status]).toEqual([name, 200]);
    }
  });

  it('chooses what is listed, page after page, of drafts as well', async () => {
    const written: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      written.unshift(await author.writes({ category: 'science' }));
      await author.writes({ category: 'life' });
    }
    const found = await listed('category=science&limit=2');
    expect(found.map(({ id, category }) => [id, category])).toEqual(written.map((id) => [id, 'science']));
    const draft = await author.writes({ category: 'sports', publish: false });
    const { body } = await author.does<List>('GET', '/articles?state=draft&category=sports');
    expect(body.articles.map(({ id }) => id)).toEqual([draft]);
    expect((await ask<List>(community.app, 'GET', '/articles?category=sports')).body.articles).toEqual([]);
  });

  it.each(['cooking', '', 'Technology', '__proto__', null])(
    'is refused where it is %j, with those there are',
    async (name) => {
      const problem = {
        errors: [{ path: 'category', message: expect.stringMatching(/general, technology, .*sports/) }],
      };
      const written = await author.tries('POST', '/articles', { title: 't', body: 'b', category: name });
      expect([written.status, written.body]).toEqual([400, expect.objectContaining(problem)]);
      const listed = await ask(community.app, 'GET', `/articles?category=${name}`);
      expect([listed.status, listed.body]).toEqual([400, expect.objectContaining(problem)]);
    },
  );
});
