// Builds the libraries as npm packages into dist/packages/<name>, and packs each into dist/packages/*.tgz:
// `node tools/build-packages.mjs [--if-stale]`. A package is its library compiled to CommonJS, so that there is one
// copy of each class for `require` and `import`.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { areStale, takePlace } from './last-change.mjs';
import { inlined, manifestOf, packages, root, tarballNameOf } from './packages.mjs';

const target = join(root, 'dist/packages');
/** Where they are built: what is there stays whole meanwhile, also for others who find it stale and build at once. */
const out = `${target}.${process.pid}`;
const compiled = join(out, 'compiled');
const names = Object.keys(packages);

const ifStale = process.argv.includes('--if-stale');
if (!ifStale || isStale()) {
  try {
    const args = ['-p', 'tools/tsconfig.packages.json', '--outDir', compiled];
    execFileSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: root, stdio: 'inherit' });
    for (const name of names) {
      writePackage(name);
      pack(name);
    }
    rmSync(compiled, { recursive: true });
    takePlace(out, target);
  } catch (error) {
    // Of two who build at once either may win.
    if (!ifStale || isStale()) throw error;
  } finally {
    for (const folder of [out, `${out}.old`]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether something of which the packages are made is newer than they are. */
function isStale() {
  const sources = [...Object.values(packages), ...inlined.map((library) => `libs/${library}`), 'tools'];
  const tarballs = names.map((name) => join(target, tarballNameOf(name)));
  return areStale(
    tarballs,
    [...sources, 'tsconfig.json'].map((path) => join(root, path)),
  );
}

/** What `nest g -c` reads of a package: the collection of its schematics and their schemas, below `src`. */
function schematicsOf(name) {
  if (!manifestOf(name).schematics) return [];
  return readdirSync(join(root, packages[name], 'src'), { recursive: true }).filter((file) => file.endsWith('.json'));
}

/** The modules of a library that others load, below `src`: entry points, programs and what schematics run. */
function entriesOf(name) {
  const { exports, bin = {} } = manifestOf(name);
  const loaded = [...Object.values(exports).map((entry) => entry.default), ...Object.values(bin)].filter(Boolean);
  const run = schematicsOf(name).flatMap((file) => {
    const { schematics = {} } = JSON.parse(readFileSync(join(root, packages[name], 'src', file), 'utf8'));
    return Object.values(schematics).map(({ factory }) => join(dirname(file), factory.replace(/#.*$/, '')));
  });
  return [...loaded.map((path) => path.replace(/^\.\/dist\/|\.js$/g, '')), ...run];
}

/** <folder>/src/… becomes dist/packages/<name>/dist/…, and what it needs of libs/<lib>/src/… dist/inlined/<lib>/… */
function writePackage(name) {
  const own = `${packages[name]}/src/`;
  const placeOf = (file) =>
    file.startsWith(own) ? file.replace(own, 'dist/') : file.replace(/^libs\/(\w+)\/src\//, 'dist/inlined/$1/');
  const inlinedImport = new RegExp(`^@laurel/(${inlined.join('|')})(?:/([\\w-]+))?$`);
  // The set grows by what its files import.
  const files = new Set(entriesOf(name).flatMap((entry) => [`${own}${entry}.js`, `${own}${entry}.d.ts`]));
  for (const file of files) {
    const extension = /(\.d\.ts|\.js)$/.exec(file)[0];
    const code = readFileSync(join(compiled, file), 'utf8');
    const text = code.replace(/((?:\(|\b(?:from|import) )["'])([^"'\n]+)(["'])/g, (whole, before, path, after) => {
      const [, library, entry = 'index'] = inlinedImport.exec(path) ?? [];
      if (!path.startsWith('.') && !library) return whole;
      const base = library ? `libs/${library}/src/${entry}` : join(dirname(file), path);
      const found = [`${base}${extension}`, `${base}/index${extension}`].find((one) => existsSync(join(compiled, one)));
      if (found) files.add(found);
      if (!library) return whole;
      const to = relative(dirname(placeOf(file)), placeOf(found)).slice(0, -extension.length);
      return `${before}${to.startsWith('.') ? to : `./${to}`}${after}`;
    });
    const place = join(out, name, placeOf(file));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
}

/** Puts what is not compiled beside it, and has npm pack all. */
function pack(name) {
  const [from, folder] = [join(root, packages[name]), join(out, name)];
  for (const file of schematicsOf(name)) copyFileSync(join(from, 'src', file), join(folder, 'dist', file));
  // `private` keeps the sources from being published in the package's place.
  const manifest = JSON.stringify({ ...manifestOf(name), private: undefined }, null, 2);
  writeFileSync(join(folder, 'package.json'), `${manifest}\n`);
  copyFileSync(join(from, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const args = ['pack', folder, '--pack-destination', out, '--silent'];
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
