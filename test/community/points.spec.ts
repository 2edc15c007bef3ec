import { announced, apiKey, ask, erase, ownCommunity, Person, pointsOf, untilPoints } from './support';

interface Told {
  readonly outcome: {
    readonly action: string;
    readonly outcome: string;
    readonly points: number;
    readonly reason: string | null;
    readonly refusal: { readonly limit: string; readonly allowedAgainAt: string | null } | null;
  } | null;
}

const community = ownCommunity();

describe('points follow what people do', () => {
  let author: Person;
  let article: string;

  const join = () => Person.register(community.app);
  /** What the app wrote into its outbox. */
  const eventsOf = (person: Person, action: string) => announced(community.database, person, action);

  beforeAll(async () => {
    author = await join();
    article = await author.writes();
  });

  it('counts on the boards of the day, the week, the month and all time, with name and avatar', async () => {
    const reader = await join();
    await reader.does('PUT', `/articles/${article}/praise`);
    for (const board of ['day', 'week', 'month', 'all']) await untilPoints(community.app, reader, 2, board);
    const { body } = await ask<{ entry: object }>(community.app, 'GET', `/ranks/day/users/${reader.id}`);
    expect(body.entry).toMatchObject({ user: { name: reader.name, avatarUrl: `/avatars/${reader.id}.svg` } });
  });

  it.each([
    ['praise', 'articles', 2],
    ['collect', 'articles', 2],
  ])('gives points for a %s once, and takes them back', async (action, _, points) => {
    const reader = await join();
    const url = `/articles/${article}/${action}`;
    for (let times = 0; times < 2; times += 1) expect((await reader.does('PUT', url)).status).toBe(204);
    await untilPoints(community.app, reader, points);
    for (let times = 0; times < 2; times += 1) expect((await reader.does('DELETE', url)).status).toBe(204);
    await untilPoints(community.app, reader, 0);
    await reader.does('PUT', url);
    await untilPoints(community.app, reader, points);
    const fields = { userId: reader.id, subject: `article:${article}`, ownerId: author.id };
    const events = await eventsOf(reader, action);
    expect(events).toMatchObject([fields, { ...fields, revoke: true }, fields]);
    expect(events.map(({ revoke = false }) => revoke)).toEqual([false, true, false]);
  });

  it('gives the points of a publication to the author, when the article goes online, once', async () => {
    const writer = await join();
    const draft = await writer.writes({ publish: false });
    expect(await eventsOf(writer, 'publish')).toHaveLength(0);
    for (let times = 0; times < 3; times += 1) {
      expect((await writer.does('POST', `/articles/${draft}/publish`)).status).toBe(200);
    }
    await untilPoints(community.app, writer, 10);
    expect(await eventsOf(writer, 'publish')).toMatchObject([{ userId: writer.id, subject: `article:${draft}` }]);
  });

  it('takes the points of a publication back while the article is offline, and gives them again with it', async () => {
    const [writer, reader] = [await join(), await join()];
    const own = await writer.writes();
    await reader.does('PUT', `/articles/${own}/praise`);
    await untilPoints(community.app, writer, 10);
    await untilPoints(community.app, reader, 2);
    const url = `/articles/${own}/publish`;
    const turn = async (method: 'POST' | 'DELETE') => {
      const { status, body } = await writer.does<{ outcome: object; publishedAt: string | null }>(
        method,
        `${url}?outcome=true`,
      );
      return [status, body.publishedAt === null, body.outcome];
    };
    expect(await turn('DELETE')).toMatchObject([200, true, { outcome: 'revoked', points: -10 }]);
    expect(await turn('DELETE')).toMatchObject([200, true, { outcome: 'duplicate', points: 0 }]);
    await untilPoints(community.app, writer, 0);
    expect((await reader.tries('GET', `/articles/${own}`)).status).toBe(404);
    expect((await reader.tries('DELETE', url)).status).toBe(404);
    expect(await pointsOf(community.app, reader)).toBe(2);
    expect(await turn('POST')).toMatchObject([200, false, { outcome: 'granted', points: 10 }]);
    await untilPoints(community.app, writer, 10);
    expect((await reader.tries('DELETE', url)).status).toBe(403);
    expect((await eventsOf(writer, 'publish')).map(({ revoke = false }) => revoke)).toEqual([false, true, false]);
  });

  it('gives the points of a follow to the follower, with the one followed as its subject', async () => {
    const [follower, followed] = [await join(), await join()];
    await follower.does('PUT', `/users/${followed.id}/follow`);
    await follower.does('PUT', `/users/${followed.id}/follow`);
    await untilPoints(community.app, follower, 2);
    expect(await pointsOf(community.app, followed)).toBe(0);
    await follower.does('DELETE', `/users/${followed.id}/follow`);
    await untilPoints(community.app, follower, 0);
    const fields = { userId: follower.id, subject: `user:${followed.id}` };
    expect(await eventsOf(follower, 'follow')).toMatchObject([fields, { ...fields, revoke: true }]);
    expect((await follower.tries('PUT', `/users/${follower.id}/follow`)).status).toBe(400);
  });

  it('takes the points of comments back with the last one of the day, not before', async () => {
    const reader = await join();
    const [first, second] = [await reader.comments(article), await reader.comments(article)];
    await untilPoints(community.app, reader, 3);
    expect((await reader.does('DELETE', `/comments/${first}`)).status).toBe(204);
    expect(await eventsOf(reader, 'comment')).toHaveLength(2);
    expect(await pointsOf(community.app, reader)).toBe(3);
    expect((await reader.does('DELETE', `/comments/${second}`)).status).toBe(204);
    await untilPoints(community.app, reader, 0);
    expect((await reader.tries('DELETE', `/comments/${second}`)).status).toBe(404);
    await reader.comments(article);
    await untilPoints(community.app, reader, 3);
  });

  it('takes each moment from the database, in the order of the changes, also of concurrent ones', async () => {
    const reader = await join();
    const url = `/articles/${article}/praise`;
    const answers = await Promise.all(
      Array.from({ length: 48 }, (_, index) => reader.tries(index % 2 === 0 ? 'PUT' : 'DELETE', url)),
    );
    // Too many at once for a slow machine are refused.
    expect(answers.map(({ status }) => status).filter((status) => status !== 204 && status !== 503)).toEqual([]);
    const events = await eventsOf(reader, 'praise');
    expect(events.length).toBeGreaterThan(1);
    const ordered = [...events].sort(
      (a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt) || a.sequence - b.sequence,
    );
    // Praise and its cancellation take turns: no moment is equal to another, or in another order than the changes.
    expect(ordered.map(({ revoke = false }) => revoke)).toEqual(events.map((_, index) => index % 2 === 1));
    const isPraised = events.length % 2 === 1;
    await untilPoints(community.app, reader, isPraised ? 2 : 0);
  });

  it('gives nothing for reading a page of one’s own, and calls what was read what praise calls it', async () => {
    const [writer, reader] = [await join(), await join()];
    const own = await writer.writes();
    for (const page of [`/articles/${own}`, `/users/${writer.id}`]) {
      const { body } = await writer.does<{ outcome: object }>('GET', `${page}?outcome=true`);
      expect(body.outcome).toMatchObject({ outcome: 'ignored', points: 0, reason: 'ownSubject' });
      await reader.does('GET', page);
    }
    await untilPoints(community.app, reader, 2);
    expect(await pointsOf(community.app, writer)).toBe(10);
    const ledger = `/activity/users/${reader.id}/ledger`;
    const { lines } = (await reader.does<{ lines: { action: string; subject: string }[] }>('GET', ledger)).body;
    expect(lines.map(({ action, subject }) => `${action} ${subject}`).sort()).toEqual([
      `view article:${own}`,
      `view user:${writer.id}`,
    ]);
  });
});

