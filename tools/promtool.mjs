// promtool checks the alert rules in ops/. It comes with Prometheus: Debian's package would install a server too, and
// start it, so where the machine has none, this program alone is unpacked of it. That takes no root.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = join(dirname(fileURLToPath(import.meta.url)), '../.data/promtool');

/** The path of promtool on this machine, or null. */
export function findPromtool() {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), '/usr/bin', home];
  return folders.map((folder) => join(folder, 'promtool')).find(isExecutable) ?? null;
}

/** The path of promtool, which is fetched where it is missing and Debian's packages can be had. */
export function findOrFetchPromtool(log) {
  const found = findPromtool();
  if (found !== null) return found;
  log("Fetching promtool, of Debian's package prometheus (20 MB) ...");
  try {
    return fetchPromtool();
  } catch {
    throw new Error(
      'not found, so the tests of ops/alerts.yml are skipped. On Debian or Ubuntu: sudo apt-get install prometheus.',
    );
  }
}

function fetchPromtool() {
  mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(join(home, 'new-'));
  const run = (file, ...args) => execFileSync(file, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const download = () => run('apt-get', '-qq', '-o', 'APT::Sandbox::User=root', 'download', 'prometheus');
  try {
    try {
      download();
    } catch {
      // The lists of packages are old, or, as in a container, not there.
      run('apt-get', '-qq', 'update');
      download();
    }
    const [archive = ''] = readdirSync(folder);
    run('sh', '-c', 'dpkg-deb --fsys-tarfile "$1" | tar -x ./usr/bin/promtool', 'unpack', archive);
    renameSync(join(folder, 'usr/bin/promtool'), join(home, 'promtool'));
    return join(home, 'promtool');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
