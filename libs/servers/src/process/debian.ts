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

/** Whether this process may install packages here: Debian or one of its children, as root. */
export async function canInstallPackages(): Promise<boolean> {
  return process.getuid?.() === 0 && (await findProgram('apt-get')) !== undefined;
}

/** Installs a package with apt-get, saying so first. @throws Error with what apt-get printed last. */
export async function installPackage(name: string, log: (line: string) => void): Promise<void> {
  log(`Installing Debian's package ${name} (apt-get install ${name}) ...`);
  try {
    await run('/bin/sh', ['-c', script, 'install', name], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const last = printed.split('\n').slice(-5).join('\n');
    throw new Error(`apt-get could not install ${name}:\n${last || String(error)}`, { cause: error });
  }
}
