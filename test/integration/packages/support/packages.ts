import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Compilers run, and npm installs what a registry may give slowly. It only bounds what hangs.
jest.setTimeout(600_000);

export const root = join(__dirname, '../../../..');

/** The libraries that are packages, in the order in which they can be installed. */
export const packageNames = [
  ...(['leaderboard', 'activity', 'archive', 'settings'] as const),
  ...(['outbox', 'ingest', 'reports', 'cli', 'testing'] as const),
] as const;
export type PackageName = (typeof packageNames)[number];

/** As much of a package.json as the tests read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<'types' | 'default', string>>>>;
  readonly schematics?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
}

/** Where a package's package.json and sources are in the repository. */
export function folderOf(name: PackageName): string {
  return name === 'cli' ? 'apps/cli' : `libs/${name}`;
}

/** The entry points of a library, as apps import them. */
export function entriesOf(name: PackageName): string[] {
  const { name: packageName, exports } = manifestIn(folderOf(name));
  const entries = Object.keys(exports).filter((entry) => entry !== './package.json');
  return entries.map((entry) => join(packageName, entry));
}

/** The peers of a library that an app may leave out. */
export function optionalPeersOf(name: PackageName): string[] {
  return Object.keys(manifestIn(folderOf(name)).peerDependenciesMeta ?? {});
}

/** Reads a package.json by the path of its folder in the repository. */
export function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

/** Builds and packs the packages where their sources are newer than what was packed. */
export function packPackages(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'tools/build-packages.mjs'), '--if-stale'], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('The packages could not be built: see above.');
}

/** What `npm pack` made of a package. */
export function tarballOf(name: PackageName): string {
  return join(root, 'dist/packages', `laurel-${name}-${manifestIn(folderOf(name)).version}.tgz`);
}
