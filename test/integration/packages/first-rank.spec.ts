import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testRedisUrl } from '../../support/redis';
import { packingMs, packPackages, root } from './support/packages';

const asked = ['view', '@nestjs/cli', 'version', '--fetch-retries', '0', '--fetch-timeout', '10000'];
const isOnline = spawnSync('npm', asked, { stdio: 'ignore' }).status === 0;

async function freePort(): Promise<string> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return `${port}`;
}

/** A newcomer has given up by then. */
const tenMinutes = 600_000;

/** Npm by itself waits five minutes for an answer that was lost. */
const npm = {
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_fetch_timeout: '30000',
  npm_config_fetch_retries: '5',
};

beforeAll(packPackages, packingMs);

describe.each(['12', '11'])('a newcomer with the Nest CLI %s, who types what the README says', (nest) => {
  const name = 'comes from an empty folder to their own first rank';
  (isOnline ? it : it.skip)(
    isOnline ? name : `${name} (skipped: npm reaches no registry)`,
    async () => {
      const given = ['--nest', nest, '--redis', testRedisUrl(), '--port', await freePort(), '--if-stale'];
      const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'tools/first-rank.mjs'), ...given], {
        env: { ...process.env, ...npm },
        timeout: tenMinutes,
      }).catch((error: Error & { stdout?: string }) => {
        throw new Error(`${error.message}\n${error.stdout}`);
      });
      expect(stdout).toContain(`The first own rank, on Nest ${nest}: after `);
    },
    tenMinutes + 60_000,
  );
});
