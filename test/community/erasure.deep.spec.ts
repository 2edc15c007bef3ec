import type { ErasureReceipt, RankPage } from '@laurel/activity/internals';
import { untilErased } from '../support/until-erased';
import { apiKey, ask, erase, failToErase, ownCommunity, Person, untilPoints, waitUntil } from './support';

const community = ownCommunity();

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
    expect(lost).toMatchObject({ state: 'waiting', doneAt: null, fault: '40P01' });
    const asked = (path: string) => ask<ErasureReceipt>(community.app, 'GET', path, { token: apiKey });
    expect((await untilErased({ body: lost }, asked)).body.erased).toMatchObject({ users: 1 });
  });

  it('leaves nobody on a board and no event while drafts go online, thirty times over', async () => {
    const { app } = community;
    const erased: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const people = await Promise.all(Array.from({ length: 3 }, () => Person.register(app)));
      const works = await Promise.all(
        people.map(async (person) => ({
          person,
          drafts: [await person.writes({ publish: false }), await person.writes({ publish: false })],
        })),
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
