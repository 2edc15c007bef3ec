import { readFile, stat } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { folderOf, manifestIn, packageNames, packPackages, root, tarballOf } from './support/packages';
import { before, type Versions } from './support/versions';
import { run } from '../../support/run';

const own = manifestIn('.');

/** The files of a tarball, by their paths in the package. */
async function filesIn(tarball: string): Promise<string[]> {
  const { stdout } = await run('tar', ['-tzf', tarball]);
  return stdout
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
}

/** The file that a relative import leads to: a module, or the index of a folder. */
function importedFile(path: string, importer: string, files: readonly string[]): string {
  const extension = importer.endsWith('.d.ts') ? '.d.ts' : '.js';
  const index = join(path, `index${extension}`);
  return files.includes(index) ? index : `${path}${extension}`;
}

beforeAll(packPackages);

it('all of them could be published as they are', async () => {
  const { stdout } = await run(process.execPath, [join(root, 'tools/release.mjs'), '--dry-run']);
  const published = stdout
    .trim()
    .split('\n')
    .map((line) => line.replace(/: \d+ bytes$/, ''));
  expect(published).toEqual(packageNames.map((name) => `@laurel/${name} ${own.version}`));
});

describe.each(packageNames)('the package of libs/%s', (name) => {
  const manifest = manifestIn(folderOf(name));
  const packed = join(root, 'dist/packages', name);

  it('has the compiled library, its declarations, a README, the license and its schematics, and nothing else', async () => {
    const files = await filesIn(tarballOf(name));
    const others = files.filter((file) => !/^dist\/.+\.(js|d\.ts)$/.test(file) || file.includes('.spec.'));
    const entries = Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [] : [target]));
    const schematics =
      manifest.schematics === undefined ? [] : ['dist/setup/collection.json', 'dist/setup/schema.json'];
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json', ...schematics].sort());
    for (const path of entries.flatMap((target) => Object.values(target))) {
      expect(files).toContain(path.replace('./', ''));
    }
  });

  it('imports what it declares and declares what it imports', async () => {
    const files = await filesIn(tarballOf(name));
    const imported = new Set<string>();
    // What these write into an app are the app's imports.
    const writers = ['dist/setup/ranking-module.js', 'dist/setup/root-module.js'];
    for (const file of files.filter((path) => path.startsWith('dist/') && !writers.includes(path))) {
      const code = await readFile(join(packed, file), 'utf8');
      for (const [, specifier = ''] of code.matchAll(/(?:\bfrom |\brequire\(|\bimport\()["']([^"'\n]+)["']/g)) {
        if (!specifier.startsWith('.')) imported.add(specifier);
        else expect(files).toContain(importedFile(join(dirname(file), specifier), file, files));
      }
    }
    const packages = [...imported]
      .filter((specifier) => !specifier.startsWith('node:') && !builtinModules.includes(specifier))
      .map((specifier) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    // Its pools are taken by their shape, without an import: the range says which versions have it.
    if (name === 'outbox') packages.push('mysql2');
    expect([...new Set(packages)].sort()).toEqual(
      Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).sort(),
    );
  });

  it('is as large as docs/packages.md says, to a fifth', async () => {
    const table = await readFile(join(root, 'docs/packages.md'), 'utf8');
    const [, stated] = new RegExp(`^\\| .@laurel/${name}. +\\| (\\d+) kB +\\|`, 'm').exec(table) ?? [];
    const { size } = await stat(tarballOf(name));
    expect(Math.abs(size / 1_000 / Number(stated) - 1)).toBeLessThan(0.2);
  });

  it('is without fault to publint', async () => {
    const publint = join(root, 'node_modules/publint/src/cli.js');
    const { stdout } = await run(process.execPath, [publint, 'run', '--strict', tarballOf(name)]);
    expect(stdout).toContain('All good!');
  });

  it('asks for what this repository is tested with, or later', () => {
    const ours: Record<string, string | undefined> = {
      ...own.dependencies,
      ...own.devDependencies,
      ...own.peerDependencies,
    };
    const asked = { ...manifest.dependencies, ...manifest.peerDependencies };
    const linesBefore: Versions = { ...before.nest, ...before.ioredis };
    const expected = Object.keys(asked).map((dependency) => [
      dependency,
      dependency.startsWith('@laurel/')
        ? own.version
        : [linesBefore[dependency], ours[dependency]]
            .flatMap((version) => (version ? [`^${version}`] : []))
            .join(' || '),
    ]);
    expect(asked).toEqual(Object.fromEntries(expected));
    const { version, license, engines } = own;
    expect(manifest).toMatchObject({ version, license, engines });
  });
});
