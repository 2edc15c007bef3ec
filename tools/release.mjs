// A release, by one command in a clean clone of main: `npm run release -- 0.2.0` gives all packages this version,
// builds them, writes their sizes into docs/packages.md, commits, tags and publishes.
// `--dry-run` changes and publishes nothing: it fails where the packages could not be published.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf, packages, root, tarballNameOf } from './packages.mjs';
import { fillPage, tableOf } from './pages.mjs';

const run = (file, ...args) =>
  execFileSync(file, args, { cwd: root, encoding: 'utf8', stdio: ['inherit', 'pipe', 'inherit'] });
const dryRun = ['--dry-run', '--offline'];
const [wanted = ''] = process.argv.slice(2);
if (wanted === '--dry-run') {
  for (const { name, version, size } of publish(dryRun)) console.log(`${name} ${version}: ${size} bytes`);
} else if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(wanted)) await release(wanted);
else throw new Error('Say which: npm run release -- 0.2.0, or npm run release -- --dry-run.');

async function release(version) {
  if (run('git', 'status', '--porcelain') !== '')
    throw new Error('There are changes that are not committed: commit them first.');
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## [${version}]`))
    throw new Error(`CHANGELOG.md has no section "## [${version}]": give what is unreleased this name first.`);
  setVersion(version);
  await writeSizes(publish(dryRun));
  run('git', 'commit', '--quiet', '--all', '--message', `chore(release): the packages are ${version}`);
  run('git', 'tag', `v${version}`);
  // Where it was built can be proven by a forge's workflow alone.
  publish(process.env.GITHUB_ACTIONS === 'true' ? ['--provenance'] : []);
  console.log(`Published ${version}: git push --follow-tags`);
}

/** Of the packages, of what they ask of each other, and of the smallest apps, which name the tarballs by it. */
function setVersion(version) {
  const before = manifestOf('.').version.replaceAll('.', '\\.');
  const versions = new RegExp(`("(?:version|@laurel/\\w+)": ".*?)${before}`, 'g');
  for (const folder of [...Object.values(packages), 'apps/minimal', 'apps/minimal-express']) {
    const file = join(root, folder, 'package.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(versions, `$1${version}`));
  }
  run('npm', 'version', version, '--no-git-tag-version');
}

/** Builds the packages, and has npm publish each tarball, or say what it would; gives what npm says of each. */
function publish(options) {
  run(process.execPath, 'tools/build-packages.mjs', '--if-stale');
  return Object.keys(packages).map((name) => {
    const tarball = join('dist/packages', tarballNameOf(name));
    const told = JSON.parse(run('npm', 'publish', tarball, '--access', 'public', '--json', '--silent', ...options));
    return told[`@laurel/${name}`] ?? told;
  });
}

async function writeSizes(told) {
  const kilobytes = (bytes) => `${Math.round(bytes / 1_000)} kB`;
  const rows = told.map(({ name, size, unpackedSize, entryCount }) => [
    ...[`\`${name}\``, kilobytes(size), kilobytes(unpackedSize), `${entryCount}`],
  ]);
  const table = tableOf(['package', 'to download', 'unpacked', 'files'], rows);
  const commit = run('git', 'rev-parse', '--short', 'HEAD').trim();
  await fillPage('docs/packages.md', 'sizes', () => `${table}\n\nBuilt after ${commit}, packed by npm.`);
}
