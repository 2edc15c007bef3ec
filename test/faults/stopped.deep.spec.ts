import { defaultRules } from '@laurel/activity';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { drawer, seed } from '../support/seed';
import { freshPrefix, testRedisUrl, waitUntil } from '../support';
import { type Answer, Caller, CutError } from './support/caller';
import { MortalCommunity } from './support/mortal-community';
import { pointsOnBoard, waitingIn } from './support/truth';
import { sampled } from '../support/sampled';
import { ownPostgres } from '../support/postgres';

/** The long run: `LAUREL_TEST_STOPS=20`. */
const rounds = Number(process.env.LAUREL_TEST_STOPS ?? sampled({ sample: 1, full: 10 }));
/** Long enough for two requests, however busy the machine is. */
const drainMs = 6_000;
const key = 'the-key-of-the-tests';
const services = 6;
const readers = 6;
const articles = 24;

describe('the community, asked to stop', () => {
  const postgres = ownPostgres();
  let env: Record<string, string>;
  /** What each user must have: everything that was acknowledged. */
  const earned = new Map<string, number>();
  const earn = (userId: string, points: number) => earned.set(userId, (earned.get(userId) ?? 0) + points);

  beforeAll(async () => {
    env = {
      PORT: '0',
      REDIS_URL: testRedisUrl(),
      LAUREL_PREFIX: freshPrefix(),
      DATABASE_URL: postgres.servers.url,
      LAUREL_API_KEY: key,
      LAUREL_DRAIN_MS: String(drainMs),
      // Nothing is refused for being late, or too much for a day.
      LAUREL_MAX_LATE_MS: '60000',
      LAUREL_RULES: JSON.stringify(defaultRules),
    };
  });

  /** Registers a user, and publishes their articles, if any. */
  const register = async (url: string, name: string, written = 0) => {
    const caller = new Caller(url);
    const ask = async <Body>(path: string, body: object, token?: string) => {
      const answer = await caller.ask('POST', path, { body, ...(token !== undefined && { token }) });
      return JSON.parse(answer?.body || '{}') as Body;
    };
    const { token, user } = await ask<{ token: string; user: { id: string } }>('/auth/register', {
      name,
      password: 'a password of the tests',
    });
    const ids: string[] = [];
    for (let n = 0; n < written; n += 1) {
      const { id } = await ask<{ id: string }>('/articles', { title: 'A title', body: 'Some text.' }, token);
      await ask(`/articles/${id}/publish`, {}, token);
      earn(user.id, 10);
      ids.push(id);
    }
    caller.leave();
    return { id: user.id, token, ids };
  };

  /** Does one thing after the other until nobody takes connections any more. Gives how many were answered. */
  const keepAsking = async (url: string, next: (caller: Caller, n: number) => Promise<Answer | null>) => {
    const caller = new Caller(url);
    for (let answered = 0; ; answered += 1) {
      const answer = await next(caller, answered);
      if (!answer) {
        caller.leave();
        return answered;
      }
      if (answer.status >= 300) throw new CutError(`${answer.status}: ${answer.body}`);
      JSON.parse(answer.body || '{}');
    }
  };

  /** Another service, which records; each event has a subject of its own and is worth a point. */
  const service = (url: string, userId: string) =>
    keepAsking(url, async (caller, n) => {
      const events = [0, 1, 2].map((k) => ({ userId, action: 'view', subject: `${url}:${n}:${k}` }));
      const answer = await caller.ask('POST', '/activity/events', { token: key, body: { events } });
      if (answer?.status === 200) earn(userId, events.length);
      return answer;
    });

  /** A reader who praises as well: visits are recorded in the background, praises come through the outbox. */
  const reader = (url: string, { id, token }: { id: string; token: string }, pages: readonly string[]) => {
    const seen = new Set<string>();
    return keepAsking(url, async (caller, n) => {
      const page = `/articles/${pages[Math.floor(n / 2) % pages.length]}`;
      const [method, path, points] = n % 2 === 0 ? ['GET', page, 1] : ['PUT', `${page}/praise`, 2];
      const answer = await caller.ask(method, path, { token });
      if (answer && answer.status < 300 && !seen.has(`${method} ${path}`)) {
        seen.add(`${method} ${path}`);
        earn(id, points);
      }
      return answer;
    });
  };

  it(
    'answers every request whole, says so first, and leaves nothing unrecorded',
    async () => {
      const draw = drawer();
      let answered = 0;
      for (let round = 0; round < rounds; round += 1) {
        const community = await MortalCommunity.start(env);
        const { url } = community;
        const { ids: pages } = await register(url, `author ${round}`, articles);
        const people: Awaited<ReturnType<typeof register>>[] = [];
        for (let n = 0; n < readers; n += 1) people.push(await register(url, `reader ${round} ${n}`));
        const asking = Promise.all([
          ...Array.from({ length: services }, (_, n) => service(url, `${round}:${n}`)),
          ...people.map((one) => reader(url, one, pages)),
        ]);
        await delay(200 + draw(500));
        community.signal('SIGTERM');
        // Readiness says it while all else is still answered.
        const [ready, ranks] = await waitUntil(async () => {
          const answer = await new Caller(url).ask('GET', '/health/ready');
          if (answer?.status !== 503) return null;
          return [answer, await new Caller(url).ask('GET', '/ranks/day')] as const;
        });
        expect(ready?.headers['content-type']).toMatch(/^application\/problem\+json/);
        expect(ready?.body).toContain('shutting down');
        expect([ranks?.status, ranks?.headers.connection]).toEqual([200, 'close']);

        answered += (await asking).reduce((sum, count) => sum + count, 0);
        expect(await community.exitCode()).toBe(0);
        expect(await waitingIn(postgres.client)).toBe(0);
      }
      process.stdout.write(`seed ${seed}: ${rounds} stops under load, ${answered} requests answered, none cut\n`);

      const after = await MortalCommunity.start(env);
      const board = await pointsOnBoard(after.url);
      await after.stop();
      expect(new Map([...board].sort())).toEqual(new Map([...earned].sort()));
    },
    240_000 + rounds * 30_000,
  );

  /** A request that never ends: its body is announced and does not come. */
  const halfARequest = async (url: string) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const closed = new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', () => resolve()));
    socket.write(
      'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    // What came after it on another connection is answered: this one was read before.
    await new Caller(url).ask('GET', '/health/live');
    return { closed };
  };

  it('ends within its bound, in order, where a request never ends', async () => {
    const community = await MortalCommunity.start({ ...env, LAUREL_DRAIN_MS: '0', LAUREL_SHUTDOWN_MS: '20000' });
    const { closed } = await halfARequest(community.url);
    community.signal('SIGTERM');
    await closed;
    // Past its bound it ends with 1.
    expect(await community.exitCode()).toBe(0);
  });

  it('ends at once at a second signal', async () => {
    const community = await MortalCommunity.start({
      ...env,
      LAUREL_DRAIN_MS: '1000000',
      LAUREL_SHUTDOWN_MS: '3600000',
    });
    community.signal('SIGTERM');
    await waitUntil(async () => (await new Caller(community.url).ask('GET', '/health/ready'))?.status === 503);
    community.signal('SIGTERM');
    expect(await community.exitCode()).toBe(1);
  });
});
