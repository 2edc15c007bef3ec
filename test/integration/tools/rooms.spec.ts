import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(__dirname, '../../..');

/** What a tool prints. */
const printed = async (tool: string, ...args: string[]) =>
  (await run(process.execPath, [join(root, 'tools', tool), ...args])).stdout;

describe('tools/rooms.mjs', () => {
  it('draws the folders of a room, and finds no two that import each other', async () => {
    const text = await printed('rooms.mjs', 'libs/leaderboard');
    expect(text).toContain('\n  ledger --> board\n');
    expect(text).toMatch(/\n0 pairs of folders import each other\.\n$/);
  });
});

describe('tools/walk.mjs', () => {
  it('lists the files that a walk runs, and no others', async () => {
    const [title = '', ...files] = (await printed('walk.mjs', 'praise')).trimEnd().split('\n  ');
    expect(title).toMatch(new RegExp(`^praise: ${files.length} files of libs/activity: `));
    expect(files).toContain('recording/activity.service.ts');
    expect(files).not.toContain('ranks/rank.service.ts');
  });
});
