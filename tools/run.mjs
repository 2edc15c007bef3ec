// Runs one of our programs from its sources, in this very process: `node tools/run.mjs <app>[/<entry>] [arguments]`,
// e.g. `cli verify` or `demo`, or `example guards`. An installation without sources, such as the container, runs what
// was built.
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildWeb } from './build-web.mjs';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

const [target = '', ...args] = process.argv.slice(2);
const [app, ...entry] = target.split('/');
const example = target === 'example' && join('examples', args.shift() ?? '', 'main.ts');
if (example && !existsSync(join(root, example))) {
  const names = readdirSync(join(root, 'examples')).filter((one) => existsSync(join(root, 'examples', one, 'main.ts')));
  console.error(`Which example? npm run example -- <${names.join(' | ')}>`);
  process.exit(1);
}
const isBuilt = !example && !existsSync(join(root, 'apps', app, 'src'));
if (target === 'demo' && !isBuilt) {
  // The demo lives through its past meanwhile, and waits for the pages before it serves them.
  const building = new Worker(join(import.meta.dirname, 'build-web.mjs'), { argv: ['--if-stale'] });
  globalThis.pagesBuilt = once(building, 'exit');
  globalThis.pagesBuilt.catch(() => undefined);
} else if (['community', 'demo'].includes(app) && !isBuilt) await buildWeb({ ifStale: true });

process.setSourceMapsEnabled(true);
if (!isBuilt) {
  const register = join(root, 'tools/register-typescript.cjs');
  require(register);
  // What a program starts by the options of its own process is compiled like itself.
  process.execArgv.push('--require', register);
}
const main = join(isBuilt ? 'dist' : '', 'apps', app, 'src', `${entry.join('/') || 'main'}.${isBuilt ? 'js' : 'ts'}`);
process.argv = [process.argv[0], join(root, example || main), ...args];
require('node:module').runMain();
