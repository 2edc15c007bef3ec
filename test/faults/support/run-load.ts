import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Load, Loaded } from './load-main';
import { root } from '../../support/run';

const script = `require('./tools/register-typescript.cjs'); require('./test/faults/support/load-main.ts');`;

/** Runs a load in a process of its own: the test's would be late itself. */
export async function runLoad(load: Load): Promise<Loaded> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], {
    cwd: root,
    env: { PATH: process.env.PATH, LAUREL_TEST_LOAD: JSON.stringify(load) },
    maxBuffer: 256 * 1_024 * 1_024,
  });
  return JSON.parse(stdout) as Loaded;
}
