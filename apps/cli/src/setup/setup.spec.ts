import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needed } from './needed-packages';
import { setup } from './setup';
import type { Context, Tree } from './tree';

/** As the Nest CLI writes them. */
const main = `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await app.listen(process.env.PORT ?? 3000);
}
void bootstrap();
`;
const appModule = `import { Module } from '@nestjs/common';
import { AppController } from './app.controller';

@Module({
  imports: [],
  controllers: [AppController],
})
export class AppModule {}
`;

/** An app in memory, and what the setup says to it. */
class App {
  readonly files: Record<string, string>;
  readonly said: string[] = [];
  readonly tasks: unknown[] = [];

  constructor(files: Readonly<Record<string, string>> = {}, manifest: object = {}) {
    const dependencies = { '@nestjs/common': '^11.0.1', '@nestjs/core': '^11.0.1' };
    this.files = {
      'package.json': JSON.stringify({ name: 'app', dependencies, ...manifest }),
      'src/main.ts': main,
      'src/app.module.ts': appModule,
      ...files,
    };
  }

  /** Runs the setup as the Nest CLI does, and gives the files that it wrote. */
  setUp(options: Parameters<typeof setup>[0] = {}): string[] {
    const before = { ...this.files };
    const write = (path: string, content: string) => void (this.files[path] = content);
    const tree: Tree = {
      exists: (path) => path in this.files,
      read: (path) => (path in this.files ? Buffer.from(this.files[path] ?? '') : null),
      create: write,
      overwrite: write,
      getDir: (folder) => ({
        visit: (visitor) =>
          Object.keys(this.files)
            .map((path) => `/${path}`)
            .filter((path) => path.startsWith(folder))
            .forEach(visitor),
      }),
    };
    const reads: Tree = { ...tree, read: (path) => tree.read(path.replace(/^\//, '')) };
    const say = (message: string) => void this.said.push(message);
    const context: Context = {
      logger: { info: say, warn: say },
      addTask: (task) => this.tasks.push(task.toConfiguration()),
    };
    setup(options)(reads, context);
    return Object.keys(this.files)
      .filter((path) => this.files[path] !== before[path])
      .sort();
  }
}

const cap = "limits: [{ type: 'daily', action: 'view', max: 100 }]";
const written = ['src/ranking/first-event.controller.ts', 'src/ranking/ranking.module.ts'];

describe('the setup of an app', () => {
  it('writes the module and a first event, imports them where the app starts, and installs what fits its Nest', () => {
    const app = new App();
    expect(app.setUp()).toEqual(['package.json', 'src/app.module.ts', ...written]);
    expect(app.files['src/app.module.ts']).toContain(`from './app.controller';
import { RankingModule } from './ranking/ranking.module';
`);
    expect(app.files['src/app.module.ts']).toContain('  imports: [RankingModule],\n');
    expect(app.files['src/ranking/ranking.module.ts']).toContain(cap);
    expect(JSON.parse(app.files['package.json'] ?? '')).toEqual({
      name: 'app',
      dependencies: {
        '@nestjs/common': '^11.0.1',
        '@nestjs/core': '^11.0.1',
        '@nestjs/event-emitter': '^3.1.0',
        'class-transformer': '^0.5.1',
        'class-validator': '^0.15.1',
      },
    });
    expect(app.tasks).toEqual([
      { name: 'node-package', options: { command: 'install', quiet: true, hideOutput: true, packageManager: 'npm' } },
    ]);
  });

  it('changes nothing when it is run again, and says so', () => {
    const app = new App();
    app.setUp();
    app.said.length = 0;
    expect(app.setUp()).toEqual([]);
    expect(app.tasks).toHaveLength(1);
    expect(app.said.slice(0, 3)).toEqual([
      'src/ranking/first-event.controller.ts is there: it stays as it is.',
      'src/ranking/ranking.module.ts is there: it stays as it is.',
      'src/app.module.ts has the RankingModule: it stays as it is.',
    ]);
  });

  it('takes the newer emitter for Nest 12, and names files in imports of ES modules', () => {
    const app = new App({}, { type: 'module', dependencies: { '@nestjs/common': '^12.0.1' } });
    app.setUp();
    expect(app.files['package.json']).toContain('"@nestjs/event-emitter": "^12.0.1"');
    expect(app.files['src/app.module.ts']).toContain("from './ranking/ranking.module.js'");
    expect(app.files['src/ranking/ranking.module.ts']).toContain("from './first-event.controller.js'");
  });

  it('takes the options from ConfigService where the app has it', () => {
    const app = new App({}, { dependencies: { '@nestjs/common': '^12.0.1', '@nestjs/config': '^12.0.0' } });
    app.setUp();
    expect(app.files['src/ranking/ranking.module.ts']).toContain('ActivityModule.forRootAsync({');
    expect(app.files['src/ranking/ranking.module.ts']).toContain('inject: [ConfigService]');
    expect(app.files['src/ranking/ranking.module.ts']).toContain(cap);
  });

  it('uses the emitter that the app has', () => {
    const app = new App({ 'src/events.module.ts': 'imports: [EventEmitterModule.forRoot()]' });
    app.setUp();
    expect(app.files['src/ranking/ranking.module.ts']).not.toContain('EventEmitterModule');
  });

  it('leaves an app alone that has the ranking', () => {
    const app = new App({ 'src/points.module.ts': 'imports: [ActivityModule.forRoot({ redis })]' });
    expect(app.setUp()).toEqual([]);
    expect(app.said).toEqual(['/src/points.module.ts has an ActivityModule: nothing was changed.']);
  });

  it.each([
    ['no imports', '@Module({})\nexport class AppModule {}', '@Module({\n  imports: [RankingModule],})'],
    [
      'one line',
      '@Module({ imports: [A.forRoot([1]), B] })',
      '@Module({ imports: [RankingModule, A.forRoot([1]), B] })',
    ],
    [
      'a list',
      '@Module({\n  imports: [\n    A,\n  ],\n})',
      '@Module({\n  imports: [\n    RankingModule,\n    A,\n  ],\n})',
    ],
  ])('adds to a module of %s', (_, before, after) => {
    const app = new App({ 'src/app.module.ts': before });
    app.setUp();
    expect(app.files['src/app.module.ts']).toContain(after);
  });

  it('finds the app of a monorepo by its source root', () => {
    const api = 'apps/api/src';
    const app = new App({
      [`${api}/main.ts`]: main.replace(/AppModule/g, 'ApiModule').replace('./app.module', './api/api.module.js'),
      [`${api}/api/api.module.ts`]: appModule,
    });
    expect(app.setUp({ sourceRoot: api })).toContain(`${api}/ranking/ranking.module.ts`);
    expect(app.files[`${api}/api/api.module.ts`]).toContain("from '../ranking/ranking.module'");
    expect(app.files['src/app.module.ts']).toBe(appModule);
  });

  it.each([
    ['imports are no list', { 'src/app.module.ts': '@Module({ imports: modules })' }, 'AppModule in src/app.module.ts'],
    ['start is another', { 'src/main.ts': 'start();' }, 'the module that your app starts with'],
  ])('says what is left to do where the %s', (_, files, where) => {
    const app = new App(files);
    expect(app.setUp()).toEqual(['package.json', ...written]);
    expect(app.said[0]).toMatch(/^Import it yourself: add RankingModule of \S+ to the imports of /);
    expect(app.said[0]).toContain(where);
  });

  it('leaves the installation to the user on request, and to the package manager of the app', () => {
    const lazy = new App();
    lazy.setUp({ skipInstall: true });
    expect(lazy.tasks).toEqual([]);
    const pnpm = new App({ 'pnpm-lock.yaml': '' });
    pnpm.setUp();
    expect(pnpm.tasks).toEqual([
      expect.objectContaining({ options: expect.objectContaining({ packageManager: 'pnpm' }) }),
    ]);
  });

  it.each([
    [{ dependencies: {} }, 'This is no Nest app: its package.json has no @nestjs/common.'],
    [{ dependencies: { '@nestjs/common': '^10.4.0' } }, 'The app has Nest ^10.4.0: Laurel needs ^11.2.10 or ^12.5.1.'],
  ])('refuses %j', (manifest, message) => {
    expect(() => new App({}, manifest).setUp()).toThrow(message);
  });
});

it('needs what are peers of @laurel/activity', () => {
  const manifest = readFileSync(join(__dirname, '../../../../libs/activity/package.json'), 'utf8');
  const { peerDependencies } = JSON.parse(manifest) as { peerDependencies: object };
  const ranges = Object.entries(needed).map(([name, ofLines]) => [name, ofLines.join(' || ')]);
  expect(peerDependencies).toMatchObject(Object.fromEntries(ranges));
});
