import { apiKey, TestCommunity } from './support/community';
import { erase } from './support/erase';
import { ask, Person } from './support/person';
import { untilPoints } from './support/points';

interface Line {
  readonly userId: string;
  readonly user: object | null;
}

describe('what users say of themselves', () => {
  let community: TestCommunity;
  let person: Person;
  const userOnBoard = async () => {
    const { body } = await ask<{ entries: readonly Line[] }>(community.app, 'GET', '/ranks/month?limit=8');
    return body.entries.find(({ userId }) => userId === person.id)?.user;
  };

  beforeAll(async () => {
    community = await TestCommunity.start();
    person = await Person.register(community.app);
    await person.writes();
    await untilPoints(community.app, person, 10, 'month');
  });
  afterAll(() => community.stop());

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
