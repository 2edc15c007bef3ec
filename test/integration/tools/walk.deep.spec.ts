import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '../../..');

describe('tools/walk.mjs', () => {
  it('lists the files that a walk runs, and no others', () => {
    const printed = execFileSync(process.execPath, ['tools/walk.mjs', 'praise'], { cwd: root, encoding: 'utf8' });
    const [title = '', ...files] = printed.trimEnd().split('\n  ');
    expect(title).toMatch(new RegExp(`^praise: ${files.length} files of libs/activity: `));
    expect(files).toContain('core/recording/activity.service.ts');
    expect(files).not.toContain('core/ranks/rank.service.ts');
  });
});
