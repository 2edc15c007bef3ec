import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../support/run';

const env = { ...process.env, PATH: `${process.env.PATH}:.data/promtool/bin` };
const options = { cwd: root, env };
const isThere = spawnSync('promtool', ['--version'], options).status === 0;
const withPromtool = isThere ? it : it.skip;
const unlessSkipped = isThere ? '' : " (skipped: promtool is not here; it is in Debian's package prometheus)";

withPromtool(`the alerts are such that Prometheus accepts, and that fire in time${unlessSkipped}`, async () => {
  for (const args of [
    ['check', 'rules', 'ops/alerts.yml'],
    ['test', 'rules', 'ops/alerts.test.yml'],
  ]) {
    expect((await promisify(execFile)('promtool', args, options)).stdout).toContain('SUCCESS');
  }
});
