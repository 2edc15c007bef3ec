// What is published: each package by its name, and the folder with its package.json, README.md and src.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** In the order in which they need each other. */
export const packages = {
  leaderboard: 'libs/leaderboard',
  activity: 'libs/activity',
  archive: 'libs/archive',
  settings: 'libs/settings',
  outbox: 'libs/outbox',
  ingest: 'libs/ingest',
  reports: 'libs/reports',
  cli: 'apps/cli',
  testing: 'libs/testing',
};

/** Libraries without a package: what a package needs of them is compiled into it, below `dist/inlined`. */
export const inlined = ['servers'];

/** The package.json of a package, or of another folder. */
export const manifestOf = (name) =>
  JSON.parse(readFileSync(join(root, packages[name] ?? name, 'package.json'), 'utf8'));

/** What `npm pack` calls a package's tarball. */
export const tarballNameOf = (name) => `laurel-${name}-${manifestOf(name).version}.tgz`;
