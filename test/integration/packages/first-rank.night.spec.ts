import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@laurel/servers';
import { testRedisUrl } from '../../support/redis';
import { packPackages, root } from './support/packages';
import { npmSettings } from './support/npm-settings';
import { isOnline, unlessOnline } from './support/registry';

beforeAll(packPackages);

describe.each(['12', '11'])('a newcomer with the Nest CLI %s, who types what the README says', (nest) => {
  (isOnline ? it : it.skip)(`comes from an empty folder to their own first rank${unlessOnline}`, async () => {
    const given = ['--nest', nest, '--redis', testRedisUrl(), '--port', `${await freePort()}`, '--if-stale'];
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'tools/first-rank.mjs'), ...given], {
      env: { ...process.env, ...npmSettings },
      // Before the test's own time is over, so that it says how far it came.
      timeout: 590_000,
    }).catch((error: Error & { stdout?: string }) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    });
    expect(stdout).toContain(`The first own rank and its verification, on Nest ${nest}: after `);
  });
});
