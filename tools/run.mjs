// Runs one of our programs, in this very process: `node tools/run.mjs <app>[/<entry>] [arguments]`, e.g. `cli verify`
// or `community/demo/main`. Builds the app first when it was never built, or its sources are newer than the build.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from './build-web.mjs';
import { lastChange } from './last-change.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

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
if (isStale(app)) {
  console.error(`Building ${app} ...`);
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  const { status } = spawnSync(process.execPath, [nest, 'build', app], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    rmSync(join(root, 'dist/apps', app, 'src/main.js'), { force: true }); // the compiler writes it all the same
    process.exit(status ?? 1);
  }
}
if (app === 'community') await buildWeb({ ifStale: true });

process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], join(root, 'dist/apps', app, 'src', `${entry.join('/') || 'main'}.js`), ...args];
createRequire(import.meta.url)('node:module').runMain();
