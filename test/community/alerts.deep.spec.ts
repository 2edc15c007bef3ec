import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');
const findPromtool = "import { findPromtool } from './tools/promtool.mjs'; process.stdout.write(findPromtool() ?? '');";
const promtool = execFileSync(process.execPath, ['--input-type=module', '-e', findPromtool], {
  cwd: root,
  encoding: 'utf8',
});
const withPromtool = promtool === '' ? it.skip : it;
const unlessSkipped = promtool === '' ? " (skipped: promtool is not here; it is in Debian's package prometheus)" : '';

withPromtool(`the alerts are such that Prometheus accepts, and that fire in time${unlessSkipped}`, async () => {
  for (const args of [
    ['check', 'rules', 'ops/alerts.yml'],
    ['test', 'rules', 'ops/alerts.test.yml'],
  ]) {
    expect((await promisify(execFile)(promtool, args, { cwd: root })).stdout).toContain('SUCCESS');
  }
});
