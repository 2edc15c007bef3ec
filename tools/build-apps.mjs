// Compiles the server apps by SWC into dist/apps and dist/libs, for the container: `node tools/build-apps.mjs [app …]`,
// by default all of them. They replace what is there once all is well. Types are lint's work.
import { transformFileSync } from '@swc/core';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { takePlace } from './last-change.mjs';

const require = createRequire(import.meta.url);
const options = require('./swc.json');
const { paths } = require('../tsconfig.json').compilerOptions;

const root = join(import.meta.dirname, '..');
const target = join(root, 'dist');
const out = `${target}.${process.pid}`;

const named = process.argv.slice(2);
const apps = (named.length > 0 ? named : ['community', 'cli', 'bench']).map((app) => `apps/${app}`);
const libs = readdirSync(join(root, 'libs')).map((lib) => `libs/${lib}`);

try {
  for (const folder of [...apps, ...libs]) compile(join(folder, 'src'));
  for (const folder of [...apps, 'libs']) takePlace(join(out, folder), join(target, folder));
} finally {
  rmSync(out, { recursive: true, force: true });
}

/** Compiles a folder; what is no source, such as migrations, stands beside it. */
function compile(folder) {
  for (const name of readdirSync(join(root, folder), { recursive: true })) {
    const [from, to] = [join(root, folder, name), join(out, folder, name.replace(/\.ts$/, '.js'))];
    if (statSync(from).isDirectory() || /\.(spec|md)\b/.test(name)) continue;
    mkdirSync(dirname(to), { recursive: true });
    if (from.endsWith('.ts')) {
      const jsc = { ...options.jsc, baseUrl: root, paths };
      writeFileSync(to, transformFileSync(from, { ...options, jsc }).code);
    } else cpSync(from, to);
  }
}
