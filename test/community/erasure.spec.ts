import type { RankPage } from '@laurel/activity/internals';
import { mentions } from '../support/mentions';
import { runCli } from '../support/run-cli';
import { ask, erase, ownCommunity, Person, testRedis, testRedisUrl, untilPoints, waitUntil } from './support';

const community = ownCommunity();

describe('erasing a user of the community', () => {
  it('removes the user from the database as well, with a receipt; the others stay', async () => {
    const { app } = community;
    const [ann, bob] = [await Person.register(app), await Person.register(app)];
    const [annsArticle, bobsArticle] = [await ann.writes(), await bob.writes()];
    await bob.comments(annsArticle);
    await ann.comments(bobsArticle);
    await ann.does('PUT', `/articles/${bobsArticle}/praise`);
    await bob.does('PUT', `/articles/${annsArticle}/collect`);
    await ann.does('PUT', `/users/${bob.id}/follow`);
    await untilPoints(app, ann, 17);
    await untilPoints(app, bob, 15);
    expect((await erase(app, ann)).body.erased).toMatchObject({
      users: 1,
      articles: 1,
      comments: 2,
      reactions: 2,
      follows: 1,
      // The four of the erased user, and the other user's comment and collecting, which named the owner.
      events: 6,
      boards: 10,
      ledgers: 1,
    });
    expect((await ask(app, 'GET', `/users/${ann.id}`)).status).toBe(404);
    expect((await ask(app, 'GET', `/articles/${annsArticle}`)).status).toBe(404);
    expect((await ask(app, 'GET', `/articles/${bobsArticle}`)).status).toBe(200);
    const { body } = await ask<RankPage>(app, 'GET', '/ranks/day');
    expect(body.entries.map(({ userId }) => userId)).toEqual([bob.id]);
    const { rows } = await community.database.query('SELECT id FROM users WHERE id = $1', [ann.id]);
    const told = await community.database.query(
      `SELECT event FROM outbox WHERE $1 IN (lane, event->>'userId', event->>'ownerId')`,
      [ann.id],
    );
    expect(rows).toEqual([]);
    expect(told.rows).toEqual([]);
    expect(new Set(Object.values((await erase(app, ann)).body.erased))).toEqual(new Set([0]));
  });

  it('leaves no event that gives the user points again, whether it was handed over or waits, nor in a replay', async () => {
    const { app, postgres, prefix } = community;
    // An id that is a part of nothing else.
    await community.database.query('ALTER TABLE users ALTER COLUMN id RESTART WITH 70770770770');
    const [ann, bob] = [await Person.register(app), await Person.register(app)];
    const article = await ann.writes();
    await bob.does('PUT', `/articles/${article}/praise`);
    await bob.does('PUT', `/users/${ann.id}/follow`);
    await bob.does('DELETE', `/users/${ann.id}/follow`);
    await bob.does('PUT', `/users/${ann.id}/follow`);
    const untilDone = () =>
      waitUntil(
        async () => (await community.database.query('SELECT FROM outbox WHERE done_at IS NULL')).rowCount === 0,
      );
    await untilDone();
    // As if these had waited all along.
    await community.database.query(`UPDATE outbox SET done_at = NULL, retry_at = 'infinity' WHERE lane = $1`, [bob.id]);
    const { erased } = (await erase(app, ann)).body;
    await community.database.query('UPDATE outbox SET retry_at = NULL');
    await untilDone();
    const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix, DATABASE_URL: postgres.url };
    const replayed = await runCli(['replay', '--since', '2026-01-01T00:00:00Z'], { env });
    expect(replayed).toMatchObject({ exitCode: 0 });
    const { rows } = await community.database.query(`SELECT * FROM outbox WHERE outbox::text LIKE '%' || $1 || '%'`, [
      ann.id,
    ]);
    expect(await mentions(testRedis(), prefix, ann.id)).toEqual([]);
    expect(rows).toEqual([]);
    // The erased user's events, Bob's three to them, and Bob's praise, which named the owner.
    expect(erased).toMatchObject({ users: 1, follows: 1, events: 5 });
    expect(new Set(Object.values((await erase(app, ann)).body.erased))).toEqual(new Set([0]));
    await untilPoints(app, bob, 4);
  });

  it('ends the token of the user: it sees pages as any visitor does, and its visits do not count', async () => {
    const { app } = community;
    const [ann, bob] = [await Person.register(app), await Person.register(app)];
    const article = await bob.writes();
    const read = async (url: string) =>
      (await ann.does<{ viewer: unknown; outcome: unknown }>('GET', `${url}?outcome=true`)).body;
    expect((await read(`/articles/${article}`)).outcome).toMatchObject({ outcome: 'granted' });
    await erase(app, ann);
    for (const url of [`/articles/${article}`, `/users/${bob.id}`]) {
      expect(await read(url)).toMatchObject({ viewer: null, outcome: null });
    }
    const { body } = await ask<RankPage>(app, 'GET', '/ranks/day');
    expect(body.entries.map(({ userId }) => userId)).not.toContain(ann.id);
  });

  it('in the middle of the user’s request answers it with 409, and leaves nothing of it', async () => {
    const { app } = community;
    const [ann, bob] = [await Person.register(app), await Person.register(app)];
    const article = await bob.writes();
    const erasing = await community.database.connect();
    await erasing.query('BEGIN');
    await erasing.query('DELETE FROM users WHERE id = $1', [ann.id]);
    const requests = [
      ask(app, 'PUT', `/articles/${article}/praise`, { token: ann.token }),
      ask(app, 'POST', `/articles/${article}/comments`, { token: ann.token, body: { body: 'Too late.' } }),
      ask(app, 'POST', '/articles', { token: ann.token, body: { title: 'Too', body: 'late' } }),
      ask(app, 'PUT', `/users/${bob.id}/follow`, { token: ann.token }),
    ];
    await waitUntil(async () => {
      const { rows } = await community.database.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
      return rows.length === requests.length;
    });
    await erasing.query('COMMIT');
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 409));
    erasing.release();
    const told = await community.database.query(`SELECT event FROM outbox WHERE event->>'userId' = $1`, [ann.id]);
    expect(told.rows).toEqual([]);
  });
});

