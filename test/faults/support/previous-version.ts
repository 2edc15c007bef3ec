import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');

/** The sources of the version before this one, as `tools/record-previous.mjs` recorded them. */
export interface PreviousVersion {
  /** Where they lie: within this project, whose modules they use. */
  readonly folder: string;
  remove(): void;
}

export function unpackPreviousVersion(): PreviousVersion {
  mkdirSync(join(root, '.data'), { recursive: true });
  const folder = mkdtempSync(join(root, '.data/previous-'));
  execFileSync('tar', ['-xzf', join(root, 'test/faults/previous/community.tar.gz'), '-C', folder]);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
