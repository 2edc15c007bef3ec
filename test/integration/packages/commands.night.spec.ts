import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { packPackages } from './support/packages';
import { Project, removeProjects } from './support/project';

/** An app of somebody else's, with boards and rules of its own. */
const app = `
  import { ActivityModule, ActivityService } from '@laurel/activity/core';
  import { NestFactory } from '@nestjs/core';
  import { EventEmitterModule } from '@nestjs/event-emitter';
  const activity = ActivityModule.forRoot({
    redis: { url: process.env.APP_REDIS },
    prefix: process.env.APP_PREFIX,
    timezone: 'Asia/Tokyo',
    rules: [{ action: 'run', points: 7, revocable: true }],
    leaderboards: [{ name: 'runs', period: 'week' }, { name: 'ever', period: 'all' }],
    controllers: false,
  });
  const App = { module: class App {}, imports: [EventEmitterModule.forRoot(), activity] };
  const app = await NestFactory.createApplicationContext(App, { logger: ['error'] });
  await app.get(ActivityService).record([
    { userId: 'ann', action: 'run', subject: 'route:1' },
    { userId: 'ann', action: 'run', subject: 'route:2' },
    { userId: 'ben', action: 'run', subject: 'route:1' },
  ]);
  await app.close();
`;

const config = `
  import { defineConfig } from '@laurel/cli';

  const url: string = process.env['APP_REDIS'] as string;
  export default defineConfig(async () => ({ redis: { url }, prefix: process.env['APP_PREFIX'] }));
`;

describe('npx --no laurel, in a project of somebody else', () => {
  let project: Project;
  let prefix: string;

  beforeAll(async () => {
    packPackages();
    project = await Project.create({ 'package.json': '{ "type": "module" }', 'app.mjs': app });
    const bin = join(project.folder, 'node_modules/.bin');
    await mkdir(bin);
    // As npm does.
    await symlink('../@laurel/cli/dist/main.js', join(bin, 'laurel'));
    await chmod(join(project.folder, 'node_modules/@laurel/cli/dist/main.js'), 0o755);
  });
  beforeEach(async () => {
    prefix = freshPrefix();
    await project.node(['app.mjs'], { APP_REDIS: testRedisUrl(), APP_PREFIX: prefix });
  });
  afterAll(removeProjects);

  /** As `npx --no laurel` does, without npx's own second. */
  const laurel = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    project.run(join(project.folder, 'node_modules/.bin/laurel'), args, env);
  const scores = (out: string) =>
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { userId: string; score: number })
      .map(({ userId, score }) => [userId, score]);

  it('finds its boards in what the app has stored, verifies and rebuilds them', async () => {
    const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix };
    const boards = await testRedis().keys(`{${prefix}:*}:board:*`);
    expect(boards.length).toBeGreaterThan(0);
    await testRedis().del(...boards);
    await expect(laurel(['verify'], env)).rejects.toThrow(/ended with 1:[^]*ever all ann: the ledgers add up to 14/);
    await laurel(['rebuild', '--yes'], env);
    expect(await project.run('npx', ['--no', 'laurel', 'verify'], env)).toContain('0 differences');
    expect(scores(await laurel(['export', '--leaderboard', 'runs'], env))).toEqual([
      ['ann', 14],
      ['ben', 7],
    ]);
  });

  it('reads laurel.config.ts, whose module the app’s own variables fill', async () => {
    await project.write({ 'laurel.config.ts': config });
    const env = { APP_REDIS: testRedisUrl(), APP_PREFIX: prefix };
    const expected = [
      ['ann', 14],
      ['ben', 7],
    ];
    expect(scores(await laurel(['export', '--leaderboard', 'ever'], env))).toEqual(expected);
    await expect(laurel(['verify'], { ...env, APP_PREFIX: freshPrefix() })).rejects.toThrow('ended with 2');
  });
});
