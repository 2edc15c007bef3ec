import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim();

/**
 * The commit of the version before this one: `LAUREL_TEST_PREVIOUS`, the last tag, or, as long as nothing is released,
 * this very one. Null in a copy without its history.
 */
export const previousCommit =
  process.env.LAUREL_TEST_PREVIOUS || git('describe', '--tags', '--abbrev=0') || git('rev-parse', 'HEAD') || null;

/** The sources of another version. */
export interface PreviousVersion {
  /** Where they lie: within this project, whose modules they use. */
  readonly folder: string;
  remove(): void;
}

export function unpackPreviousVersion(commit: string): PreviousVersion {
  mkdirSync(join(root, '.data'), { recursive: true });
  const folder = mkdtempSync(join(root, '.data/previous-'));
  const parts = ['libs', 'apps/community', 'tools', 'test/support', 'tsconfig.json', 'package.json'];
  const sources = execFileSync('git', ['archive', commit, ...parts], { cwd: root, maxBuffer: 256 * 1_024 * 1_024 });
  execFileSync('tar', ['-x', '-C', folder], { input: sources });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
