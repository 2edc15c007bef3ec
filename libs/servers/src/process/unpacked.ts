import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { PackageInstaller } from './debian';
import { findProgram } from './find-program';

const run = promisify(execFile);

/**
 * Fetches a Debian package and what it needs that is missing here, as apt does: from the machine's mirrors, with its
 * signatures. Nothing but the folder is written. A program of it is run by a script of its name that says where its
 * libraries lie.
 */
const script = `
set -e
folder=$1 package=$2
shift 2
apt() {
  apt-get -qq -o Dir::State::lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User= \\
    -o Debug::NoLocking=1 "$@"
}
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/bin"
apt update
apt install --yes --no-install-recommends --download-only "$package"
for file in "$folder"/apt/cache/archives/*.deb; do dpkg-deb --extract "$file" "$folder/root"; done
rm -rf "$folder/apt"
for name in "$@"; do
  [ -e "$folder/root/usr/bin/$name" ] || continue
  cat > "$folder/bin/$name" <<'END'
#!/bin/sh
root=$(dirname "$0")/../root
for libraries in "$root"/usr/lib/*-linux-* "$root"/lib/*-linux-*; do
  LD_LIBRARY_PATH=$libraries\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
done
export LD_LIBRARY_PATH
exec "$root/usr/bin/$(basename "$0")" "$@"
END
  chmod 755 "$folder/bin/$name"
done
`;

/** The path of the first of these programs that was unpacked in a folder. */
export function findUnpacked(folder: string, names: readonly string[]): Promise<string | undefined> {
  return findProgram(...names.map((name) => resolve(folder, 'bin', name)));
}

/** Debian and its children, for any user: packages are unpacked in a folder, and nothing is installed. */
export function unpackedIn(folder: string, names: readonly string[]): PackageInstaller {
  return {
    async canInstall() {
      const needed = await Promise.all([findProgram('apt-get'), findProgram('dpkg-deb')]);
      return needed.every((program) => program !== undefined);
    },

    async install(name, log) {
      log(`Unpacking Debian's package ${name} in ${folder}; nothing is installed ...`);
      try {
        await run('/bin/sh', ['-c', script, 'unpack', resolve(folder), name, ...names], {
          maxBuffer: 64 * 1024 * 1024,
        });
      } catch (cause) {
        const printed = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
        const lines = printed.split('\n').slice(-5).join('\n');
        throw new Error(`apt-get could not fetch ${name}:\n${lines}`, { cause });
      }
    },
  };
}
