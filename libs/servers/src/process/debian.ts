import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from './find-program';

const run = promisify(execFile);

/**
 * Installs a Debian package, without its service: policy-rc.d is Debian's own way to say "do not start anything"
 * (it exists in most containers already), and what would start at the next boot is switched off.
 */
const script = `
set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 130' INT TERM
  printf '#!/bin/sh\\nexit 101\\n' > "$policy"
  chmod 755 "$policy"
fi
apt-get update
apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 "$1"
if [ -e "/etc/init.d/$1" ]; then update-rc.d "$1" disable || true; fi
`;

/** A way to add programs to this machine. */
export interface PackageInstaller {
  /** Whether this process may install packages here. */
  canInstall(): Promise<boolean>;
  /** Installs a package, saying so first. @throws Error with what went wrong. */
  install(name: string, log: (line: string) => void): Promise<void>;
}

/** Debian and its children, as root. */
export const debian: PackageInstaller = {
  async canInstall() {
    return process.getuid?.() === 0 && (await findProgram('apt-get')) !== undefined;
  },

  async install(name, log) {
    log(`Installing Debian's package ${name} (apt-get install ${name}) ...`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    try {
      await run('/bin/sh', ['-c', script, 'install', name], { env, maxBuffer: 64 * 1024 * 1024 });
    } catch (cause) {
      const printed = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
      throw new Error(`apt-get could not install ${name}:\n${printed.split('\n').slice(-5).join('\n')}`, { cause });
    }
  },
};
