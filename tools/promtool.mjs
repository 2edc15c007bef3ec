// promtool checks the alert rules in ops/. It comes with Prometheus: Debian's package would install a server too, and
// start it, so where the machine has none, this program alone is unpacked of it. That takes no root.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const home = join(import.meta.dirname, '../.data/promtool');
const download = 'apt-get -qq -o APT::Sandbox::User=root download prometheus';
// Where the lists of packages are old, or, as in a container, not there, they are fetched first.
const unpack = `${download} || { apt-get -qq update; ${download}; }
dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool`;

/** The path of promtool on this machine, or null. */
export function findPromtool() {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), join(home, 'usr/bin')];
  return folders.map((folder) => join(folder, 'promtool')).find((file) => existsSync(file)) ?? null;
}

/** The path of promtool, which is fetched where it is missing and Debian's packages can be had. */
export function findOrFetchPromtool(log) {
  if (findPromtool() === null) {
    log("Fetching promtool, of Debian's package prometheus (20 MB) ...");
    mkdirSync(home, { recursive: true });
    execFileSync('sh', ['-ec', unpack], { cwd: home, stdio: ['ignore', 'ignore', 'pipe'] });
  }
  return findPromtool();
}
