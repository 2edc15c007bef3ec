// `npm run dev [-- --port 5173]`: the demo from its sources, started again when one of them changes, and the pages by
// Vite at that port, changed as you type. Nobody looks at types here: your editor does, and `npm run check`.
import { watch } from 'chokidar';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { port } = parseArgs({ options: { port: { type: 'string', default: '5173' } } }).values;
const community = `http://127.0.0.1:${process.env.PORT ?? 3000}`;
const sources = ['apps/community/src', ...readdirSync(join(root, 'libs')).map((library) => `libs/${library}/src`)];

let isStopping = false;
let isRestarting = false;

/** Starts a program in a session of its own: Ctrl-C reaches this process alone, which ends each program once. */
function start(args, env) {
  const stdio = ['ignore', 'inherit', 'inherit'];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio, detached: true });
  const ended = once(child, 'exit');
  return { ended, end: () => (child.killed || child.kill(), ended) };
}

function startDemo() {
  const main = ['--require', './tools/register-typescript.cjs', 'apps/community/src/demo/main.ts'];
  // Nobody is served by another instance meanwhile: nothing is won by draining.
  const demo = start(['--enable-source-maps', ...main, `http://localhost:${port}`], { LAUREL_DRAIN_MS: '0' });
  void demo.ended.then(() => {
    if (!isStopping && !isRestarting) console.log('The demo has ended: the next change of a source starts it again.');
  });
  return demo;
}

const watcher = watch(sources, { cwd: root, ignoreInitial: true, ignored: /\.spec\.ts$/ });
await once(watcher, 'ready');
watcher.on('all', () => void restart());

const vite = join(root, 'node_modules/vite/bin/vite.js');
const pages = start([vite, 'apps/web', '--port', port, '--strictPort'], { LAUREL_COMMUNITY_URL: community });
let demo = startDemo();
void pages.ended.then(() => stop(1));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));
// Should this process fail.
process.on('exit', () => [demo, pages].forEach((program) => void program.end()));

async function restart() {
  if (isRestarting || isStopping) return;
  isRestarting = true;
  console.log('A source has changed: starting the demo again …');
  // Changes come in groups, and what is changed until the next start needs no other.
  await Promise.all([demo.end(), after(200)]);
  if (!isStopping) demo = startDemo();
  isRestarting = false;
}

async function stop(code) {
  if (isStopping) return;
  isStopping = true;
  await Promise.all([demo.end(), pages.end()]);
  process.exit(code);
}