it('erasing a user whose drafts are being published answers a publication that waits for the erasure with 404, and announces nothing', async () => {
  const { app } = community;
  const ann = await Person.register(app);
  const draft = await ann.writes({ publish: false });
  const erasing = await community.database.connect();
  await erasing.query('BEGIN');
  await erasing.query('DELETE FROM articles WHERE id = $1', [draft]);
  const publishing = ann.tries('POST', `/articles/${draft}/publish`);
  await waitUntil(async () => {
    const { rows } = await community.database.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
    return rows.length === 1;
  });
  await erasing.query('COMMIT');
  erasing.release();
  expect((await publishing).status).toBe(404);
  const told = await community.database.query('SELECT event FROM outbox WHERE lane = $1', [ann.id]);
  expect(told.rows).toEqual([]);
});

it('a transaction the database gives up is answered with 503 and when to come again', async () => {
  const { app } = community;
  const [ann, bob] = [await Person.register(app), await Person.register(app)];
  const article = await bob.writes();
  await community.database.query(`
    CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected'; END $$;
    CREATE TRIGGER lose BEFORE INSERT ON reactions FOR EACH ROW EXECUTE FUNCTION lose()`);
  const praise = () => ask(app, 'PUT', `/articles/${article}/praise`, { token: ann.token });
  const lost = await praise();
  await community.database.query('DROP FUNCTION lose CASCADE');
  expect([lost.status, lost.headers['retry-after']]).toEqual([503, '2']);
  expect((await praise()).status).toBe(204);
});
