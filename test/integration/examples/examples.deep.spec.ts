import { type PostgresServer, startPostgres } from '@laurel/servers';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshPrefix, testRedisUrl } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { StartedApp } from '../packages/support/started-app';

const root = join(__dirname, '../../..');

/** Starts an example as `npm run example` does, hands it to `use`, and ends it. */
async function withExample(
  name: string,
  use: (app: StartedApp) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const own = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix(), ...env };
  const app = await StartedApp.start(root, ['tools/run-example.mjs', name], own);
  try {
    await use(app);
  } finally {
    expect(await app.stop()).toBe('SIGTERM');
  }
}

const apiKey = 'of-the-examples-tests';
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

      expect(await statusOf('/staff/bans/ann', { method: 'PUT', user: 'ben' })).toBe(403);
      expect(await statusOf('/staff/bans/ann', { method: 'PUT', user: 'grace' })).toBe(200);
      expect(await json(app.ask('/api/ranks/day'))).toMatchObject({ total: 1, entries: [{ rank: 1, userId: 'ben' }] });
      expect(await statusOf('/staff/bans/ann', { method: 'DELETE', user: 'grace' })).toBe(200);
      expect(await json(app.ask('/api/ranks/day'))).toMatchObject({ total: 2, entries: [{ userId: 'ann' }, {}] });
    });
  });

  it('each is named by a test in this folder', () => {
    const folders = readdirSync(join(root, 'examples'), { withFileTypes: true }).filter((one) => one.isDirectory());
    const tests = readdirSync(__dirname).map((file) => readFileSync(join(__dirname, file), 'utf8'));
    const untested = folders.filter(({ name }) => !tests.some((text) => text.includes(`'${name}'`)));
    expect(untested.map(({ name }) => name)).toEqual([]);
  });
});
