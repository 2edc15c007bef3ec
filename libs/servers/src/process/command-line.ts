import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The command line of a process, to check that a pid from a file is still the program that wrote it; empty: no process.
 */
export function commandLine(pid: number): Promise<string> {
  const found =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/cmdline`, 'utf8')
      : run('ps', ['-p', String(pid), '-o', 'command=']).then(({ stdout }) => stdout);
  return found.catch(() => '');
}
