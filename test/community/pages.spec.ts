import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { apiKey, TestCommunity } from './support/community';
import { ask, Person } from './support/person';
import { untilPoints } from './support/points';

let community: TestCommunity;
let app: NestFastifyApplication;

beforeAll(async () => {
  community = await TestCommunity.start({
    limits: [{ type: 'sliding', action: 'collect', max: 1, windowMs: 3_600_000, per: 'action', name: 'collects' }],
  });
  ({ app } = community);
});
afterAll(() => community.stop());

interface Told {
  readonly outcome: {
    readonly action: string;
    readonly outcome: string;
    readonly points: number;
    readonly reason: string | null;
    readonly refusal: { readonly limit: string; readonly allowedAgainAt: string | null } | null;
  } | null;
}

describe('a click that asks for its outcome', () => {
  it('is told the points it gave, and those it took back', async () => {
    const [author, reader] = [await Person.register(app), await Person.register(app)];
    const article = await author.writes();
    const praise = (method: 'PUT' | 'DELETE') => reader.does<Told>(method, `/articles/${article}/praise?outcome=true`);
    const given = { action: 'praise', outcome: 'granted', points: 2, reason: null, refusal: null };
    expect(await praise('PUT')).toMatchObject({ status: 200, body: { outcome: given } });
    expect((await praise('PUT')).body.outcome).toMatchObject({ outcome: 'duplicate', points: 0 });
    expect((await praise('DELETE')).body.outcome).toMatchObject({ outcome: 'revoked', points: -2 });
    expect((await praise('DELETE')).body.outcome).toMatchObject({ outcome: 'duplicate', points: 0 });
  });

  it('is told why it gave none', async () => {
    const [author, reader] = [await Person.register(app), await Person.register(app)];
    const [first, second] = [await author.writes(), await author.writes()];
    const own = await author.does<Told>('PUT', `/articles/${first}/praise?outcome=true`);
    expect(own.body.outcome).toMatchObject({ outcome: 'ignored', points: 0, reason: 'ownSubject' });
    await reader.does('PUT', `/articles/${first}/collect`);
    const { body } = await reader.does<Told>('PUT', `/articles/${second}/collect?outcome=true`);
    expect(body.outcome).toMatchObject({ outcome: 'limited', points: 0, refusal: { limit: 'collects' } });
    expect(Date.parse(body.outcome?.refusal?.allowedAgainAt ?? '')).not.toBeNaN();
  });

  it('has it beside the answer that the route has of its own', async () => {
    const [author, reader] = [await Person.register(app), await Person.register(app)];
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
    const [author, reader] = [await Person.register(app), await Person.register(app)];
    const article = await author.writes();
    for (const page of [`/articles/${article}`, `/users/${author.id}`]) {
      const read = async (query: string) => (await reader.does<Told & { id: string }>('GET', page + query)).body;
      const { id, outcome } = await read('?outcome=true');
      expect([page.endsWith(`/${id}`), outcome]).toEqual([
        true,
        { action: 'view', outcome: 'granted', points: 1, reason: null, refusal: null, excluded: false },
      ]);
      expect((await read('?outcome=true')).outcome).toMatchObject({ outcome: 'duplicate', points: 0 });
      expect(await read('')).not.toHaveProperty('outcome');
      expect((await ask<Told>(app, 'GET', `${page}?outcome=true`)).body.outcome).toBeNull();
      expect((await ask(app, 'GET', `${page}?outcome=please`)).status).toBe(400);
    }
    await untilPoints(app, reader, 2);
  });

  it('is told that nobody sees the points of a user who is excluded', async () => {
    const [author, reader] = [await Person.register(app), await Person.register(app)];
    const article = await author.writes();
    await ask(app, 'PUT', `/activity/exclusions/${reader.id}`, { token: apiKey });
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
    const [author, reader] = [await Person.register(app), await Person.register(app)];
    const article = await author.writes();
    for (const query of ['', '?outcome=false']) {
      const { status, text } = await reader.does('PUT', `/articles/${article}/praise${query}`);
      expect([status, text]).toEqual([204, '']);
    }
    const { status, body } = await reader.tries('PUT', `/articles/${article}/praise?outcome=please`);
    expect([status, body.errors]).toEqual([400, [{ path: 'outcome', message: 'must be true or false' }]]);
    expect((await reader.tries('PUT', '/articles/999999/praise?outcome=true')).status).toBe(404);
  });
});

