// Builds the pages (apps/web) into dist/apps/web: `node tools/build-web.mjs [--if-stale]`.
import { cpSync, existsSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { areStale, takePlace } from './last-change.mjs';

const root = join(import.meta.dirname, '..');
const web = join(root, 'apps/web');
const target = join(root, 'dist/apps/web');
/** Where they are built: what is there stays whole meanwhile, for an app that serves it. */
const out = `${target}.${process.pid}`;
/** So long a page that is open finds the files of its own build, after another build. */
const keptMs = 24 * 3_600_000;

/** Whether the pages were never built, or their sources are newer than the build. */
const isStale = () => areStale([join(target, 'index.html')], [web, join(root, 'package.json')]);

/** Builds the pages, or only where they are stale. */
export async function buildWeb({ ifStale = false } = {}) {
  if (ifStale && !isStale()) return;
  if (ifStale) console.error('Building the pages …');
  // Imported here: an installation that never builds does not have it. It sets NODE_ENV, by which the app decides.
  const { build } = await import('vite');
  const { NODE_ENV } = process.env;
  try {
    await build({ root: web, logLevel: ifStale ? 'warn' : 'info', build: { outDir: out } });
    keepAssets();
    takePlace(out, target);
  } catch (error) {
    // Of two who do so at once either may win: they built the same.
    if (isStale()) throw error;
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    for (const folder of [out, `${out}.old`]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes over what pages of earlier builds may still ask for: the names have digests, so none is written over. */
function keepAssets() {
  const before = join(target, 'assets');
  if (!existsSync(before)) return;
  const builtMs = statSync(join(out, 'index.html')).mtimeMs;
  const isKept = (file) => file === before || builtMs - statSync(file).mtimeMs < keptMs;
  cpSync(before, join(out, 'assets'), { recursive: true, force: false, preserveTimestamps: true, filter: isKept });
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename)
  await buildWeb({ ifStale: process.argv.includes('--if-stale') });
