// Runs one of our programs, in this very process: `node tools/run.mjs <app>[/<entry>] [arguments]`, e.g. `cli verify`
// or `community/demo/main`. Builds the app first when it was never built, or its sources are newer than the build.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from './build-web.mjs';
import { isStale } from './last-change.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Apps that an app starts as processes of their own. */
const startedBy = { bench: ['community'] };

const [target = '', ...args] = process.argv.slice(2);
const [app, ...entry] = target.split('/');
const stale = [app, ...(startedBy[app] ?? [])].filter(isStale);
if (stale.length > 0) {
  console.error(`Building ${stale.join(' and ')} ...`);
  // Asked for here: an installation that never builds does not have it.
  const { buildApps } = await import('./build-apps.mjs');
  if (!buildApps(stale)) process.exit(1);
}
if (app === 'community') await buildWeb({ ifStale: true });

process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], join(root, 'dist/apps', app, 'src', `${entry.join('/') || 'main'}.js`), ...args];
createRequire(import.meta.url)('node:module').runMain();
