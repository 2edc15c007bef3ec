import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The time of the last change of a file, or of a folder and all below it. */
function lastChange(path) {
  const below = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : [];
  return Math.max(...['', ...below].map((entry) => statSync(join(path, entry)).mtimeMs));
}

/** Whether one of the products is not there, or one of the files or folders that they are made of is newer. */
export function areStale(products, sources) {
  const changed = Math.max(...sources.map(lastChange));
  return !products.every((product) => existsSync(product) && statSync(product).mtimeMs >= changed);
}

/** Puts what was built where the build before is, which goes beside what was built: the caller removes it there. */
export function takePlace(built, place) {
  mkdirSync(dirname(place), { recursive: true });
  if (existsSync(place)) renameSync(place, `${built}.old`);
  renameSync(built, place);
}
