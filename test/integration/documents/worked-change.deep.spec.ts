import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const root = join(__dirname, '../../..');
const [, section = ''] = /^## A change from its test to its page\n([^]*?)^## /m.exec(
  readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'),
) as RegExpExecArray;
const blocks = [...section.matchAll(/^```(diff|sh)\n([^]*?)^```/gm)];
const built = /^(?:node_modules|dist|coverage|\.data|\.git)$/;
/** What a run of tests hands down is of its own tests. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:LAUREL|JEST)_/.test(name)));

describe('the worked change of CONTRIBUTING.md', () => {
  let clone: string;
  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'laurel-clone-'));
    cpSync(root, clone, { recursive: true, filter: (path) => path === root || !built.test(basename(path)) });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  });
  afterAll(() => rmSync(clone, { recursive: true }));

  /** Runs a line as a reader types it; gives its exit code and all that it printed. */
  const typed = (line: string) =>
    new Promise<string>((done) => {
      execFile('sh', ['-c', line], { cwd: clone, env }, (error, out, err) => done(`${error ? 1 : 0} ${out}${err}`));
    });

  it('applies and does what it says, step by step', async () => {
    expect(blocks.length).toBeGreaterThan(9);
    for (const [, kind, text = ''] of blocks) {
      if (kind === 'diff') execFileSync('git', ['apply', '-'], { cwd: clone, input: text });
      else
        for (const line of text.trim().split('\n')) {
          const [command = '', said = ''] = line.split(' # ');
          const printed = await typed(command);
          expect(printed).toMatch(said === '1 failed' ? /^1 / : /^0 /);
          expect(printed).toContain(said);
        }
    }
    expect(readFileSync(join(clone, 'docs/options.md'), 'utf8')).toContain('| `soft` ');
  });
});
