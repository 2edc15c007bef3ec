import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@laurel/leaderboard';

const run = promisify(execFile);
const root = join(__dirname, '../../..');
const day = 24 * 3_600;

describe('node tools/build-web.mjs beside an app that serves the build before', () => {
  let clone: string;
  let assets: string;
  const build = () => run(process.execPath, ['tools/build-web.mjs'], { cwd: clone });

  beforeAll(async () => {
    clone = await mkdtemp(join(tmpdir(), 'laurel-clone-'));
    for (const part of ['tools', 'apps/web', 'package.json', 'tsconfig.json'])
      await cp(join(root, part), join(clone, part), { recursive: true });
    await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
    assets = join(clone, 'dist/apps/web/assets');
    await build();
  });
  afterAll(() => rm(clone, { recursive: true }));

  it('keeps the files that an open page may still ask for, for a day', async () => {
    const now = systemClock.now() / 1_000;
    for (const [name, age] of [
      ['page-young.js', day / 2],
      ['page-old.js', 2 * day],
    ] as const) {
      await writeFile(join(assets, name), '//');
      await utimes(join(assets, name), now - age, now - age);
    }
    const before = await readdir(assets);
    await build();
    expect((await readdir(assets)).sort()).toEqual(before.filter((name) => name !== 'page-old.js').sort());
    // Its age is that of its own build: the next builds do not make it younger.
    expect((await stat(join(assets, 'page-young.js'))).mtimeMs / 1_000).toBeCloseTo(now - day / 2, 0);
    expect(await readdir(join(clone, 'dist/apps'))).toEqual(['web']);
  });
});
