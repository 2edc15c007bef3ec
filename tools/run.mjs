// Runs one of our programs, in this very process: `node tools/run.mjs <app>[/<entry>] [arguments]`, e.g. `cli verify`
// or `community/demo/main`. Builds the app first when it was never built, or its sources are newer than the build.
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from './build-web.mjs';
import { lastChange } from './last-change.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Apps that an app starts as processes of their own. */
const startedBy = { bench: ['community'] };

/** Whether the app has to be built: an installation without sources, such as the container, never has to. */
function isStale(app) {
  const sources = [`apps/${app}/src`, 'libs', 'package.json', 'nest-cli.json', 'tsconfig.json'];
  const present = sources.map((path) => join(root, path)).filter((path) => existsSync(path));
  const main = join(root, 'dist/apps', app, 'src/main.js');
  if (!existsSync(join(root, `apps/${app}/src`))) return false;
  return !existsSync(main) || statSync(main).mtimeMs < Math.max(...present.map(lastChange));
}

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
