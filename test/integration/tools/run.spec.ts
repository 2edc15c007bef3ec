import { run } from '../../support/run';
import { copyOfRepository } from '../../support/temporary-folder';

/** Says what reached it, and what metadata its decorators have; a process and a thread of its own say the same. */
const main = `
import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { isMainThread, Worker } from 'node:worker_threads';
import { greeting, Injected } from '@laurel/greeting';
import { deep } from '@laurel/greeting/deep';

const Decorated = () => (_target: object) => undefined;
@Decorated()
class Some {
  constructor(readonly injected: Injected) {}
}
const types: { name: string }[] = Reflect.getMetadata('design:paramtypes', Some);
console.log([greeting, deep, ...types.map(({ name }) => name), ...process.argv.slice(2)].join(' '));
if (process.argv.includes('again') && isMainThread) {
  process.stdout.write(execFileSync(process.execPath, [...process.execArgv, __filename, 'child']));
  new Worker(__filename, { argv: ['thread'], execArgv: process.execArgv });
}
if (process.argv.includes('fails')) throw new Error('It fails.');
`;

describe('node tools/run.mjs', () => {
  const { folder: clone, put } = copyOfRepository(['tools']);
  const start = (...args: string[]) => run(process.execPath, ['tools/run.mjs', ...args], { cwd: clone });

  beforeAll(async () => {
    await put('apps/cli/src/main.ts', main);
    await put('apps/cli/src/some/other.ts', "console.log('other');");
    await put('libs/greeting/src/index.ts', "export const greeting: string = 'Hello';\nexport class Injected {}");
    await put('libs/greeting/src/deep/index.ts', "export const deep = 'deep';");
    await put('dist/apps/built/src/main.js', "console.log('built', process.argv[2]);");
  });

  it('runs a program from its sources, with libraries by their names and the metadata of decorators', async () => {
    expect((await start('cli', 'verify', '--help')).stdout).toBe('Hello deep Injected verify --help\n');
    expect((await start('cli/some/other')).stdout).toBe('other\n');
  });

  it('compiles what a program starts by the options of its own process', async () => {
    const { stdout } = await start('cli', 'again');
    expect(stdout.trim().split('\n')).toEqual(
      ['again', 'child', 'thread'].map((what) => `Hello deep Injected ${what}`),
    );
  });

  it('compiles anew what has changed, and names the line of the source that fails', async () => {
    await put('libs/greeting/src/deep/index.ts', "export const deep: string = 'changed';");
    expect((await start('cli')).stdout).toBe('Hello changed Injected\n');
    const line = main.split('\n').findIndex((text) => text.includes('It fails.')) + 1;
    await expect(start('cli', 'fails')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`main.ts:${line}`) as string,
    });
  });

  it('runs what was built where there are no sources', async () => {
    expect((await start('built', 'well')).stdout).toBe('built well\n');
  });
});
