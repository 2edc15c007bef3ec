import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshPrefix, testRedisUrl } from '../../support/redis';
import { codeIn, documents } from './support/code-in-documents';
import { packPackages, root } from './support/packages';
import { Project, removeProjects } from './support/project';
import { StartedApp } from './support/started-app';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

const decorated = { experimentalDecorators: true, emitDecoratorMetadata: true };
const compilerOptions = { target: 'es2023', module: 'nodenext', types: ['node'], rootDir: 'src', outDir: 'dist' };
const tsconfig = { compilerOptions: { ...compilerOptions, ...decorated, strict: true, skipLibCheck: true } };

/** What listens, as the Nest CLI writes it. */
const listening = "await app.listen(0, '127.0.0.1');\nconsole.log(`Listening on ${await app.getUrl()}`);\n";

/** An app that a page shows whole, as a program, with the Redis of the tests in place of the reader's. */
function programOf(shown: string): string {
  const [url, prefix] = [testRedisUrl(), freshPrefix()];
  const create = "import { NestFactory } from '@nestjs/core';\nconst app = await NestFactory.create(AppModule);\n";
  return [shown.replace(/^await app\.listen\(.*\n/m, ''), shown.includes('NestFactory') ? '' : create, listening]
    .join('')
    .replace("redis: { url: 'redis://localhost:6379' }", `redis: { url: '${url}' }, prefix: '${prefix}'`)
    .replace("'redis://localhost:6379'", `'${url}'`)
    .replace("stream: 'activities'", `stream: '${prefix}:activities'`);
}

const apps = documents.flatMap((document) => {
  const whole = codeIn(document).filter((code) => code.includes('class AppModule '));
  return whole.map((code, i) => ({ name: `${document.replace(/\W/g, '-')}-${i + 1}`, code }));
});

describe('what the pages let a newcomer type', () => {
  let project: Project;
  beforeAll(async () => {
    packPackages();
    const peers = ['@nestjs/platform-express', 'reflect-metadata', 'class-validator', 'class-transformer'];
    project = await Project.create(
      {
        'package.json': '{ "type": "module" }',
        'tsconfig.json': JSON.stringify({ ...tsconfig, include: ['src'] }),
        ...Object.fromEntries(apps.map(({ name, code }) => [`src/${name}.ts`, programOf(code)])),
      },
      ['@types/node', ...peers],
    );
    await project.tsc('-p', '.');
  });
  afterAll(removeProjects);

  const withApp = async (name: string, use: (app: StartedApp) => Promise<void>) => {
    const app = await StartedApp.start(project.folder, [`dist/${name}.js`], {});
    try {
      await use(app);
    } finally {
      await app.stop();
    }
  };

  it('has a module of less than 25 lines in the README', () => {
    expect(/^```ts\n([^]*?)^```/m.exec(readme)?.[1]?.split('\n').length).toBeLessThan(25);
  });

  it('answers what the README says', () =>
    withApp('README-md-1', async (app) => {
      const told = [...readme.matchAll(/^curl (-X POST )?localhost:3000(\S+)\n# (.+)$/gm)];
      expect(told.length).toBeGreaterThan(2);
      for (const [, post, path = '', answer = ''] of told) {
        const response = await app.ask(path, { method: post === undefined ? 'GET' : 'POST' });
        expect(shortened(await response.text())).toBe(answer);
      }
      const own = await app.ask('/articles/7/praise/ben', { method: 'POST' });
      expect(await own.json()).toMatchObject({ outcome: 'ignored' });
    }));

  it('closes all ranks to strangers, and shows them to users', () =>
    withApp('docs-routes-md-1', async (app) => {
      for (const path of [
        '',
        '/day',
        '/day/stream',
        '/day/periods',
        '/day/users/ann/history',
        '/day/users/ann/points',
      ]) {
        const [stranger, user] = [await app.ask(`/ranks${path}`), await app.ask(`/ranks${path}`, { user: 'ann' })];
        expect([path, stranger.status, user.status]).toEqual([path, 401, 200]);
        await user.body?.cancel();
      }
    }));

  it.each(apps.map(({ name }) => name).filter((name) => !/^(README|docs-routes)/.test(name)))('is whole: %s', (name) =>
    withApp(name, async (app) => expect(await (await app.ask('/ranks/day')).json()).toMatchObject({ total: 0 })),
  );
});

/** A moment is another one at each try. */
function shortened(answer: string): string {
  return answer.replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"…"').replace(/"\d{4}-\d\d-\d\d"/g, '"…"');
}
