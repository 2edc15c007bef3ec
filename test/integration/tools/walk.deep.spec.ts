import { execFileSync } from 'node:child_process';

it('tools/walk.mjs lists the files that a walk runs, and no others', () => {
  const [title, ...files] = execFileSync('node', ['tools/walk.mjs', 'praise'], { encoding: 'utf8' }).split(/\n */);
  expect(title).toBe(`praise: ${files.length - 1} files of libs/activity`);
  expect(files).toContain('core/recording/activity.service.ts');
  expect(files).not.toContain('core/ranks/rank.service.ts');
});
