import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@laurel/leaderboard';
import { copyOfRepository } from '../../support/temporary-folder';
import { run } from '../../support/run';

const day = 24 * 3_600;

describe('a build beside an app that runs what was built before', () => {
  const { folder: clone } = copyOfRepository(['tools', 'apps', 'libs', 'package.json', 'tsconfig.json']);
  const { NODE_ENV: _, ...env } = process.env;
  const node = (...args: string[]) => run(process.execPath, args, { cwd: clone, env });
  const tool = (name: string, ...args: string[]) => node(`tools/${name}.mjs`, ...args);

  it('of the pages keeps the files that an open page may still ask for, for a day, and makes no production', async () => {
    const build = `await import('./tools/build-web.mjs').then(({ buildWeb }) => buildWeb())`;
    const { stdout } = await node('--input-type=module', '-e', `${build}; console.log('for', process.env.NODE_ENV)`);
    expect(stdout).toContain('for undefined');
    const assets = join(clone, 'dist/apps/web/assets');
    const now = systemClock.now() / 1_000;
    for (const [name, age] of [
      ['page-young.js', day / 2],
      ['page-old.js', 2 * day],
    ] as const) {
      await writeFile(join(assets, name), '//');
      await utimes(join(assets, name), now - age, now - age);
    }
    const before = await readdir(assets);
    await tool('build-web');
    expect((await readdir(assets)).sort()).toEqual(before.filter((name) => name !== 'page-old.js').sort());
    // Its age is that of its own build: the next builds do not make it younger.
    expect((await stat(join(assets, 'page-young.js'))).mtimeMs / 1_000).toBeCloseTo(now - day / 2, 0);
    expect(await readdir(join(clone, 'dist/apps'))).toEqual(['web']);
  });

  it('of an app runs by itself, and stays where its sources do not compile', async () => {
    const main = join(clone, 'dist/apps/cli/src/main.js');
    await tool('build-apps', 'cli');
    expect((await run(process.execPath, [main, '--help'])).stdout).toContain('Usage: laurel');
    const built = await readFile(main, 'utf8');
    await writeFile(join(clone, 'apps/cli/src/main.ts'), 'const = 1;');
    await expect(tool('build-apps', 'cli')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('main.ts') as string,
    });
    expect(await readFile(main, 'utf8')).toBe(built);
    expect((await readdir(clone)).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
  });
});
