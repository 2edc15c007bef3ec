import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A compiler that writes apps of one line each, or fails for the app that LAUREL_TEST_BROKEN names. */
const nest = `
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const tsconfig = process.argv.at(-1);
const { include } = JSON.parse(readFileSync(tsconfig, 'utf8'));
const apps = include.map((pattern) => pattern.split('/')[2]);
for (const app of apps) {
  const source = readFileSync(join('apps', app, 'src/main.ts'), 'utf8');
  const out = join(dirname(tsconfig), 'apps', app, 'src');
  mkdirSync(out, { recursive: true });
  mkdirSync(join(dirname(tsconfig), 'libs'), { recursive: true });
  writeFileSync(join(out, 'main.js'), source);
}
process.exit(apps.includes(process.env.LAUREL_TEST_BROKEN) ? 1 : 0);
`;

describe('node tools/run.mjs in a fresh clone', () => {
  let clone: string;

  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(clone, path)), { recursive: true });
    await writeFile(join(clone, path), text);
  };
  const start = (app: string, env: NodeJS.ProcessEnv = {}) =>
    run(process.execPath, ['tools/run.mjs', app], { cwd: clone, env: { ...process.env, ...env } });

  beforeEach(async () => {
    clone = await mkdtemp(join(tmpdir(), 'laurel-clone-'));
    await cp(join(__dirname, '../../../tools'), join(clone, 'tools'), { recursive: true });
    for (const app of ['bench', 'cli', 'community'])
      await put(`apps/${app}/src/main.ts`, `console.log('${app} runs');`);
    for (const file of ['libs/some/src/index.ts', 'package.json', 'nest-cli.json', 'tsconfig.json'])
      await put(file, '{}');
    await put('node_modules/@nestjs/cli/bin/nest.js', nest);
  });
  afterEach(() => rm(clone, { recursive: true }));

  it('builds what the benchmarks start, beside the benchmarks', async () => {
    const { stdout, stderr } = await start('bench');
    expect(stderr).toContain('Building bench and community ...');
    expect(stdout).toBe('bench runs\n');
    expect((await readdir(join(clone, 'dist/apps'))).sort()).toEqual(['bench', 'community']);
  });

  it('builds nothing a second time, and only the app that is asked for', async () => {
    await start('cli');
    expect(await readdir(join(clone, 'dist/apps'))).toEqual(['cli']);
    expect(await start('cli')).toMatchObject({ stdout: 'cli runs\n', stderr: '' });
  });

  it('leaves the build before as it was where the next does not compile, and nothing beside it', async () => {
    await start('cli');
    await put('apps/cli/src/main.ts', "console.log('broken');");
    await expect(start('cli', { LAUREL_TEST_BROKEN: 'cli' })).rejects.toMatchObject({ code: 1, stdout: '' });
    expect(await readFile(join(clone, 'dist/apps/cli/src/main.js'), 'utf8')).toContain('cli runs');
    expect((await readdir(clone)).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
  });
});
