import { systemClock } from '@laurel/leaderboard';
import { type PostgresServer, startPostgres } from '@laurel/servers';
import { JwtService } from '@nestjs/jwt';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openPage, startBrowser } from '../../browser/support/browser';
import { afterThisTest, freshPrefix, ManualClock, stopTinyApps, testRedisUrl, waitUntil } from '../activity/support';
import { StartedApp } from '../packages/support/started-app';
import { settlingApp } from '../settlement/support/settling-app';
import { root } from '../../support/run';

/** Starts an example as `npm run example` does, hands it to `use`, and ends it. */
async function withExample(
  name: string,
  use: (app: StartedApp) => Promise<unknown>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const own = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix(), ...env };
  const app = await StartedApp.start(root, ['tools/run.mjs', 'example', name], own);
  try {
    await use(app);
  } finally {
    expect(await app.stop()).toBe('SIGTERM');
  }
}

const apiKey = 'of-the-examples-tests';
interface Entry {
  readonly userId?: string;
  readonly member?: string;
  readonly score: number | readonly number[];
}
const lineOf = ({ userId, member, score }: Entry) => [userId ?? member, score];
const json = async (response: Promise<Response>): Promise<unknown> => (await response).json();

describe('of the examples,', () => {
  it('config-async takes its options from ConfigService, for several modules', async () => {
    const use = async (app: StartedApp) => {
      expect((await app.ask('/articles/1/praise/ann', { method: 'PUT' })).status).toBe(204);
      const page = await json(app.ask('/ranks/day'));
      expect(page).toMatchObject({ total: 1, entries: [{ rank: 1, userId: 'ann', score: 2, change: null }] });
      // Midnight in the zone that the environment names.
      expect(page).toMatchObject({ period: { start: expect.stringContaining('T18:15:00.000Z') } });
      expect((await app.ask('/ranks/day?period=previous')).status).toBe(200);
    };
    await withExample('config-async', use, { LAUREL_TIMEZONE: 'Asia/Kathmandu', WINNERS: '5' });
    await expect(withExample('config-async', use, { WINNERS: 'all' })).rejects.toThrow('ended with 1');
  });

  describe('with a PostgreSQL,', () => {
    let postgres: PostgresServer;
    beforeEach(async () => {
      postgres = await startPostgres();
    });
    afterEach(() => postgres?.stop());

    it.each([
      ['typeorm-directory', ['ann', 'ben', 'cyd']],
      ['drizzle-directory', ['1', '2', '3']],
    ])('%s names users, leaves out who is banned and erases them', async (name, [ann = '', ben = '', cyd = '']) => {
      await withExample(
        name,
        async (app) => {
          const save = async (id: string, body: object) => {
            expect((await app.ask(`/users/${id}`, { method: 'PUT', body })).status).toBe(204);
          };
          await save(ann, { name: 'Ann', isBanned: false });
          await save(ben, { name: 'Ben', isBanned: true });
          for (const [id, article] of [
            [ann, 1],
            [ann, 2],
            [ben, 1],
            [cyd, 1],
            ['of another service', 1],
          ]) {
            expect((await app.ask(`/users/${id}/praises/${article}`, { method: 'POST' })).status).toBe(201);
          }
          await waitUntil(async () => {
            expect(await json(app.ask('/ranks/day'))).toMatchObject({
              total: 3,
              entries: [
                { rank: 1, userId: ann, score: 4, user: { name: 'Ann', avatarUrl: null } },
                { rank: 2, userId: cyd, score: 2, user: null },
                { rank: 3, userId: 'of another service', score: 2, user: null },
              ],
            });
            return true;
          });
          const erased = await json(app.ask(`/activity/users/${ann}`, { method: 'DELETE', apiKey }));
          expect(erased).toMatchObject({ erased: { users: 1 } });
          expect(await json(app.ask('/ranks/day'))).toMatchObject({ total: 2, entries: [{ userId: cyd }, {}] });
        },
        { DATABASE_URL: postgres.url, LAUREL_API_KEY: apiKey },
      );
    });
  });

  it('guards lets everybody look, users score and see their own, and the staff ban', async () => {
    await withExample('guards', async (app) => {
      const statusOf = async (path: string, options: Parameters<StartedApp['ask']>[1] = {}) =>
        (await app.ask(path, options)).status;
      expect(await statusOf('/articles/1/praise', { method: 'PUT' })).toBe(401);
      expect(await statusOf('/articles/1/praise', { method: 'PUT', user: 'ann' })).toBe(204);
      expect(await statusOf('/articles/1')).toBe(200);
      expect(await statusOf('/articles/1', { user: 'ben' })).toBe(200);
      await waitUntil(async () => {
        const page = await json(app.ask('/api/ranks/day'));
        expect(page).toMatchObject({
          entries: [
            { userId: 'ann', score: 2 },
            { userId: 'ben', score: 1 },
          ],
        });
        return true;
      });

      expect(await statusOf('/api/activity/users/ann')).toBe(401);
      expect(await statusOf('/api/activity/users/ann', { user: 'ben' })).toBe(403);
      expect(await statusOf('/api/activity/users/ann', { user: 'ann' })).toBe(200);
      expect(await statusOf('/api/activity/events', { method: 'POST', user: 'ann', body: { events: [] } })).toBe(403);

      expect(await statusOf('/api/ranks/Editors/users/ann', { user: 'ann' })).toBe(404);
      expect(await statusOf('/api/ranks/Editors/users/ann', { user: 'grace' })).toBe(200);

      expect(await statusOf('/staff/bans/ann', { method: 'PUT', user: 'ben' })).toBe(403);
      expect(await statusOf('/staff/bans/ann', { method: 'PUT', user: 'grace' })).toBe(200);
      expect(await json(app.ask('/api/ranks/day'))).toMatchObject({ total: 1, entries: [{ rank: 1, userId: 'ben' }] });
      expect(await statusOf('/staff/bans/ann', { method: 'DELETE', user: 'grace' })).toBe(200);
      expect(await json(app.ask('/api/ranks/day'))).toMatchObject({ total: 2, entries: [{ userId: 'ann' }, {}] });
    });
  });

  it('score-board has the best, the fastest, medals and attempts, and nobody who is banned or erased', async () => {
    const use = async (app: StartedApp) => {
      const post = (path: string, body: object, user?: string) =>
        app.ask(`/scores/${path}`, { method: 'POST', body, ...(user !== undefined && { user }) });
      const top = async (board: string) => ((await json(app.ask(`/scores/${board}`))) as Entry[]).map(lineOf);
      for (const [user, points, lap] of [
        ['ann', 70, 61.5],
        ['ann', 40, 59.25],
        ['ben', 90, 60],
      ] as const) {
        expect((await post('play/points', { score: points }, user)).status).toBe(201);
        await post('play/laps', { score: lap }, user);
      }
      await post('medals/ann', { medal: 'silver' });
      await post('medals/ben', { medal: 'gold' });
      await post('medals/ann', { medal: 'silver' });
      const both = (first: unknown, second: unknown) => [first, second];
      expect(await top('points')).toEqual(both(['ben', 90], ['ann', 70]));
      expect(await top('laps')).toEqual(both(['ann', 59.25], ['ben', 60]));
      expect(await top('medals')).toEqual(both(['ben', [1, 0, 0]], ['ann', [0, 2, 0]]));
      expect(await top('attempts')).toEqual(both(['ann', 4], ['ben', 2]));

      await app.ask('/activity/exclusions/ben', { method: 'PUT', body: {}, apiKey });
      await waitUntil(async () => (await top('medals')).length === 1);
      expect((await post('play/points', { score: 99 }, 'ben')).status).toBe(403);
      expect(await top('points')).toEqual([['ann', 70]]);
      await app.ask('/activity/users/ann', { method: 'DELETE', apiKey });
      await waitUntil(async () => (await Promise.all(['points', 'laps', 'attempts'].map(top))).flat().length === 0);
    };
    await withExample('score-board', use, { LAUREL_API_KEY: apiKey });
  });

  it('announce-winners tells a webhook until it has answered, and then never again', async () => {
    const prefix = freshPrefix();
    // Somebody leads a day that is over when the example starts; yesterday is not yet until an hour after midnight.
    const led = new Date(systemClock.now() - 2 * 86_400_000).toISOString();
    const day = led.slice(0, 10);
    const before = await settlingApp({ prefix, settlement: false, options: { clock: new ManualClock(led) } });
    await before.view(led, 'ann');
    await stopTinyApps();
    const heard: [unknown, string][] = [];
    const receiver = createServer((request, response) => {
      void text(request).then((body) => {
        heard.push([request.headers['idempotency-key'], body]);
        response.writeHead(heard.length === 1 ? 503 : 204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const env = { LAUREL_PREFIX: prefix, WEBHOOK_URL: `http://127.0.0.1:${port}/` };
    const expected = [`day:${day}`, JSON.stringify({ content: `day ${day}\n1. ann: 1` })];
    afterThisTest(() => receiver.close());
    afterThisTest(() => receiver.closeAllConnections());
    await withExample('announce-winners', () => waitUntil(() => heard.length === 2, { withinMs: 60_000 }), env);
    await withExample('announce-winners', () => Promise.resolve(), env);
    expect(heard).toEqual([expected, expected]);
  });

  it('live-page shows in 60 lines who leads, while it changes', async () => {
    expect(readFileSync(join(root, 'examples/live-page/index.html'), 'utf8').split('\n').length).toBeLessThan(62);
    await withExample('live-page', async (app) => {
      const browser = await startBrowser();
      try {
        const complaints: string[] = [];
        const { page } = await openPage(browser, app.url, { complaints });
        await page.getByText('0 users').waitFor();
        for (const user of ['<b>ann', 'ben', 'ben']) {
          await page.getByLabel('Your name').fill(user);
          await page.getByRole('button').click();
          await page.getByRole('row', { name: user }).waitFor();
        }
        await page.getByText('1ben4').waitFor();
        expect(await page.getByRole('row').allTextContents()).toEqual(['1ben4', '2<b>ann2']);
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  });

  it('team-board ranks players, teams, and the players of a team', async () => {
    await withExample('team-board', async (app) => {
      for (const [id, user] of ['ann', 'ben', 'cyd', 'cyd', 'ann', 'ann'].entries()) {
        const { status } = await app.ask(`/matches/1/goals/${Math.min(id, 4)}`, { method: 'PUT', user });
        expect(status).toBe(200);
      }
      const lines = async (board: string) =>
        ((await json(app.ask(`/ranks/${board}`))) as { entries: Entry[] }).entries.map(lineOf);
      expect(await lines('teams')).toEqual([
        ['team:red', 3],
        ['team:blue', 2],
      ]);
      expect(await lines('players')).toEqual([
        ['cyd', 2],
        ['ann', 2],
        ['ben', 1],
      ]);
      expect(await lines('teammates?partition=red')).toEqual([
        ['ann', 2],
        ['ben', 1],
      ]);
      expect((await app.ask('/matches/1/goals/9', { method: 'PUT', user: 'zoe' })).status).toBe(400);
    });
  });

  it('dwell-time counts a visit only after some time, by a ticket of its own', async () => {
    const secret = 'of-the-examples-tests';
    const use = async (app: StartedApp) => {
      const { ticket } = (await json(app.ask('/articles/7', { user: 'ann' }))) as { ticket: string };
      const jwt = new JwtService({ secret });
      const { sub, article, nbf = 0 } = jwt.decode<{ sub: string; article: string; nbf?: number }>(ticket);
      const send = async (one: string) =>
        (await app.ask('/articles/read', { method: 'POST', body: { ticket: one } })).status;
      const later = { sub, article, nbf: nbf - 20, exp: nbf + 60 };
      expect(await send(ticket)).toBe(403);
      expect(await send(new JwtService({ secret: 'another' }).sign(later))).toBe(403);
      expect(await json(app.ask('/ranks/day'))).toMatchObject({ total: 0 });
      // Twenty seconds later.
      expect([await send(jwt.sign(later)), await send(jwt.sign(later))]).toEqual([204, 204]);
      await waitUntil(async () => {
        expect(await json(app.ask('/ranks/day'))).toMatchObject({ entries: [{ userId: 'ann', score: 1 }] });
        return true;
      });
    };
    await withExample('dwell-time', use, { AUTH_SECRET: secret });
  });

  it('each is named by a test in this folder', () => {
    const folders = readdirSync(join(root, 'examples'), { withFileTypes: true }).filter((one) => one.isDirectory());
    const tests = readdirSync(__dirname).map((file) => readFileSync(join(__dirname, file), 'utf8'));
    const untested = folders.filter(({ name }) => !tests.some((text) => text.includes(`'${name}'`)));
    expect(untested.map(({ name }) => name)).toEqual([]);
  });
});
