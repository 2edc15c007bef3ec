import { Client } from 'pg';
import { waitUntil } from '../support/wait-until';
import { announced } from './support/announced';
import { apiKey, TestCommunity } from './support/community';
import { erase } from './support/erase';
import { ask, Person } from './support/person';
import { untilPoints } from './support/points';

interface List {
  readonly articles: readonly { readonly id: string; readonly category: string }[];
  readonly next: string | null;
}

let community: TestCommunity;
let author: Person;

beforeAll(async () => {
  community = await TestCommunity.start();
  author = await Person.register(community.app, 'The Author');
});
afterAll(() => community.stop());

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
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const cursor: string = next === null ? '' : `&cursor=${next}`;
      const { body } = await ask<List>(community.app, 'GET', `/articles?category=science&limit=2${cursor}`);
      seen.push(...body.articles.map(({ id }) => id));
      expect(body.articles.every(({ category }) => category === 'science')).toBe(true);
      next = body.next;
    } while (next !== null);
    expect(seen).toEqual(written);
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

describe('the ranks of a category', () => {
  /** What a person has there, by the week and by the month. */
  const pointsIn = async (category: string, { id }: Person) => {
    const scores = await Promise.all(
      ['category-week', 'category-month'].map(async (board) => {
        const { body } = await ask<{ entry: { score: number } }>(
          community.app,
          'GET',
          `/ranks/${board}/users/${id}?partition=${category}`,
        );
        return body.entry.score;
      }),
    );
    expect(scores[0]).toBe(scores[1]);
    return scores[0];
  };

  it('count what is done to its articles: publishing, reading, praising, commenting, and their ends', async () => {
    const { app } = community;
    const [writer, reader] = [await Person.register(app), await Person.register(app, 'Reader')];
    const article = await writer.writes({ category: 'technology' });
    const other = await writer.writes({ category: 'arts' });
    await untilPoints(app, writer, 20, 'week');
    expect([await pointsIn('technology', writer), await pointsIn('arts', writer)]).toEqual([10, 10]);

    await reader.does('PUT', `/articles/${article}/praise`);
    await reader.does('PUT', `/articles/${article}/collect`);
    await reader.does('PUT', `/users/${writer.id}/follow`);
    const comment = await reader.comments(other);
    await reader.does('GET', `/articles/${article}`);
    await untilPoints(app, reader, 10, 'week');
    expect([await pointsIn('technology', reader), await pointsIn('arts', reader)]).toEqual([5, 3]);

    await reader.does('DELETE', `/articles/${article}/praise`);
    await reader.does('DELETE', `/articles/${article}/collect`);
    await reader.does('DELETE', `/comments/${comment}`);
    await untilPoints(app, reader, 3, 'week');
    expect([await pointsIn('technology', reader), await pointsIn('arts', reader)]).toEqual([1, 0]);

    const { body } = await ask<{ entries: { userId: string; rank: number }[]; partition: string }>(
      app,
      'GET',
      '/ranks/category-week?partition=technology&titles=true',
    );
    expect(body.partition).toBe('technology');
    const places = body.entries.map(({ userId }) => userId);
    expect(places.indexOf(writer.id)).toBeLessThan(places.indexOf(reader.id));
    expect((await ask(app, 'GET', '/ranks/category-week')).status).toBe(400);

    const found = await ask<{ users: { rank: number | null; score: number }[] }>(
      app,
      'GET',
      '/users?name=Reader&leaderboard=category-month&partition=technology',
    );
    expect(found.body.users).toMatchObject([{ id: reader.id, rank: places.indexOf(reader.id) + 1, score: 1 }]);

    await erase(app, writer);
    expect([await pointsIn('technology', writer), await pointsIn('arts', writer)]).toEqual([0, 0]);
    expect(await pointsIn('technology', reader)).toBe(1);
  });

  it('lose what is voided of a user, each what counted there, and keep the rest', async () => {
    const { app } = community;
    const cheat = await Person.register(app);
    const review = async (path: string, body: object) =>
      (
        await ask<{ id: string; voided: object | null }>(app, 'POST', `/activity/reviews${path}`, {
          token: apiKey,
          body,
        })
      ).body;
    const [technology, arts] = [
      await author.writes({ category: 'technology' }),
      await author.writes({ category: 'arts' }),
    ];
    await cheat.does('PUT', `/articles/${technology}/praise`);
    await untilPoints(app, cheat, 2, 'week');
    const { id } = await review('', { userId: cheat.id, reason: 'a ring' });
    for (const article of [technology, arts]) {
      await cheat.comments(article);
      await cheat.does('GET', `/articles/${article}`);
    }
    await cheat.does('PUT', `/users/${author.id}/follow`);
    const scored = async () => {
      const { body } = await ask<{ entry: { score: number } }>(app, 'GET', `/ranks/week/users/${cheat.id}`, {
        token: apiKey,
      });
      return body.entry.score;
    };
    await waitUntil(async () => (await scored()) === 12);
    expect((await review(`/${id}/void`, {})).voided).toMatchObject({ grants: 5, points: 10, removedFrom: [] });
    expect(await scored()).toBe(2);
    expect([await pointsIn('technology', cheat), await pointsIn('arts', cheat)]).toEqual([2, 0]);
  });

  it('pass over what names no category and a replay brings, and its end takes nothing there', async () => {
    const { app, postgres } = community;
    const reader = await Person.register(app);
    const article = await author.writes({ category: 'technology' });
    const database = new Client({ connectionString: postgres.url });
    await database.connect();
    const { rows } = await database.query<{ at: Date }>(
      `INSERT INTO reactions VALUES ($1, 'praise', $2, date_trunc('milliseconds', clock_timestamp())) RETURNING created_at AS at`,
      [article, reader.id],
    );
    const event = { userId: reader.id, action: 'praise', subject: `article:${article}`, ownerId: author.id };
    const told = JSON.stringify({ ...event, occurredAt: rows[0]?.at, sequence: 0 });
    await database.query('SELECT outbox_write($1, $2)', [reader.id, told]);
    await database.end();
    await untilPoints(app, reader, 2, 'week');
    expect(await pointsIn('technology', reader)).toBe(0);
    await reader.does('DELETE', `/articles/${article}/praise`);
    await untilPoints(app, reader, 0, 'week');
    expect(await pointsIn('technology', reader)).toBe(0);
    await reader.does('PUT', `/articles/${article}/praise`);
    await untilPoints(app, reader, 2, 'week');
    expect(await pointsIn('technology', reader)).toBe(2);
    const events = await announced(postgres.url, reader, 'praise');
    const named = { category: 'technology' };
    expect(events.map(({ partitions }) => partitions)).toEqual([undefined, named, named]);
  });
});
