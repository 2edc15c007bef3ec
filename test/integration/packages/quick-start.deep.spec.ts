import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshPrefix, testRedisUrl } from '../../support/redis';
import { codeIn } from './support/code-in-documents';
import { packPackages, root } from './support/packages';
import { Project, removeProjects } from './support/project';
import { StartedApp } from './support/started-app';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** What the Nest CLI writes beside the module, but for the line that says when it listens. */
const main = `
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

const app = await NestFactory.create(AppModule);
await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
console.log('Listening on ' + (await app.getUrl()));
`;

const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'ES2023',
    module: 'nodenext',
    types: ['node'],
    rootDir: 'src',
    outDir: 'dist',
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: true,
  },
  include: ['src'],
});

/** The module that the README shows, with the Redis of the tests in place of the reader's. */
function module(): string {
  const shown = codeIn('README.md')[0] as string;
  const readers = "redis: { url: 'redis://localhost:6379' }";
  expect(shown).toContain(readers);
  return shown.replace(readers, `redis: { url: '${testRedisUrl()}' }, prefix: '${freshPrefix()}'`);
}

beforeAll(packPackages);
afterAll(removeProjects);

describe('what the README lets a newcomer type', () => {
  it('is a module of less than 25 lines', () => {
    expect(/^```ts\n([^]*?)^```/m.exec(readme)?.[1]?.split('\n').length).toBeLessThan(25);
  });

  it('answers what the README says', async () => {
    const project = await Project.create(
      {
        'package.json': '{ "type": "module" }',
        'tsconfig.json': tsconfig,
        'src/main.ts': main,
        'src/app.module.ts': module(),
      },
      ['@types/node', '@nestjs/platform-express', 'reflect-metadata', 'class-validator', 'class-transformer'],
    );
    await project.tsc('-p', '.');
    const app = await StartedApp.start(project.folder, ['dist/main.js'], {});
    try {
      const told = [...readme.matchAll(/^curl (-X POST )?localhost:3000(\S+)\n# (.+)$/gm)];
      expect(told.length).toBeGreaterThan(2);
      for (const [, post, path = '', answer = ''] of told) {
        const response = await app.ask(path, { method: post === undefined ? 'GET' : 'POST' });
        expect(shortened(await response.text())).toBe(answer);
      }
    } finally {
      await app.stop();
    }
  });
});

/** A moment is another one at each try. */
function shortened(answer: string): string {
  return answer.replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"…"').replace(/"\d{4}-\d\d-\d\d"/g, '"…"');
}
