import { execFileSync } from 'node:child_process';
import { root } from '../../support/run';

/** What a module prints that runs in the root of the project. */
const run = (program: string) =>
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' });

describe('a test that is alone or left out', () => {
  it('is refused by lint', () => {
    const lines = [
      "it.only('a', () => undefined);",
      "describe.only.each([1])('a', () => undefined);",
      "it.skip('a', () => undefined);",
      "it.todo('a');",
      "xit('a', () => undefined);",
      "fdescribe('a', () => undefined);",
      "fit.each([1])('a', () => undefined);",
      "it.concurrent.only('a', () => undefined);",
      "it('a', () => undefined);",
    ];
    // The rule as it holds for tests, without the types that other rules need.
    const program = `import { ESLint, Linter } from 'eslint';
      const { rules } = await new ESLint().calculateConfigForFile('test/support/wait-until.ts');
      const rule = { 'no-restricted-syntax': rules['no-restricted-syntax'] };
      const messages = new Linter().verify(${JSON.stringify(lines.join('\n'))}, { rules: rule });
      console.log(JSON.stringify(messages.map(({ line }) => line)));`;
    const refused: unknown = JSON.parse(run(program));
    expect(refused).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
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
    expect(JSON.parse(run(program))).toEqual(['b', 'c']);
  });
});
