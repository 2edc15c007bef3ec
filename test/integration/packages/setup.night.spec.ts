import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterThisTest, freshPrefix, testRedisUrl } from '../../support';
import { packPackages, root } from './support/packages';
import { Project, removeProjects } from './support/project';
import { StartedApp } from './support/started-app';

const installed = join(root, 'node_modules');
const schematics = join(installed, '@angular-devkit/schematics-cli/bin/schematics.js');
const nest = join(installed, '@nestjs/cli/bin/nest.js');
/** What the example and the routes need of an app, each at this repository's version. */
const needed = ['@nestjs/event-emitter', 'class-transformer', 'class-validator'];

/** Types of modules, and what an app has of its own: the settings. */
type App = [type: string, own: string[]];
const apps: readonly App[] = [
  ['esm', []],
  ['cjs', []],
  ['esm', ['@nestjs/config']],
];

beforeAll(packPackages);
afterAll(removeProjects);

describe.each(apps)('nest g -c @laurel/cli setup, in an app of the Nest CLI (%s %j)', (type, own) => {
  let project: Project;
  const text = (file: string) => readFile(join(project.folder, file), 'utf8');

  beforeAll(async () => {
    const links = ['@types/node', '@nestjs/platform-express', 'reflect-metadata', 'typescript', ...needed, ...own];
    project = await Project.create({}, [...links, '@nestjs/cli', '@nestjs/schematics']);
    const asked = ['--name=app', '--directory=.', `--type=${type}`, '--package-manager=npm', '--language=ts'];
    await project.node([schematics, '@nestjs/schematics:application', ...asked]);
    const manifest = JSON.parse(await text('package.json')) as { dependencies: Record<string, string> };
    for (const name of [...needed, ...own]) manifest.dependencies[name] = '*';
    await project.write({ 'package.json': JSON.stringify(manifest) });
  });

  it('makes an app that counts its first event and ranks, and changes nothing when it is run again', async () => {
    const setUp = () => project.node([nest, 'g', '-c', '@laurel/cli', 'setup']);
    expect(await setUp()).toMatch(/CREATE\S* src\/ranking\/ranking\.module\.ts/);
    const [appModule, ranking] = [await text('src/app.module.ts'), await text('src/ranking/ranking.module.ts')];
    expect(appModule).toContain('imports: [RankingModule]');
    expect(ranking).toContain(own.length > 0 ? 'forRootAsync' : 'forRoot({');
    expect(await setUp()).toContain('src/app.module.ts has the RankingModule: it stays as it is.');
    expect(await text('src/app.module.ts')).toBe(appModule);

    await project.write({
      'src/main.ts': (await text('src/main.ts')).replace(
        /await app\.listen\(.*\);/,
        "await app.listen(0, '127.0.0.1');\n  console.log(`Listening on ${await app.getUrl()}`);",
      ),
      // The tests share their Redis.
      'src/ranking/ranking.module.ts': ranking.replace('redis: {', `prefix: '${freshPrefix()}', redis: {`),
      'tsconfig.test.json': JSON.stringify({ extends: './tsconfig.build.json', compilerOptions: { types: ['node'] } }),
    });
    await project.tsc('-p', 'tsconfig.test.json');
    const app = await StartedApp.start(project.folder, ['dist/main.js'], { REDIS_URL: testRedisUrl() });
    afterThisTest(() => app.stop());
    for (const _ of ['once', 'again']) {
      expect((await app.ask('/first-event/ann', { method: 'POST' })).status).toBe(204);
    }
    const standing: unknown = await (await app.ask('/ranks/day/users/ann')).json();
    expect(standing).toMatchObject({ total: 1, entry: { rank: 1, score: 2 } });
  });
});
