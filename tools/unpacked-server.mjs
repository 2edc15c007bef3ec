// Redis and Valkey of certain versions, of Debian's packages: unpacked with all libraries they need and run by their
// own loader, so that this machine's own servers and libraries stay as they are. `npm test -- --server valkey-8.0`
// tests against one.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The servers by version: their package's name, and the releases of Debian that have it and its libraries. */
const servers = {
  'redis-7.0': { name: 'redis', releases: ['bookworm'] },
  'redis-8.0': { name: 'redis', releases: ['trixie'] },
  'valkey-8.0': { name: 'valkey', releases: ['bookworm', 'bookworm-backports'] },
};
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** A folder with `redis-server` and `redis-cli` of this version, made below `folder` where it is not there yet. */
export function unpackedServer(version, folder) {
  const server = Object.hasOwn(servers, version) ? servers[version] : undefined;
  if (!server) throw new Error(`There is no server "${version}": use one of ${Object.keys(servers).join(', ')}.`);
  const home = join(folder, version);
  if (existsSync(home)) return join(home, 'bin');
  if (!existsSync(keyring)) {
    throw new Error(`${version} comes from Debian's packages, and ${keyring} is not here: install what you want to test
against, and put the folder of its redis-server in front of PATH.`);
  }
  const making = `${home}.new`;
  rmSync(making, { recursive: true, force: true });
  download(server, making);
  writeStarters(server.name, making, home);
  renameSync(making, home);
  return join(home, 'bin');
}

/** Fetches and unpacks a package and all it depends on; nothing of it is installed, no script of it is run. */
function download({ name, releases }, folder) {
  const [lists, archives] = [join(folder, 'lists'), join(folder, 'archives')];
  for (const part of [lists, archives]) mkdirSync(join(part, 'partial'), { recursive: true });
  const sources = join(folder, 'sources.list');
  const source = (archive) => `deb [signed-by=${keyring}] http://deb.debian.org/${archive} main\n`;
  const fixes = `debian-security ${releases[0]}-security`;
  writeFileSync(sources, [...releases.map((release) => `debian ${release}`), fixes].map(source).join(''));
  const settings = [
    ...[`Dir::Etc::sourcelist=${sources}`, 'Dir::Etc::sourceparts=-', 'Dir::State::status=/dev/null'],
    ...[`Dir::State::lists=${lists}`, `Dir::Cache=${folder}`, `Dir::Cache::archives=${archives}`],
    ...['Debug::NoLocking=1', 'APT::Sandbox::User=root', 'APT::Install-Recommends=0'],
  ].flatMap((setting) => ['-o', setting]);
  const apt = (...args) =>
    execFileSync('apt-get', [...settings, '-qq', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  apt('update');
  apt('install', '--download-only', '--yes', `${name}-server`);
  // Its package also depends on what makes its user and its service.
  for (const archive of readdirSync(archives).filter((file) => /^(lib|zlib|redis|valkey).*\.deb$/.test(file))) {
    execFileSync('dpkg', ['-x', join(archives, archive), join(folder, 'root')]);
  }
  for (const part of [lists, archives]) rmSync(part, { recursive: true });
}

/** Programs that start the unpacked ones with the libraries beside them, under the names of Redis. */
function writeStarters(name, folder, home) {
  const files = readdirSync(join(folder, 'root'), { recursive: true });
  const matching = (pattern) => files.filter((file) => pattern.test(file)).map((file) => join(home, 'root', file));
  const libraries = matching(/^(usr\/)?lib\/[^/]+-linux-gnu$/).join(':');
  const [loader] = matching(/-linux-gnu\/ld-linux-[^/]+\.so\.\d$/);
  mkdirSync(join(folder, 'bin'));
  for (const program of ['server', 'cli']) {
    const file = join(home, 'root/usr/bin', `${name}-${program}`);
    const start = `exec '${loader}' --library-path '${libraries}' '${file}' "$@"`;
    writeFileSync(join(folder, 'bin', `redis-${program}`), `#!/bin/sh\n${start}\n`, { mode: 0o755 });
  }
}
