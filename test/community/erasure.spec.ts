import type { ErasureReceipt, RankPage } from '@laurel/activity/internals';
import { apiKey, ownCommunity } from './support/community';
import { erase, failToErase } from './support/erase';
import { ask, Person } from './support/person';
import { mentions } from '../support/mentions';
import { closeTestRedis, testRedis, testRedisUrl } from '../support/redis';
import { runCli } from '../support/run-cli';
import { untilErased } from '../support/until-erased';
import { waitUntil } from '../support/wait-until';
import { untilPoints } from './support/points';

const community = ownCommunity();

afterAll(closeTestRedis);

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
      boards: 9,
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

describe('erasing a user whose drafts are being published', () => {
  const draftOf = async (person: Person) => {
    const { body } = await person.does<{ id: string }>('POST', '/articles', {
      title: 'Not yet',
      body: 'Nobody sees it.',
    });
    return body.id;
  };

  it('answers a publication that waits for the erasure with 404, and announces nothing', async () => {
    const { app } = community;
    const ann = await Person.register(app);
    const draft = await draftOf(ann);
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

  it('leaves nobody on a board and no event, thirty times over', async () => {
    const { app } = community;
    const erased: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const people = await Promise.all(Array.from({ length: 3 }, () => Person.register(app)));
      const works = await Promise.all(
        people.map(async (person) => ({ person, drafts: [await draftOf(person), await draftOf(person)] })),
      );
      await Promise.all(
        works.flatMap(({ person, drafts }) => [
          ...drafts.map((draft) => person.tries('POST', `/articles/${draft}/publish`)),
          erase(app, person).then(({ status, body }) => expect([status, body.state]).toEqual([202, 'done'])),
        ]),
      );
      erased.push(...people.map(({ id }) => id));
    }
    await waitUntil(
      async () => (await community.database.query('SELECT FROM outbox WHERE done_at IS NULL')).rowCount === 0,
    );
    const told = await community.database.query('SELECT event FROM outbox WHERE lane = ANY ($1)', [erased]);
    expect(told.rows).toEqual([]);
    const { body } = await ask<Pick<RankPage, 'entries'>>(app, 'POST', '/ranks/day/lookup', {
      body: { userIds: erased },
    });
    expect(body.entries.map(({ score }) => score)).toEqual(erased.map(() => 0));
  });
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

describe('erasing an author', () => {
  const waiting = (count: number) =>
    waitUntil(async () => {
      // Of the requests alone: the relays wait for an erasure as well.
      const { rows } = await community.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'laurel-community'`,
      );
      return rows.length === count;
    });

  it('waits for changes to the user’s articles, by the user too, and removes them', async () => {
    const [ann, bob] = [await Person.register(community.app), await Person.register(community.app)];
    const article = await ann.writes();
    const reacting = await community.database.connect();
    await reacting.query('BEGIN');
    const react = (userId: string) =>
      reacting.query(
        `INSERT INTO reactions (article_id, kind, user_id, created_at) VALUES ($1, 'praise', $2, clock_timestamp())`,
        [article, userId],
      );
    await react(bob.id);
    const erased = erase(community.app, ann);
    await waiting(1);
    await react(ann.id);
    await reacting.query('COMMIT');
    reacting.release();
    expect(await erased).toMatchObject({ status: 202, body: { erased: { users: 1, articles: 1, reactions: 2 } } });
  });

  it('answers later changes to the user’s articles with 409, and leaves nothing of them', async () => {
    const { app } = community;
    const [ann, bob] = [await Person.register(app), await Person.register(app)];
    const article = await ann.writes();
    await untilPoints(app, ann, 10);
    // What is being handed over is waited for: at the end of the erasure.
    const delivering = await community.database.connect();
    await delivering.query('BEGIN');
    await delivering.query('SELECT pg_advisory_xact_lock_shared(1684829810, 0)');
    const erased = erase(community.app, ann);
    await waiting(1);
    const requests = [
      bob.tries('PUT', `/articles/${article}/praise`),
      bob.tries('PUT', `/articles/${article}/collect`),
      bob.tries('POST', `/articles/${article}/comments`, { body: 'Too late.' }),
      ann.tries('PUT', `/articles/${article}/praise`),
    ];
    await waiting(1 + requests.length);
    await delivering.query('COMMIT');
    delivering.release();
    expect((await erased).status).toBe(202);
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(requests.map(() => 409));
    const told = await community.database.query(`SELECT event FROM outbox WHERE lane = $1`, [bob.id]);
    expect(told.rows).toEqual([]);
  });

  it('succeeds at once while many users react to the articles', async () => {
    const { app } = community;
    const [ann, ...readers] = await Promise.all(Array.from({ length: 9 }, () => Person.register(app)));
    if (!ann) throw new Error('Nobody writes.');
    const articles = await Promise.all([ann.writes(), ann.writes()]);
    const statuses = new Set<number>();
    const isOver = new AbortController();
    let done = 0;
    const react = async (reader: Person, index: number) => {
      const article = articles[index % articles.length] ?? '';
      for (let turn = 0; !isOver.signal.aborted; turn += 1) {
        const answer = await (turn % 3 === 2
          ? reader.tries('POST', `/articles/${article}/comments`, { body: 'More.' })
          : reader.tries(turn % 3 === 0 ? 'PUT' : 'DELETE', `/articles/${article}/praise`));
        statuses.add(answer.status);
        done += 1;
      }
    };
    const traffic = readers.map(react);
    await waitUntil(() => done > 50);
    const { status, body } = await erase(community.app, ann);
    isOver.abort();
    await Promise.all(traffic);
    expect([status, body.erased]).toMatchObject([202, { users: 1, articles: 2 }]);
    expect([...statuses].filter((one) => ![201, 204, 404, 409].includes(one))).toEqual([]);
  });

  it('is tried again where the database gives it up, and waits where that does not help', async () => {
    const [ann, bob] = [await Person.register(community.app), await Person.register(community.app)];
    // A sequence goes on also where its transaction is rolled back.
    await community.database.query(`
      CREATE SEQUENCE erasures;
      CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('erasures') > TG_ARGV[0]::int THEN RETURN OLD; END IF;
        RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected';
      END $$;
      CREATE TRIGGER lose BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION lose(1)`);
    const found = await erase(community.app, ann);
    await community.database.query(`
      DROP TRIGGER lose ON users;
      CREATE TRIGGER lose BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION lose(1000)`);
    const lost = await failToErase(community.app, bob);
    await community.database.query('DROP FUNCTION lose CASCADE; DROP SEQUENCE erasures');
    expect(found).toMatchObject({ status: 202, body: { erased: { users: 1 } } });
    expect(lost).toMatchObject({ state: 'waiting', doneAt: null, fault: 'unavailable' });
    const asked = (path: string) => ask<ErasureReceipt>(community.app, 'GET', path, { token: apiKey });
    expect((await untilErased({ body: lost }, asked)).body.erased).toMatchObject({ users: 1 });
  });
});
