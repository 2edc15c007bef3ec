// Builds the server apps into dist/apps and dist/libs: `node tools/build-apps.mjs [--if-stale] [app …]`, by default all
// of them. They are compiled as one program beside it and replace it once all is well, so that a running app finds its
// files meanwhile.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale } from './last-change.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'dist');
/** As deep as {@link target}: source maps name their sources from where they lie. */
const out = `${target}.${process.pid}`;

/** Every app that Nest builds. */
export const allApps = ['community', 'cli', 'bench'];

/** Builds these apps and gives whether all is well; where it is not, what was built before stays. */
export function buildApps(apps) {
  try {
    if (!compile(apps)) return false;
    for (const app of apps) takePlace(join('apps', app));
    // What an app that is not built here has beside these stays.
    cpSync(join(out, 'libs'), join(target, 'libs'), { recursive: true });
    return true;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function compile(apps) {
  mkdirSync(out, { recursive: true });
  // Nest copies what an app has beside its code, and the community alone has something.
  const project = apps.includes('community') ? 'community' : apps[0];
  const tsconfig = join(out, 'tsconfig.json');
  const include = apps.map((app) => `../apps/${app}/src/**/*`);
  const exclude = ['../**/*.spec.ts'];
  const settings = {
    extends: `../apps/${project}/tsconfig.app.json`,
    include,
    exclude,
    compilerOptions: { outDir: '.' },
  };
  writeFileSync(tsconfig, JSON.stringify(settings));
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  return (
    spawnSync(process.execPath, [nest, 'build', project, '--path', relative(root, tsconfig)], options).status === 0
  );
}

/** Of two who do so at once either may win: they built the same. */
function takePlace(folder) {
  const place = join(target, folder);
  mkdirSync(dirname(place), { recursive: true });
  try {
    if (existsSync(place)) renameSync(place, join(out, `${folder}.old`));
    renameSync(join(out, folder), place);
  } catch {
    cpSync(join(out, folder), place, { recursive: true });
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [ifStale, named] = [process.argv.includes('--if-stale'), process.argv.slice(2).filter((arg) => arg[0] !== '-')];
  const apps = (named.length > 0 ? named : allApps).filter((app) => !ifStale || isStale(app));
  process.exitCode = apps.length === 0 || buildApps(apps) ? 0 : 1;
}
