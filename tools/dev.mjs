// `npm run dev [-- --port 5173]`: the demo from its sources, started again when one of them changes, and the pages by
// Vite at that port, changed as you type. Nobody looks at types here: your editor does, and `npm run check`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const { port } = parseArgs({ options: { port: { type: 'string', default: '5173' } } }).values;
const community = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

/** Starts a program in a session of its own: Ctrl-C reaches this process alone, which ends each program once. */
function start(args, env) {
  const stdio = ['ignore', 'inherit', 'inherit'];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio, detached: true });
  const ended = once(child, 'exit');
  return { ended, end: () => (child.killed || child.kill(), ended) };
}

const compiled = ['--enable-source-maps', '--require', './tools/register-typescript.cjs'];
const main = [...compiled, 'apps/demo/src/main.ts', `http://localhost:${port}`];
// Nobody is served by another instance meanwhile: nothing is won by draining.
const demo = start(['--watch', '--watch-preserve-output', ...main], { LAUREL_DRAIN_MS: '0' });
const vite = join(root, 'node_modules/vite/bin/vite.js');
const pages = start([vite, 'apps/web', '--port', port, '--strictPort'], { LAUREL_COMMUNITY_URL: community });

async function stop(code) {
  await Promise.all([demo.end(), pages.end()]);
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));
// Should this process fail.
process.on('exit', () => [demo, pages].forEach((program) => void program.end()));
void Promise.race([demo.ended, pages.ended]).then(() => stop(1));
