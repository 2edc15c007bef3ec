import { randomUUID } from 'node:crypto';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterThisTest } from './endings';
import { root } from './run';

/** A folder for the tests of a `describe` or file together, or empty for each: it goes after what the test began. */
export function temporaryFolder(of: 'all tests' | 'each test' = 'all tests'): string {
  const folder = join(tmpdir(), `laurel-${randomUUID()}`);
  const afterEnds = (end: () => unknown) => void beforeEach(() => afterThisTest(end));
  const [before, after] = of === 'all tests' ? [beforeAll, afterAll] : [beforeEach, afterEnds];
  before(() => mkdir(folder, { mode: 0o700 }));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A temporary folder with some parts of this repository, as they are, and what is installed. */
export function copyOfRepository(parts: readonly string[], ...of: Parameters<typeof temporaryFolder>) {
  const folder = temporaryFolder(...of);
  const before = of[0] === 'each test' ? beforeEach : beforeAll;
  before(async () => {
    for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  return { folder, put: putIn(folder) };
}

/** Writes a file below a folder. */
export const putIn = (folder: string) => async (path: string, text: string) => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
