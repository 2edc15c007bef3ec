import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestIn, root } from './packages';
import { npmSettings } from './npm-settings';
import { isWhole } from './versions';

const folder = join(root, '.data/toolchains');

/** A version of a program, and where it lies. */
export interface Toolchain {
  readonly version: string;
  readonly path: string;
}

/** This run's own Node; of the whole matrix, one of each line, which npm has as packages. */
export const nodes: readonly Toolchain[] = isWhole
  ? ['20.19.5', '22.23.3', '24.21.0'].map((version) => ({
      version,
      path: join(folder, 'node_modules', `node-${version}`, 'bin/node'),
    }))
  : [{ version: process.versions.node, path: process.execPath }];

/** This repository's TypeScript; of the whole matrix, also the line before. */
export const compilers: readonly Toolchain[] = [
  { version: manifestIn('.').devDependencies?.typescript ?? '', path: join(root, 'node_modules/typescript') },
  ...(isWhole ? [{ version: '5.9.3', path: join(folder, 'node_modules/typescript-5.9.3') }] : []),
];

/** Has npm install what the whole matrix needs of Node and TypeScript, once. */
export function installToolchains(): void {
  const missing = [...nodes, ...compilers].filter(({ path }) => !existsSync(path));
  if (missing.length === 0) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const program = `node-${process.platform}-${process.arch}`;
  const wanted = [
    ...nodes.map(({ version }) => `node-${version}@npm:${program}@${version}`),
    ...compilers.slice(1).map(({ version }) => `typescript-${version}@npm:typescript@${version}`),
  ];
  const { status } = spawnSync('npm', ['install', ...wanted], {
    cwd: folder,
    env: { ...process.env, ...npmSettings },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('The versions of Node and TypeScript could not be installed: see above.');
}
