// Records the sources of the community at a commit, by default the last one tagged, as the version before this one:
// what test/faults/two-versions.spec.ts runs beside the present one. To be run when a version is released: the fixture
// is then that version, and the next one is tested beside it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'test/faults/previous');
const git = (...args) => execFileSync('git', args, { cwd: root, maxBuffer: 64 * 1_024 * 1_024 });

const asked = process.argv[2] ?? git('describe', '--tags', '--abbrev=0').toString().trim();
const commit = git('rev-parse', `${asked}^{commit}`).toString().trim();
const parts = [
  'libs',
  'apps/community/src',
  'tools/register-typescript.cjs',
  'test/support/jest-transformer.cjs',
  'tsconfig.json',
];
const unneeded = ['*.spec.ts', '*.md', '*.lua', 'apps/community/src/demo'].map((path) => `:(exclude)${path}`);
writeFileSync(
  join(folder, 'community.tar.gz'),
  git('-c', 'tar.tar.gz.command=gzip -cn9', 'archive', '--format=tar.gz', commit, ...parts, ...unneeded),
);
writeFileSync(
  join(folder, 'commit.json'),
  `${JSON.stringify({ commit, at: git('show', '-s', '--format=%cI', commit).toString().trim() }, null, 2)}\n`,
);
console.log(`Recorded ${commit} in test/faults/previous.`);
