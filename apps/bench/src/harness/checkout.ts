import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Program } from './row-process';

const run = promisify(execFile);

/** The commit that a folder is at, and whether its files are others by now; null outside of a repository. */
export async function commitOf(folder: string): Promise<{ commit: string; isChanged: boolean } | null> {
  try {
    const commit = await git(folder, 'rev-parse', '--short=10', 'HEAD');
    return { commit, isChanged: (await git(folder, 'status', '--porcelain')) !== '' };
  } catch {
    return null;
  }
}

/** Another commit beside the one that is worked on. */
export interface Checkout {
  readonly commit: string;
  readonly program: Program;
  remove(): Promise<void>;
}

/** Puts a commit into a git worktree below .data/bench, to run by its own tools with the packages installed here. */
export async function checkOut(folder: string, name: string, say: (line: string) => void): Promise<Checkout> {
  const root = await git(folder, 'rev-parse', '--show-toplevel');
  const commit = await git(root, 'rev-parse', '--short=10', '--verify', `${name}^{commit}`).catch(() => {
    throw new Error(`There is no commit "${name}": name one that \`git log\` shows.`);
  });
  const place = join(root, '.data/bench/against');
  const remove = async () => {
    await rm(place, { recursive: true, force: true });
    await git(root, 'worktree', 'prune');
  };
  // An earlier run may have been killed.
  await remove();
  try {
    await git(root, 'worktree', 'add', '--detach', place, commit);
    await symlink(join(root, 'node_modules'), join(place, 'node_modules'));
    if ((await git(root, 'diff', '--name-only', commit, '--', 'package-lock.json')) !== '')
      say(`${commit} has another package-lock.json: both sides run with the packages that are installed here.`);
    say(`Compiling ${commit} ...`);
    const program: Program = [process.execPath, join(place, 'tools/run.mjs'), 'bench'];
    const [code] = (await once(
      spawn(program[0], [...program.slice(1), '--help'], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] }),
      'close',
    )) as [number | null];
    if (code !== 0) throw new Error(`${commit} does not compile: see the messages above.`);
    return { commit, program, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function git(folder: string, ...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: folder })).stdout.trim();
}
