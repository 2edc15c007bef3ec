import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The time of the last change below a file or folder. */
export function lastChange(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((entry) => lastChange(join(path, entry))));
}

/** Whether an app has to be built: an installation without sources, such as the container, never has to. */
export function isStale(app) {
  const sources = [`apps/${app}/src`, 'libs', 'package.json', 'nest-cli.json', 'tsconfig.json'];
  const present = sources.map((path) => join(root, path)).filter((path) => existsSync(path));
  const main = join(root, 'dist/apps', app, 'src/main.js');
  if (!existsSync(join(root, `apps/${app}/src`))) return false;
  return !existsSync(main) || statSync(main).mtimeMs < Math.max(...present.map(lastChange));
}
