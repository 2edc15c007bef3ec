// Builds the pages (apps/web) into dist/apps/web: `node tools/build-web.mjs [--if-stale]`.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastChange } from './last-change.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const web = join(root, 'apps/web');

/** Whether the pages have to be built: an installation without their sources, such as the container, never has to. */
function isStale() {
  if (!existsSync(web)) return false;
  const built = join(root, 'dist/apps/web/index.html');
  return !existsSync(built) || statSync(built).mtimeMs < Math.max(...[web, join(root, 'package.json')].map(lastChange));
}

/** Builds the pages where they were never built, or their sources are newer than the build. */
export async function buildWeb({ ifStale = false } = {}) {
  if (ifStale && !isStale()) return;
  if (ifStale) console.error('Building web ...');
  // Asked for here: an installation that never builds does not have it.
  const { build } = await import('vite');
  await build({ configFile: join(web, 'vite.config.mjs'), logLevel: ifStale ? 'warn' : 'info' });
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await buildWeb({ ifStale: process.argv.includes('--if-stale') });
}
