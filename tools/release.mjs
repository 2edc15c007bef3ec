// A release, by one command in a clean clone of main: `npm run release -- 0.2.0` gives all packages this version,
// builds them, writes their sizes into docs/packages.md (as `--sizes` does by itself), commits, tags and publishes.
// `--dry-run` changes and publishes nothing: it fails where the packages could not be published.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import { manifestOf, packages, tarballNameOf } from './packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const page = join(root, 'docs/packages.md');
/** All that have the version of the packages: these of the smallest apps name the tarballs by it. */
const versioned = ['.', ...Object.values(packages), 'apps/minimal', 'apps/minimal-express'];

const run = (file, args, options = {}) =>
  execFileSync(file, args, { cwd: root, encoding: 'utf8', stdio: ['inherit', 'pipe', 'inherit'], ...options });
const npm = (...args) =>
  process.env.npm_execpath ? run(process.execPath, [process.env.npm_execpath, ...args]) : run('npm', args);

const dryRun = ['--dry-run', '--offline'];
const [wanted = ''] = process.argv.slice(2);
if (wanted === '--dry-run' || wanted === '--sizes') {
  build();
  const told = publish(dryRun);
  if (wanted === '--sizes') await writeSizes(told);
  for (const { name, version, size } of told) console.log(`${name} ${version}: ${size} bytes`);
} else if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(wanted)) await release(wanted);
else fail('Say which: npm run release -- 0.2.0, or npm run release -- --dry-run.');

async function release(version) {
  if (run('git', ['status', '--porcelain']) !== '')
    fail('There are changes that are not committed: commit them first.');
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## [${version}]`)) {
    fail(`CHANGELOG.md has no section "## [${version}]": give what is unreleased this name first.`);
  }
  setVersion(version);
  build();
  await writeSizes(publish(dryRun));
  run('git', ['commit', '--quiet', '--all', '--message', `chore(release): the packages are ${version}`]);
  run('git', ['tag', `v${version}`]);
  // Where it was built can be proven by a forge's workflow alone.
  publish(process.env.GITHUB_ACTIONS === 'true' ? ['--provenance'] : []);
  console.log(`Published ${version}: git push --follow-tags`);
}

function setVersion(version) {
  const { version: before } = manifestOf('.');
  for (const folder of versioned) {
    const file = join(root, folder, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    manifest.version = version;
    for (const [name, range] of Object.entries(manifest.dependencies ?? {}))
      if (name.startsWith('@laurel/')) manifest.dependencies[name] = range.replace(before, version);
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  }
  const lock = join(root, 'package-lock.json');
  const locked = JSON.parse(readFileSync(lock, 'utf8'));
  locked.version = locked.packages[''].version = version;
  writeFileSync(lock, `${JSON.stringify(locked, null, 2)}\n`);
}

function build() {
  run(process.execPath, ['tools/build-packages.mjs', '--if-stale'], { stdio: 'inherit' });
}

/** Has npm publish each tarball, or say what it would; gives what npm says of each. */
function publish(options) {
  return Object.keys(packages).map((name) => {
    const tarball = join('dist/packages', tarballNameOf(name));
    const told = JSON.parse(npm('publish', tarball, '--access', 'public', '--json', '--silent', ...options));
    return told[`@laurel/${name}`] ?? told;
  });
}

/** Between its two marks docs/packages.md has what npm says of each package. */
async function writeSizes(told) {
  const kilobytes = (bytes) => `${Math.round(bytes / 1_000)} kB`;
  const row = ({ name, size, unpackedSize, entryCount }) =>
    `| \`${name}\` | ${kilobytes(size)} | ${kilobytes(unpackedSize)} | ${entryCount} |`;
  const table = ['| package | to download | unpacked | files |', '| --- | --- | --- | --- |', ...told.map(row)];
  const commit = run('git', ['rev-parse', '--short', 'HEAD']).trim();
  const text = readFileSync(page, 'utf8').replace(
    /(<!-- sizes -->\n)[^]*?(<!-- \/sizes -->)/,
    (_, start, end) => `${start}\n${table.join('\n')}\n\nBuilt after ${commit}, packed by npm.\n\n${end}`,
  );
  writeFileSync(page, await prettier.format(text, { ...(await prettier.resolveConfig(page)), parser: 'markdown' }));
}

function fail(why) {
  console.error(why);
  process.exit(1);
}
