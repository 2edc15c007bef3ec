import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { npmSettings } from './support/npm-settings';
import { packageNames, packPackages, tarballOf } from './support/packages';
import { isOnline, unlessOnline } from './support/registry';

beforeAll(packPackages);

// "Are the types wrong?" has a TypeScript of its own, so it is not installed here.
(isOnline ? it : it.skip).each(packageNames)(
  `the package of libs/%s has types that are right for require, import and bundlers${unlessOnline}`,
  async (name) => {
    const attw = ['--yes', '@arethetypeswrong/cli@0.18.5', '--format', 'ascii', '--no-color', tarballOf(name)];
    const { stdout } = await promisify(execFile)('npx', attw, { env: { ...process.env, ...npmSettings } });
    expect(stdout).toContain('No problems found');
  },
);