describe('a click that asks for its outcome', () => {
  let author: Person, reader: Person, article: string;
  beforeEach(async () => {
    [author, reader] = [await Person.register(community.app), await Person.register(community.app)];
    article = await author.writes();
  });

  it('is told the points it gave, and those it took back', async () => {
    const praise = (method: 'PUT' | 'DELETE') => reader.does<Told>(method, `/articles/${article}/praise?outcome=true`);
    const given = { action: 'praise', outcome: 'granted', points: 2, reason: null, refusal: null };
    expect(await praise('PUT')).toMatchObject({ status: 200, body: { outcome: given } });
    expect((await praise('PUT')).body.outcome).toMatchObject({ outcome: 'duplicate', points: 0 });
    expect((await praise('DELETE')).body.outcome).toMatchObject({ outcome: 'revoked', points: -2 });
    expect((await praise('DELETE')).body.outcome).toMatchObject({ outcome: 'duplicate', points: 0 });
  });

  it('has it beside the answer that the route has of its own', async () => {
    const draft = await author.writes({ publish: false });
    const published = await author.does<Told & { title: string }>('POST', `/articles/${draft}/publish?outcome=true`);
    expect(published).toMatchObject({ status: 200, body: { id: draft, outcome: { action: 'publish', points: 10 } } });
    const comment = await reader.does<Told & { id: string }>('POST', `/articles/${draft}/comments?outcome=true`, {
      body: 'Well said.',
    });
    expect(comment).toMatchObject({ status: 201, body: { body: 'Well said.', outcome: { points: 3 } } });
    const deleted = await reader.does<Told>('DELETE', `/comments/${comment.body.id}?outcome=true`);
    expect(deleted.body.outcome).toMatchObject({ outcome: 'revoked', points: -3 });
    const follow = await reader.does<Told>('PUT', `/users/${author.id}/follow?outcome=true`);
    expect(follow.body.outcome).toMatchObject({ outcome: 'granted', points: 2 });
  });

  it('is told what reading a page gave, and why it gave none; nobody is where nobody is signed in', async () => {
    for (const page of [`/articles/${article}`, `/users/${author.id}`]) {
      const read = async (query: string) => (await reader.does<Told & { id: string }>('GET', page + query)).body;
      const { id, outcome } = await read('?outcome=true');
      expect([page.endsWith(`/${id}`), outcome]).toEqual([
        true,
        { action: 'view', outcome: 'granted', points: 1, reason: null, refusal: null, excluded: false },
      ]);
      expect((await read('?outcome=true')).outcome).toMatchObject({ outcome: 'duplicate', points: 0 });
      expect(await read('')).not.toHaveProperty('outcome');
      expect((await ask<Told>(community.app, 'GET', `${page}?outcome=true`)).body.outcome).toBeNull();
      expect((await ask(community.app, 'GET', `${page}?outcome=please`)).status).toBe(400);
    }
    await untilPoints(community.app, reader, 2);
  });

  it('is told that nobody sees the points of a user who is excluded', async () => {
    await ask(community.app, 'PUT', `/activity/exclusions/${reader.id}`, { token: apiKey });
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', '/praise'],
      ['DELETE', '/praise'],
    ] as const) {
      const { body } = await reader.does<Told>(method, `/articles/${article}${path}?outcome=true`);
      expect(body.outcome).toMatchObject({
        outcome: path === '' || method === 'PUT' ? 'granted' : 'revoked',
        excluded: true,
      });
    }
  });

  it('is answered without a body where it does not ask, and refused where it asks for something else', async () => {
    for (const query of ['', '?outcome=false']) {
      const { status, text } = await reader.does('PUT', `/articles/${article}/praise${query}`);
      expect([status, text]).toEqual([204, '']);
    }
    const { status, body } = await reader.tries('PUT', `/articles/${article}/praise?outcome=please`);
    expect([status, body.errors]).toEqual([400, [{ path: 'outcome', message: 'must be true or false' }]]);
    expect((await reader.tries('PUT', '/articles/999999/praise?outcome=true')).status).toBe(404);
  });
});

