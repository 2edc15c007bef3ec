import { setImmediate as nextTurn } from 'node:timers/promises';
import { Pool } from 'pg';
import { apiKey, ask, erase, ownCommunity, Person, untilPoints } from './support';

interface Line {
  readonly userId: string;
  readonly user: object | null;
}

const community = ownCommunity();

describe('registering and signing in', () => {
  const password = 'correct horse battery';
  const register = (name: string) => ask(community.app, 'POST', '/auth/register', { body: { name, password } });

  it('gives a token that expires, and names the user', async () => {
    const { status, body } = await ask<{ token: string; expiresAt: string; user: object }>(
      community.app,
      'POST',
      '/auth/register',
      { body: { name: '  Grace Hopper ', password } },
    );
    expect(status).toBe(201);
    expect(body.user).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Grace Hopper',
      avatarUrl: expect.stringMatching(/^\/avatars\/\d+\.svg$/),
    });
    const inHours = (Date.parse(body.expiresAt) - performance.timeOrigin - performance.now()) / 3_600_000;
    expect(inHours).toBeGreaterThan(11);
    expect(inHours).toBeLessThan(12.1);
  });

  it('refuses a name that another has, in capitals or not', async () => {
    await register('Edsger');
    const { status, body } = await register('EDSGER');
    expect(status).toBe(409);
    expect(body).toMatchObject({ status: 409, title: 'Conflict' });
  });

  it.each([
    ['a character that nobody sees', 'Margaret', 'Marg\u200baret'],
    ['a word joiner at its end', 'Radia', 'Radia\u2060'],
    ['one letter written as two', 'Ana\u00efs', 'Anai\u0308s'],
    ['wide letters', 'Hedy', 'Ｈｅｄｙ'],
    ['Cyrillic letters', 'Sophie', 'Ѕорhіе'],
    ['Greek capitals', 'KATE', 'ΚΑΤΕ'],
    ['digits for letters', 'Lois Lo', 'Lois L0'],
    ['a capital I for an l', 'Paul', 'PauI'],
    ['more space between its words', 'Ada Byron', 'Ada \u00a0 Byron'],
  ])('refuses a name that looks like another’s, by %s', async (_, name, alike) => {
    expect((await register(name)).status).toBe(201);
    expect(await register(alike)).toMatchObject({ status: 409, body: { title: 'Conflict' } });
  });

  it('shows a name without what nobody sees, pictures and joined letters as they are, and signs in by it as it was typed', async () => {
    const names = ['Ka\u200bthe\u0301rine', 'علی\u200cرضا', 'Ann 👩\u200d🚀'];
    const shown = ['Kathérine', 'علی\u200cرضا', 'Ann 👩\u200d🚀'];
    for (const [i, name] of names.entries()) {
      expect((await register(name)).body).toMatchObject({ user: { name: shown[i] } });
      const { status } = await ask(community.app, 'POST', '/auth/login', { body: { name, password } });
      expect(status).toBe(200);
    }
  });

  it('signs in by name and password, whatever the capitals of the name', async () => {
    await register('Barbara');
    const { status, body } = await ask<{ token: string }>(community.app, 'POST', '/auth/login', {
      body: { name: 'barbara', password },
    });
    expect(status).toBe(200);
    expect(body.token.split('.')).toHaveLength(3);
  });

  it('refuses a wrong password and an unknown name with the same words', async () => {
    await register('Donald');
    const attempts = [
      { name: 'Donald', password: 'not the password' },
      { name: 'Nobody at all', password },
      { name: 'with a \0 in it', password },
    ];
    const answers = await Promise.all(attempts.map((body) => ask(community.app, 'POST', '/auth/login', { body })));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('answers 503 with Retry-After where too many come at once, and others meanwhile', async () => {
    // Its twenty connections, opened at once, may take a busy machine longer than a request waits for one.
    community.app.get(Pool).options.connectionTimeoutMillis = 60_000;
    const tries = Array.from({ length: 44 }, (_, i) =>
      ask(community.app, 'POST', '/auth/login', { body: { name: `Nobody ${i}`, password } }),
    );
    let isOver = false;
    const all = Promise.all(tries).finally(() => (isOver = true));
    let others = 0;
    while (!isOver) {
      expect((await ask(community.app, 'GET', '/points')).status).toBe(200);
      others += 1;
      // A request without a network leaves the event loop no turn of its own.
      await nextTurn();
    }
    const answers = await all;
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(44 - refused.length);
    for (const { headers, body } of refused) {
      expect(headers['retry-after']).toBe('1');
      expect(body).toMatchObject({ type: 'urn:laurel:problem:overloaded', status: 503 });
    }
    // Each of the others would have waited for a hash otherwise.
    expect(others).toBeGreaterThan(44);
  });

  it.each([
    [{ name: '', password }, 'name'],
    [{ name: '   ', password }, 'name'],
    [{ name: '\u200b\u200d', password }, 'name'],
    [{ name: '\u3164', password }, 'name'],
    [{ name: 'a\0b', password }, 'name'],
    [{ name: 'x'.repeat(41), password }, 'name'],
    [{ name: 7, password }, 'name'],
    [{ password }, 'name'],
    [{ name: 'Short', password: 'short' }, 'password'],
    [{ name: 'Long', password: 'x'.repeat(201) }, 'password'],
    [{ name: 'More', password, isAdmin: true }, 'isAdmin'],
  ])('refuses %j, naming the field', async (body, path) => {
    const { status, body: problem, headers } = await ask(community.app, 'POST', '/auth/register', { body });
    expect(status).toBe(400);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(problem).toMatchObject({ status: 400, errors: [{ path, message: expect.any(String) }] });
  });
});

