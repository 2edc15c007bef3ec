// Plays "Use it" of the README as a newcomer types it, and says how long each step took: in an empty folder, a clone of
// this repository, an app of the Nest CLI, our packages, the app's first own rank. What is typed stands in the README
// alone. `node tools/first-rank.mjs [--nest 11] [--redis redis://…] [--port 3000] [--if-stale]`: the last builds the
// packages only where their sources are newer, and the Redis may hold other data.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values: given } = parseArgs({
  options: {
    nest: { type: 'string', default: '12' },
    redis: { type: 'string', default: 'redis://localhost:6379' },
    port: { type: 'string', default: '3000' },
    'if-stale': { type: 'boolean', default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'laurel-first-rank-'));

/** What the README says under "Use it": its blocks of code, each with the words before it. */
const [, section] = /^## Use it\n([^]*?)^## /m.exec(readFileSync(join(root, 'README.md'), 'utf8'));
const blocks = [...section.matchAll(/([^]*?)^```(\w+)\n([^]*?)^```$/gm)];
const said = blocks.flatMap(([, words, language, code]) => [
  ...(words.includes('`npm start`') ? [{ command: 'npm start', isServer: true }] : []),
  ...(language === 'sh' ? typed(code) : [saved(words, code)]),
]);

const started = performance.now();
symlinkSync(root, join(folder, 'laurel'));
let isRanked;
try {
  isRanked = await play(said);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (!isRanked) process.exit(1);
console.log(`The first own rank, on Nest ${given.nest}: after ${minutes(performance.now() - started)} minutes.`);

/** The commands of a block; below a request, as a comment, what it is answered. */
function typed(code) {
  const lines = code.trimEnd().split('\n');
  return lines.flatMap((line, i) => {
    if (line.startsWith('#')) return [];
    const [, answer] = /^# (.*)$/.exec(lines[i + 1] ?? '') ?? [];
    const command = line.startsWith('curl ') ? line.replace('localhost:3000', `localhost:${given.port}`) : ofLine(line);
    return [{ command, answer }];
  });
}

/** Of a line of Nest before the present one, the README names the packages that are other ones. */
function ofLine(command) {
  const [, others = ''] = new RegExp(`On Nest ${given.nest}\\b(.*?)\\.(?:\\s|$)`, 's').exec(section) ?? [];
  const names = [...others.matchAll(/`((@?[^`@]+)@[^`]+)`/g)];
  const changed = names.reduce((text, [, pinned, name]) => text.replace(new RegExp(`${name}@\\d+`), pinned), command);
  return given['if-stale'] ? changed.replace('npm run build:packages', '$& -- --if-stale') : changed;
}

/** A file that the newcomer saves, with their own Redis in place of the README's, and boards that are empty. */
function saved(words, code) {
  const [file] = words.match(/(?<=`)src\/[\w./-]+(?=`)/g).slice(-1);
  const readers = "redis: { url: 'redis://localhost:6379' }";
  if (!code.includes(readers)) throw new Error(`${file} of the README has no ${readers}.`);
  const own = code.replace(readers, `redis: { url: '${given.redis}' }, prefix: '${folder.slice(-6)}'`);
  return { command: `cat > ${file} <<'END'\n${own}END`, title: `save ${file}` };
}

/** Types all of it into one shell; gives whether each command succeeded and each request was answered as it says. */
async function play(steps) {
  // A command and what it starts are a group of processes, which ends as one.
  const shell = spawn('bash', ['-c', `exec 2>&1\n${steps.map(script).join('\n')}`], {
    cwd: join(folder, 'laurel'),
    detached: true,
    // A newcomer says yes when npx asks whether to install what it runs.
    env: { ...process.env, PWD: join(folder, 'laurel'), PORT: given.port, npm_config_yes: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = () => {
    try {
      process.kill(-shell.pid);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (end(), process.exit(1)));
  const ended = new Promise((done) => shell.once('exit', done));
  let begun = performance.now();
  let printed = [];
  let isRight = true;
  for await (const line of createInterface({ input: shell.stdout })) {
    const [, number] = /^::done (\d+)$/.exec(line) ?? [];
    if (number === undefined) {
      printed.push(line);
      continue;
    }
    const { command, title = command, answer } = steps[number];
    console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s  ${title}`);
    if (answer !== undefined && timeless(printed.join('\n')) !== answer) {
      console.error(`It was answered\n${printed.join('\n')}\nand the README says\n${answer}`);
      isRight = false;
    }
    printed = [];
    begun = performance.now();
  }
  const code = await ended;
  if (code !== 0) console.error(`${printed.join('\n')}\nThe shell ended with ${code}.`);
  end();
  return code === 0 && isRight;
}

/** A step as the shell reads it: it ends the shell where it fails. A server has to answer first. */
function script({ command, isServer }, number) {
  const log = join(folder, 'start.log');
  const asked = `curl --silent --output /dev/null localhost:${given.port}`;
  const wait = `until ${asked}; do kill -0 $! || { cat ${log}; exit 1; }; sleep 0.2; done`;
  const line = isServer ? `${command} > ${log} 2>&1 &\n${wait}` : command;
  const quiet = command.startsWith('curl ') ? `${line} 2> /dev/null` : line;
  return `${quiet}\nfailed=$?; [ $failed = 0 ] || exit $failed\n${command.startsWith('curl ') ? 'echo\n' : ''}echo '::done ${number}'`;
}

/** A moment is another one at each try. */
function timeless(answer) {
  return answer.trim().replace(/"\d{4}-\d\d-\d\d(T[\d:.]+Z)?"/g, '"…"');
}

function minutes(ms) {
  return (ms / 60_000).toFixed(1);
}
