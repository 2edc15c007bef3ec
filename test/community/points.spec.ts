import { Client } from 'pg';
import { announced } from './support/announced';
import { apiKey, TestCommunity } from './support/community';
import { ask, Person } from './support/person';
import { pointsOf, untilPoints } from './support/points';

describe('points follow what people do', () => {
  let community: TestCommunity;
  let author: Person;
  let article: string;

  const join = () => Person.register(community.app);
  /** What the app wrote into its outbox. */
  const eventsOf = (person: Person, action: string) => announced(community.postgres.url, person, action);

  beforeAll(async () => {
    community = await TestCommunity.start();
    author = await join();
    article = await author.writes();
  });
  afterAll(() => community.stop());

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

  it('gives nothing for praising, collecting and commenting on what one wrote oneself', async () => {
    const writer = await join();
    const other = await (await join()).writes();
    const own = await writer.writes();
    await untilPoints(community.app, writer, 10);
    await writer.does('PUT', `/articles/${own}/praise`);
    await writer.does('PUT', `/articles/${own}/collect`);
    await writer.does('POST', `/articles/${own}/comments`, { body: 'A postscript.' });
    // What comes after all of these counts.
    await writer.does('POST', `/articles/${other}/comments`, { body: 'A reply.' });
    await untilPoints(community.app, writer, 13);
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

  it('leaves points of comments on other articles, and of other people, alone', async () => {
    const [reader, other, elsewhere] = [await join(), await join(), await author.writes()];
    const [comment] = [await reader.comments(article), await reader.comments(elsewhere), await other.comments(article)];
    await untilPoints(community.app, reader, 6);
    await untilPoints(community.app, other, 3);
    await reader.does('DELETE', `/comments/${comment}`);
    await untilPoints(community.app, reader, 3);
    expect(await pointsOf(community.app, other)).toBe(3);
    expect((await other.tries('DELETE', `/comments/${comment}`)).status).toBe(404);
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

  it('scores a page that a signed-in user reads once a day, and nothing else', async () => {
    const reader = await join();
    await reader.does('GET', `/articles/${article}`);
    await reader.does('GET', `/articles/${article}?from=feed`);
    await reader.does('GET', `/articles/${article}/`);
    await untilPoints(community.app, reader, 1);
    await reader.does('GET', `/users/${author.id}`);
    await untilPoints(community.app, reader, 2);
    for (const [url, status] of [
      ['/articles/999999', 404],
      ['/articles/invented/page', 404],
      ['/articles/0', 404],
      ['/nowhere', 404],
      ['/articles?limit=0', 400],
      ['/articles', 200],
      ['/ranks/day', 200],
      ['/avatars/1.svg', 200],
      ['/favicon.svg', 200],
      ['/', 200],
      ['/health/live', 200],
    ] as const) {
      expect([url, (await reader.tries('GET', url)).status]).toEqual([url, status]);
    }
    await ask(community.app, 'GET', `/articles/${article}`);
    // A later activity of the same person is recorded after everything before it.
    await reader.does('PUT', `/articles/${article}/praise`);
    await untilPoints(community.app, reader, 4);
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

  it('gives at most a hundred points a day for reading', async () => {
    const reader = await join();
    const events = Array.from({ length: 101 }, (_, n) => ({ userId: reader.id, action: 'view', subject: `page ${n}` }));
    const sent = await ask(community.app, 'POST', '/activity/events', { token: apiKey, body: { events } });
    expect(sent.status).toBe(200);
    expect(await pointsOf(community.app, reader)).toBe(100);
    const { body } = await reader.does<{ outcome: object }>('GET', `/articles/${article}?outcome=true`);
    expect(body.outcome).toMatchObject({ outcome: 'limited', points: 0, refusal: { limit: 'view-daily' } });
    await reader.does('PUT', `/articles/${article}/praise`);
    await untilPoints(community.app, reader, 102);
  });

  it('keeps the place of a user whom only other services know, without a profile', async () => {
    const { status } = await ask(community.app, 'POST', '/activity/events', {
      token: apiKey,
      body: { events: [{ userId: 'someone:else{}', action: 'publish', subject: 'x' }] },
    });
    expect(status).toBe(200);
    const { body } = await ask<{ entry: object }>(community.app, 'GET', '/ranks/day/users/someone:else%7B%7D');
    expect(body.entry).toMatchObject({ score: 10, user: null });
  });

  it('shows users their own history', async () => {
    const [reader, other] = [await join(), await join()];
    await reader.does('PUT', `/articles/${article}/praise`);
    await untilPoints(community.app, reader, 2);
    const { status, body } = await reader.does('GET', `/activity/users/${reader.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ userId: reader.id, days: [{ points: 2, actions: { praise: 1 } }] });
    expect((await other.tries('GET', `/activity/users/${reader.id}`)).status).toBe(403);
    expect((await ask(community.app, 'GET', `/activity/users/${reader.id}`)).status).toBe(401);
  });
});

describe('the day of a comment', () => {
  /** Half a day and more from Greenwich: its midnight is nowhere near that of UTC. */
  const timezone = 'Pacific/Chatham';
  let community: TestCommunity;
  let database: Client;

  beforeAll(async () => {
    community = await TestCommunity.start({ timezone });
    database = new Client({ connectionString: community.postgres.url });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await community.stop();
  });

  it('is cut in the time zone of the leaderboards', async () => {
    const [author, reader] = [await Person.register(community.app), await Person.register(community.app)];
    const article = await author.writes();
    const cancelled = async () =>
      (await announced(community.postgres.url, reader, 'comment')).filter(({ revoke }) => revoke);
    const place = async (at: string) => {
      const id = await reader.comments(article);
      const local = `(date_trunc('day', now() AT TIME ZONE $2) + $3::interval) AT TIME ZONE $2`;
      await database.query(`UPDATE comments SET created_at = ${local} WHERE id = $1`, [id, timezone, at]);
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
});
