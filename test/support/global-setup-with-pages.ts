import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import startServers from './global-setup';

/** Beside the servers of every suite: the pages, built where their sources are newer than the build. */
export default async function globalSetup(): Promise<void> {
  const { status } = spawnSync(process.execPath, [join(__dirname, '../../tools/build-web.mjs'), '--if-stale'], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('The pages could not be built: see above.');
  await startServers();
}
