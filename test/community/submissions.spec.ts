import { sampled } from '../support/sampled';
import { announced, apiKey, ask, erase, ownCommunity, Person, pointsOf, untilPoints } from './support';

interface Page {
  readonly id: string;
  readonly publishedAt: string | null;
  readonly review: { readonly state: string; readonly reason: string | null } | null;
  readonly outcome?: unknown;
}

interface Submission {
  readonly id: string;
  readonly article: { readonly id: string; readonly title: string; readonly body: string };
}

interface Submissions {
  readonly submissions: readonly Submission[];
  readonly next: string | null;
}

/** Of each race. */
const rounds = sampled({ sample: 3, full: 16 });

describe('an article in the community that is reviewed', () => {
  const community = ownCommunity(() => [{}, { reviewsArticles: true }]);
  let author: Person;

  const moderator = <Body = Record<string, unknown>>(method: 'GET' | 'POST', path: string, body?: object) =>
    ask<Body>(community.app, method, path, { token: apiKey, ...(body && { body }) });
  const approve = (id: string) => moderator('POST', `/submissions/${id}/approve`);
  const refuse = (id: string, reason = 'Name your sources.') =>
    moderator('POST', `/submissions/${id}/refuse`, { reason });
  /** All that wait. */
  const waiting = async () => {
    const all: Submission[] = [];
    for (let next: string | null = ''; next !== null;) {
      const { body }: { body: Submissions } = await moderator<Submissions>(
        'GET',
        `/submissions?limit=2${next && `&cursor=${next}`}`,
      );
      all.push(...body.submissions);
      next = body.next;
    }
    return all;
  };
  const submissionOf = async (articleId: string) => {
    const found = (await waiting()).filter(({ article }) => article.id === articleId);
    expect(found).toHaveLength(1);
    return (found[0] as Submission).id;
  };
  const read = async (articleId: string, by = author) => (await by.does<Page>('GET', `/articles/${articleId}`)).body;
  const publications = async (by = author) =>
    (await announced(community.database, by, 'publish')).map(({ subject, revoke = false }) => [subject, revoke]);

  beforeEach(async () => {
    author = await Person.register(community.app);
  });

  it('waits for a moderator, seen by its author alone, and earns nothing until it is approved', async () => {
    const reader = await Person.register(community.app);
    const id = await author.writes({ publish: false, title: 'On review' });
    expect(await read(id)).toMatchObject({ publishedAt: null, review: null });
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await author.does<Page>('POST', `/articles/${id}/publish?outcome=true`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ publishedAt: null, review: { state: 'waiting', reason: null }, outcome: null });
    }
    expect((await reader.tries('GET', `/articles/${id}`)).status).toBe(404);
    expect((await reader.tries('PUT', `/articles/${id}/praise`)).status).toBe(404);
    const { body: drafts } = await author.does<{ articles: Page[] }>('GET', '/articles?state=draft');
    expect(drafts.articles).toMatchObject([{ id, review: { state: 'waiting' } }]);
    expect(await publications()).toEqual([]);

    const submission = await submissionOf(id);
    expect((await approve(submission)).body).toMatchObject({ id: submission, articleId: id, decision: 'approved' });
    await untilPoints(community.app, author, 10);
    expect(await publications()).toEqual([[`article:${id}`, false]]);
    expect(await read(id, reader)).toMatchObject({ publishedAt: expect.any(String), review: null });
    expect((await waiting()).map(({ article }) => article.id)).not.toContain(id);
  });

  it('earns nothing when it is refused; its author reads why, rewrites it and hands it in again', async () => {
    const id = await author.writes();
    const first = await submissionOf(id);
    expect((await author.tries('PUT', `/articles/${id}`, { title: 'New', body: 'Too early.' })).status).toBe(409);
    expect((await refuse(first, '<b>Why?</b>')).status).toBe(200);
    expect(await read(id)).toMatchObject({ publishedAt: null, review: { state: 'refused', reason: '<b>Why?</b>' } });

    const { status, body } = await author.does<Page>('PUT', `/articles/${id}`, { title: 'Better', body: 'Because.' });
    expect([status, body]).toEqual([200, expect.objectContaining({ title: 'Better', body: 'Because.' })]);
    expect(body.review).toMatchObject({ state: 'refused' });
    await author.does('POST', `/articles/${id}/publish`);
    const second = await submissionOf(id);
    expect(second).not.toBe(first);
    expect((await waiting()).find((one) => one.id === second)?.article).toMatchObject({ title: 'Better' });
    expect((await approve(first)).status).toBe(409);
    expect(await publications()).toEqual([]);
    expect(await pointsOf(community.app, author)).toBe(0);
    await approve(second);
    await untilPoints(community.app, author, 10);
  });

  it('goes offline and back with its points, without another review, until it is rewritten', async () => {
    const id = await author.writes();
    await approve(await submissionOf(id));
    await untilPoints(community.app, author, 10);
    const turn = (method: 'POST' | 'DELETE') => author.does<Page>(method, `/articles/${id}/publish?outcome=true`);
    expect((await turn('DELETE')).body).toMatchObject({ publishedAt: null, outcome: { points: -10 } });
    await untilPoints(community.app, author, 0);
    expect((await turn('POST')).body).toMatchObject({ publishedAt: expect.any(String), outcome: { points: 10 } });
    await untilPoints(community.app, author, 10);
    expect((await author.tries('PUT', `/articles/${id}`, { title: 'Else', body: 'Else.' })).status).toBe(409);

    await turn('DELETE');
    expect(
      (await author.does<Page>('PUT', `/articles/${id}`, { title: 'Else', body: 'Else.' })).body.review,
    ).toBeNull();
    expect((await turn('POST')).body).toMatchObject({ publishedAt: null, review: { state: 'waiting' } });
    await untilPoints(community.app, author, 0);
  });

  it('is decided once: of two moderators who decide at once one wins, and the other is told', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const writer = await Person.register(community.app);
      const id = await writer.writes();
      const submission = await submissionOf(id);
      const decided = await Promise.all([approve(submission), refuse(submission), approve(submission)]);
      expect(decided.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      const won = decided.find(({ status }) => status === 200)?.body.decision as string;
      for (const { status, body } of decided) {
        if (status === 409) expect(body.detail).toBe(`Another moderator was faster: it is ${won}.`);
      }
      const isApproved = won === 'approved';
      expect(await publications(writer)).toEqual(isApproved ? [[`article:${id}`, false]] : []);
      expect((await read(id, writer)).publishedAt !== null).toBe(isApproved);
      await untilPoints(community.app, writer, isApproved ? 10 : 0);
    }
  });

  it('may be taken back while it waits: nobody decides what its author takes back at that moment, or changes then', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const writer = await Person.register(community.app);
      const id = await writer.writes();
      const submission = await submissionOf(id);
      const [{ status }] = await Promise.all([approve(submission), writer.does('DELETE', `/articles/${id}/publish`)]);
      expect([200, 404]).toContain(status);
      // Approved first, it went offline again; taken back first, it never went online.
      expect((await read(id, writer)).publishedAt).toBeNull();
      expect((await publications(writer)).map(([, revoke]) => revoke)).toEqual(status === 200 ? [false, true] : []);
      await untilPoints(community.app, writer, 0);
      expect((await refuse(submission)).status).toBe(status === 200 ? 409 : 404);
    }
  });

  it('is decided by moderators alone, with a reason where it is refused', async () => {
    const submission = await submissionOf(await author.writes());
    for (const path of ['approve', 'refuse']) {
      expect((await author.tries('POST', `/submissions/${submission}/${path}`, { reason: 'Mine.' })).status).toBe(403);
    }
    for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(1_001) }, { reason: 'a\0b' }, { reason: 7 }]) {
      const refused = await moderator('POST', `/submissions/${submission}/refuse`, body);
      expect([refused.status, refused.headers['content-type']]).toEqual([
        400,
        expect.stringMatching(/^application\/problem\+json/),
      ]);
      expect(refused.body).toMatchObject({ errors: [{ path: 'reason' }] });
    }
    expect((await approve('999999999')).status).toBe(404);
    const stranger = await Person.register(community.app);
    const rewritten = await stranger.tries('PUT', `/articles/${(await waiting())[0]?.article.id}`, {
      title: 'x',
      body: 'x',
    });
    expect(rewritten.status).toBe(404);
  });

  it('goes with its author, also while it is decided', async () => {
    const [first, second] = [await author.writes(), await author.writes()];
    await refuse(await submissionOf(first));
    const submission = await submissionOf(second);
    const [{ body }, { status }] = await Promise.all([erase(community.app, author), approve(submission)]);
    expect(body.state).toBe('done');
    expect([200, 404]).toContain(status);
    const left = 'SELECT FROM submissions WHERE article_id = ANY($1)';
    expect((await community.database.query(left, [[first, second]])).rowCount).toBe(0);
    expect(await publications()).toEqual([]);
  });
});
