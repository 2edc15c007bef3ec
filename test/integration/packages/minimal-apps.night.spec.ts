import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freshPrefix, testRedisUrl, waitUntil } from '../../support';
import { packPackages, root } from './support/packages';
import { howInstalled, Project, removeProjects } from './support/project';
import { StartedApp } from './support/started-app';

beforeAll(packPackages);
afterAll(removeProjects);

describe.each([
  ['minimal', 'ES modules on Fastify'],
  ['minimal-express', 'CommonJS on Express'],
])(`apps/%s (%s; ${howInstalled})`, (name) => {
  let project: Project;

  beforeAll(async () => {
    project = await Project.ofApp(name);
  });

  it('has less than 60 lines', async () => {
    const source = await readFile(join(root, 'apps', name, 'src/main.ts'), 'utf8');
    expect(source.trimEnd().split('\n').length).toBeLessThan(60);
  });

  it('compiles against the packages, records visits and events, and shows ranks', async () => {
    await project.tsc('-p', '.');
    const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix() };
    const app = await StartedApp.start(project.folder, ['dist/main.js'], env);
    try {
      expect((await app.ask('/articles/7', { user: 'ann' })).status).toBe(200); // 1
      expect((await app.ask('/articles/7', { user: 'ann' })).status).toBe(200); // seen before
      expect((await app.ask('/articles/7/praise', { method: 'PUT', user: 'ben' })).status).toBe(204); // 2
      await waitUntil(async () => {
        expect(await (await app.ask('/leaders')).json()).toEqual(['1. ben: 2', '2. ann: 1']);
        return true;
      });
      const page: unknown = await (await app.ask('/ranks/month')).json();
      expect(page).toMatchObject({ leaderboard: 'month', total: 2 });
    } finally {
      expect(await app.stop()).toBe('SIGTERM');
    }
  });
});
