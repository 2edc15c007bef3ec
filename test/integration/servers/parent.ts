import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { root } from '../../support/run';

/** Runs libs/servers from its sources, in a process of its own. */
const script = `
  require('./tools/register-typescript.cjs');
  const { startRedis } = require('./libs/servers/src/index.ts');
  void startRedis().then((server) => console.log(server.pid));
`;

/** A process that has started a Redis: its pid, and a way to kill the parent as the system would. */
export async function startParent(): Promise<{ readonly redisPid: number; kill(): void }> {
  const parent = spawn(process.execPath, ['-e', script], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: parent.stdout })) {
    return { redisPid: Number(line), kill: () => parent.kill('SIGKILL') };
  }
  throw new Error('The parent ended before it had started a server.');
}