describe('the ranks of a category', () => {
  let author: Person;
  beforeAll(async () => {
    author = await Person.register(community.app);
  });

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

  it('pass over what names no category and a replay brings, and its end takes nothing there', async () => {
    const { app, database } = community;
    const reader = await Person.register(app);
    const article = await author.writes({ category: 'technology' });
    const { rows } = await database.query<{ at: Date }>(
      `INSERT INTO reactions VALUES ($1, 'praise', $2, date_trunc('milliseconds', clock_timestamp())) RETURNING created_at AS at`,
      [article, reader.id],
    );
    const event = { userId: reader.id, action: 'praise', subject: `article:${article}`, ownerId: author.id };
    const told = JSON.stringify({ ...event, occurredAt: rows[0]?.at, sequence: 0 });
    await database.query('SELECT outbox_write($1, $2)', [reader.id, told]);
    await untilPoints(app, reader, 2, 'week');
    expect(await pointsIn('technology', reader)).toBe(0);
    await reader.does('DELETE', `/articles/${article}/praise`);
    await untilPoints(app, reader, 0, 'week');
    expect(await pointsIn('technology', reader)).toBe(0);
    await reader.does('PUT', `/articles/${article}/praise`);
    await untilPoints(app, reader, 2, 'week');
    expect(await pointsIn('technology', reader)).toBe(2);
    const events = await announced(database, reader, 'praise');
    const named = { category: 'technology' };
    expect(events.map(({ partitions }) => partitions)).toEqual([undefined, named, named]);
  });
});

/** Half a day and more from Greenwich: its midnight is nowhere near that of UTC. */
const timezone = 'Pacific/Chatham';
const elsewhere = ownCommunity(() => [{ timezone }]);

it('the day of a comment is cut in the time zone of the leaderboards', async () => {
  const [author, reader] = [await Person.register(elsewhere.app), await Person.register(elsewhere.app)];
  const article = await author.writes();
  const cancelled = async () => (await announced(elsewhere.database, reader, 'comment')).filter(({ revoke }) => revoke);
  const place = async (at: string) => {
    const id = await reader.comments(article);
    const local = `(date_trunc('day', now() AT TIME ZONE $2) + $3::interval) AT TIME ZONE $2`;
    await elsewhere.database.query(`UPDATE comments SET created_at = ${local} WHERE id = $1`, [id, timezone, at]);
    return id;
  };
  const evening = await place('-1 millisecond');
  const [midnight, noon] = [await place('0'), await place('12:00')];
  await reader.does('DELETE', `/comments/${evening}`);
  expect(await cancelled()).toHaveLength(1);
  await reader.does('DELETE', `/comments/${midnight}`);
  expect(await cancelled()).toHaveLength(1);
  await reader.does('DELETE', `/comments/${noon}`);
  const events = await cancelled();
  expect(events.map(({ subject }) => subject)).toEqual([`article:${article}`, `article:${article}`]);
  expect(events.every(({ grantedAt }) => Number.isInteger(Date.parse(String(grantedAt))))).toBe(true);
});
