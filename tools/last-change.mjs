import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The time of the last change below a file or folder. */
export function lastChange(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((entry) => lastChange(join(path, entry))));
}