describe('what users say of themselves', () => {
  let person: Person;
  const userOnBoard = async () => {
    const { body } = await ask<{ entries: readonly Line[] }>(community.app, 'GET', '/ranks/month?limit=8');
    return body.entries.find(({ userId }) => userId === person.id)?.user;
  };

  beforeAll(async () => {
    person = await Person.register(community.app);
    await person.writes();
    await untilPoints(community.app, person, 10, 'month');
  });

  it('stands in their rows of the leaderboards and on their page, until they take it back', async () => {
    const plain = { name: person.name, avatarUrl: `/avatars/${person.id}.svg` };
    expect(await userOnBoard()).toEqual(plain);
    const said = '<b>Sorted</b> sets, دائما.';
    expect((await person.does('PUT', '/profile/text', { text: `  ${said} ` })).status).toBe(204);
    expect(await userOnBoard()).toEqual({ ...plain, text: said });
    expect((await person.does('GET', `/users/${person.id}`)).body).toMatchObject({ text: said });
    for (let times = 0; times < 2; times += 1) {
      expect((await person.does('DELETE', '/profile/text')).status).toBe(204);
      expect(await userOnBoard()).toEqual(plain);
    }
  });

  it.each([{}, { text: '' }, { text: null }, { text: 'x'.repeat(121) }, { text: 'two\nlines' }, { text: 'a\0b' }])(
    'is one line that can be seen: refuses %j',
    async (body) => {
      const refused = await person.tries('PUT', '/profile/text', body);
      expect([refused.status, refused.body]).toEqual([400, expect.objectContaining({ errors: [expect.anything()] })]);
    },
  );

  it('is for those who are signed in, and goes with them', async () => {
    for (const token of [undefined, apiKey]) {
      const asked = await ask(community.app, 'PUT', '/profile/text', {
        body: { text: 'Me.' },
        ...(token && { token }),
      });
      expect(asked.status).toBe(401);
    }
    await person.does('PUT', '/profile/text', { text: 'Here for now.' });
    await erase(community.app, person);
    expect(await userOnBoard()).toBeUndefined();
    expect((await ask(community.app, 'GET', `/users/${person.id}`)).status).toBe(404);
  });
});

describe('GET /users', () => {
  const search = (query: string) =>
    ask<{ users: { id: string; name: string; rank?: number | null; score?: number }[] }>(
      community.app,
      'GET',
      `/users?${query}`,
    );

  it('finds users by a part of their names, with their places: those whose names begin so first', async () => {
    const author = await Person.register(community.app, 'Zoë_1');
    const other = await Person.register(community.app, 'zoë%2');
    const middle = await Person.register(community.app, 'Other Zoë');
    const within = await Person.register(community.app, 'Azoëla');
    await author.writes();
    await untilPoints(community.app, author, 10);
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
    await untilPoints(community.app, other, 10);
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
    expect((await search('name=a&leaderboard=day&leaderboard=week')).status).toBe(400);
    const staff = { token: apiKey, body: { name: 'staff', period: 'day', visibility: 'nobody' } };
    expect((await ask(community.app, 'POST', '/activity/leaderboards', staff)).status).toBe(200);
    expect((await search('name=a&leaderboard=Staff')).status).toBe(404);
    await ask(community.app, 'DELETE', '/activity/leaderboards/staff', { token: apiKey });
  });
});

describe('POST /names', () => {
  const name = (subjects: unknown) =>
    ask<{ names: Record<string, string> }>(community.app, 'POST', '/names', { body: { subjects } });

  it('names articles that are online, and users; of all else it says nothing', async () => {
    const ada = await Person.register(community.app, 'Ada of the names');
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
