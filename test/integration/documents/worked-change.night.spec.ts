import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyOfRepository } from '../../support/temporary-folder';

const root = join(__dirname, '../../..');
const [, section = ''] = /^## A change from its test to its page\n([^]*?)^## /m.exec(
  readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'),
) as RegExpExecArray;
const blocks = [...section.matchAll(/^```(diff|sh)\n([^]*?)^```/gm)];
const built = /^(?:node_modules|dist|coverage|\.data|\.git)$/;
/** What a run of tests hands down is of its own tests. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:LAUREL|JEST)_/.test(name)));

const { folder: clone } = copyOfRepository(readdirSync(root).filter((part) => !built.test(part)));

it('the worked change of CONTRIBUTING.md applies and does what it says, step by step', () => {
  expect(blocks.length).toBeGreaterThan(9);
  for (const [, kind, text = ''] of blocks) {
    for (const line of kind === 'diff' ? ['git apply -'] : text.trim().split('\n')) {
      const [command = '', said = ''] = line.split(' # ');
      const { status, stdout } = spawnSync('sh', ['-c', `${command} 2>&1`], { cwd: clone, env, input: text });
      const ended = `${command}\n${stdout.toString()}\nexit ${status}`;
      expect(ended).toMatch(new RegExp(`${said}[^]*exit ${said === '1 failed' ? 1 : 0}$`));
    }
  }
  expect(readFileSync(join(clone, 'docs/options.md'), 'utf8')).toContain('| `soft` ');
});
