import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '../../..');

describe('a test that is alone or left out', () => {
  it('is refused by lint', () => {
    const lines = [
      "it.only('a', () => undefined);",
      "describe.only.each([1])('a', () => undefined);",
      "it.skip('a', () => undefined);",
      "it.todo('a');",
      "xit('a', () => undefined);",
      "fdescribe('a', () => undefined);",
      "it('a', () => undefined);",
    ];
    const args = ['--stdin', '--stdin-filename', 'test/support/wait-until.ts', '--format', 'json'];
    const eslint = join(root, 'node_modules/eslint/bin/eslint.js');
    const { stdout } = spawnSync(process.execPath, [eslint, ...args], {
      cwd: root,
      encoding: 'utf8',
      input: lines.join('\n'),
    });
    const [{ messages }] = JSON.parse(stdout) as [{ messages: { ruleId: string; line: number }[] }];
    const refused = messages.filter(({ ruleId }) => ruleId === 'no-restricted-syntax').map(({ line }) => line);
    expect(refused).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('fails a run of all tests, but where its name says why it is skipped', () => {
    const tests = [
      { status: 'passed', fullName: 'a' },
      { status: 'pending', fullName: 'b' },
      { status: 'todo', fullName: 'c' },
      { status: 'pending', fullName: 'd (skipped: no docker compose on this machine)' },
    ];
    const program = `import { unexplainedSkips } from './tools/skipped-tests.mjs';
      console.log(JSON.stringify(unexplainedSkips({ testResults: [{ assertionResults: ${JSON.stringify(tests)} }] })));`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(JSON.parse(said)).toEqual(['b', 'c']);
  });
});