describe('GET /users', () => {
  const search = (query: string) =>
    ask<{ users: { id: string; name: string; rank?: number | null; score?: number }[] }>(app, 'GET', `/users?${query}`);

  it('finds users by a part of their names, with their places: those whose names begin so first', async () => {
    const author = await Person.register(app, 'Zoë_1');
    const other = await Person.register(app, 'zoë%2');
    const middle = await Person.register(app, 'Other Zoë');
    const within = await Person.register(app, 'Azoëla');
    await author.writes();
    await untilPoints(app, author, 10);
    const { status, body } = await search(`name=${encodeURIComponent('ZOË')}&leaderboard=day`);
    expect(status).toBe(200);
    expect(body.users).toEqual(
      expect.arrayContaining([
        { id: author.id, name: 'Zoë_1', avatarUrl: `/avatars/${author.id}.svg`, rank: expect.any(Number), score: 10 },
        { id: other.id, name: 'zoë%2', avatarUrl: `/avatars/${other.id}.svg`, rank: null, score: 0 },
      ]),
    );
    const found = body.users.map(({ id }) => id);
    expect(new Set(found.slice(0, 2))).toEqual(new Set([author.id, other.id]));
    expect(found.slice(2)).toEqual([middle.id, within.id]);
    expect((await search(`name=${encodeURIComponent('zoë%')}`)).body.users).toEqual([
      { id: other.id, name: 'zoë%2', avatarUrl: `/avatars/${other.id}.svg` },
    ]);
    await other.writes();
    await untilPoints(app, other, 10);
    const query = `name=${encodeURIComponent('zoë')}&leaderboard=day&ranking=competition`;
    const [first, second] = (await search(query)).body.users;
    expect(first?.rank).toBe(second?.rank);
    expect((await search('name=nobody-is-called-so&leaderboard=day')).body.users).toEqual([]);
  });

  it('refuses what it cannot look for', async () => {
    for (const query of ['', 'name=', 'name=a&limit=51', 'name=a&sort=x', 'name=a&leaderboard=day&ranking=best']) {
      expect([query, (await search(query)).status]).toEqual([query, 400]);
    }
    expect((await search('name=nobody-is-called-so&leaderboard=hour')).status).toBe(404);
    expect((await search('name=a&leaderboard=day&period=x')).status).toBe(404);
  });
});

describe('POST /names', () => {
  const name = (subjects: unknown) =>
    ask<{ names: Record<string, string> }>(app, 'POST', '/names', { body: { subjects } });

  it('names articles that are online, and users; of all else it says nothing', async () => {
    const ada = await Person.register(app, 'Ada of the names');
    const online = await ada.writes({ title: 'What it is called' });
    const draft = await ada.writes({ title: 'A secret', publish: false });
    const subjects = [`article:${online}`, `article:${draft}`, `user:${ada.id}`];
    const { status, body } = await name([...subjects, 'user:0', 'user:x', 'article:', 'team/7', `user:${ada.id}`]);
    expect(status).toBe(200);
    expect(body.names).toEqual({ [`article:${online}`]: 'What it is called', [`user:${ada.id}`]: 'Ada of the names' });
  });

  it('refuses what is no list of at most 200 subjects', async () => {
    for (const subjects of [undefined, [], 'user:1', [1], Array.from({ length: 201 }, (_, i) => `user:${i}`)]) {
      expect((await name(subjects)).status).toBe(400);
    }
  });
});
