// Builds the libraries as npm packages into dist/packages/<name>, and packs each into dist/packages/*.tgz:
// `node tools/build-packages.mjs [--if-stale]`. A package is its library compiled to CommonJS, so that there is one
// copy of each class for `require` and `import`, with a wrapper of named exports for `import`.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastChange } from './last-change.mjs';
import { inlined, manifestOf, packages, tarballNameOf } from './packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'dist/packages');
/** Where they are built: what is there stays whole meanwhile, also for others who find it stale and build at once. */
const out = `${target}.${process.pid}`;
const old = `${out}.old`;
const names = Object.keys(packages);
const require = createRequire(import.meta.url);
/** Imports of JavaScript and of declarations; and those of a library that has no package. */
const someImport = /((?:\(|\bfrom )["'])([^"'\n]+)(["'])/g;
const inlinedImport = new RegExp(`^@laurel/(${inlined.join('|')})(?:/([\\w-]+))?$`);

const ifStale = process.argv.includes('--if-stale');
if (!ifStale || isStale()) {
  try {
    build();
    if (!ifStale || isStale()) takePlace();
  } finally {
    for (const folder of [out, old]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether something of which the packages are made is newer than they are. */
function isStale() {
  const parts = Object.values(packages).flatMap((folder) =>
    ['src', 'package.json', 'README.md'].map((part) => `${folder}/${part}`),
  );
  const within = inlined.map((library) => `libs/${library}/src`);
  const sources = [...parts, ...within, 'tsconfig.json', 'LICENSE', 'tools/build-packages.mjs', 'tools/packages.mjs'];
  const changed = Math.max(...sources.map((path) => lastChange(join(root, path))));
  return names.some((name) => {
    const tarball = join(target, tarballNameOf(name));
    return !existsSync(tarball) || statSync(tarball).mtimeMs < changed;
  });
}

function build() {
  compile();
  for (const name of names) {
    const folder = join(out, name);
    for (const entry of entriesOf(name)) wrap(join(folder, 'dist'), entry);
    for (const file of schematicsOf(name).files) {
      copyFileSync(join(root, packages[name], 'src', file), join(folder, 'dist', file));
    }
    // `private` keeps the sources from being published in the package's place.
    const manifest = { ...manifestOf(name), private: undefined };
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    copyFileSync(join(root, packages[name], 'README.md'), join(folder, 'README.md'));
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    pack(folder);
  }
}

/** Puts what was built where what was there is; of two who do so at once either may win. */
function takePlace() {
  try {
    if (existsSync(target)) renameSync(target, old);
    renameSync(out, target);
  } catch (error) {
    if (isStale()) throw error;
  }
}

/** A library's entry points, as the `exports` of its package.json have them: `index`, `core`, `settlement/index`. */
function entriesOf(name) {
  return Object.values(manifestOf(name).exports).flatMap(({ require }) =>
    require ? [require.default.replace(/^\.\/dist\/|\.js$/g, '')] : [],
  );
}

/** Its programs, as the `bin` of its package.json has them: `main`. */
function programsOf(name) {
  return Object.values(manifestOf(name).bin ?? {}).map((path) => path.replace(/^\.\/dist\/|\.js$/g, ''));
}

/** What `nest g -c` runs, as its package.json says: the collection, its schemas, and the programs it names. */
function schematicsOf(name) {
  const collection = manifestOf(name).schematics?.replace('./dist/', '');
  if (collection === undefined) return { files: [], programs: [] };
  const text = readFileSync(join(root, packages[name], 'src', collection), 'utf8');
  const all = Object.values(JSON.parse(text).schematics);
  const once = (paths) => [...new Set(paths.map((path) => join(dirname(collection), path)))];
  return {
    files: [collection, ...once(all.map(({ schema }) => schema))],
    programs: once(all.map(({ factory }) => factory.replace(/#.*$/, ''))),
  };
}

/** Compiles all of them as one program. */
function compile() {
  const ts = require('typescript');
  const { options } = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.json'),
    { outDir: out, types: ['node'], sourceMap: false, noEmitOnError: true },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => fail(ts, [diagnostic]) },
  );
  const entries = names.flatMap((name) =>
    [...entriesOf(name), ...programsOf(name), ...schematicsOf(name).programs].map((entry) =>
      join(root, packages[name], 'src', `${entry}.ts`),
    ),
  );
  const program = ts.createProgram(entries, options);
  const written = new Map();
  const { diagnostics } = program.emit(undefined, (file, text) => written.set(relative(out, file), text));
  if (diagnostics.length > 0) fail(ts, diagnostics);
  for (const name of names) writePackage(ts, name, written);
}

/** <folder>/src/… becomes dist/packages/<name>/dist/…, and what it needs of libs/<lib>/src/… dist/inlined/<lib>/… */
function writePackage(ts, name, written) {
  const own = `${packages[name]}/src/`;
  const placeOf = (file) =>
    file.startsWith(own) ? file.replace(own, 'dist/') : file.replace(/^libs\/(\w+)\/src\//, 'dist/inlined/$1/');
  const waiting = [...written.keys()].filter((file) => file.startsWith(own));
  const done = new Set();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (done.has(file)) continue;
    done.add(file);
    const extension = /(\.d\.ts|\.js)$/.exec(file)[0];
    const text = written.get(file).replace(someImport, (whole, before, path, after) => {
      const [, library, entry = 'index'] = inlinedImport.exec(path) ?? [];
      if (!path.startsWith('.') && library === undefined) return whole;
      const base = library === undefined ? join(dirname(file), path) : `libs/${library}/src/${entry}`;
      const found = [`${base}${extension}`, `${base}/index${extension}`].find((one) => written.has(one));
      if (found !== undefined) waiting.push(found);
      if (library === undefined) return whole;
      const target = relative(dirname(placeOf(file)), placeOf(found)).slice(0, -extension.length);
      return `${before}${target.startsWith('.') ? target : `./${target}`}${after}`;
    });
    ts.sys.writeFile(join(out, name, placeOf(file)), text);
  }
}

function fail(ts, diagnostics) {
  const host = { getCurrentDirectory: () => root, getCanonicalFileName: (name) => name, getNewLine: () => '\n' };
  throw new Error(`The packages do not compile:\n${ts.formatDiagnostics(diagnostics, host)}`);
}

/** What `import` gets: the same exports, by name, of the one CommonJS copy. */
function wrap(folder, entry) {
  const list = namesIn(join(folder, `${entry}.js`)).map((name) => `  ${name},\n`);
  const file = `./${basename(entry)}.js`;
  writeFileSync(join(folder, `${entry}.mjs`), `export {\n${list.join('')}} from '${file}';\n`);
  writeFileSync(join(folder, `${entry}.d.mts`), `export * from '${file}';\n`);
}

/** The names that a compiled file exports, its own and those of the entry points that it exports whole. */
function namesIn(file) {
  const code = readFileSync(file, 'utf8');
  const found = (pattern) => [...code.matchAll(pattern)].map(([, text]) => text);
  const whole = found(/^__exportStar\(require\("(.+?)"\), exports\);/gm).map((path) => join(dirname(file), path));
  return [
    ...found(/^Object\.defineProperty\(exports, "(\w+)", \{ enumerable: true/gm),
    ...whole.flatMap((path) => namesIn(existsSync(`${path}.js`) ? `${path}.js` : join(path, 'index.js'))),
  ];
}

function pack(folder) {
  const args = ['pack', folder, '--pack-destination', out, '--silent'];
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] };
  if (process.env.npm_execpath) execFileSync(process.execPath, [process.env.npm_execpath, ...args], options);
  else execFileSync('npm', args, options);
}
