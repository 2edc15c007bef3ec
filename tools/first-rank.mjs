// Plays "Use it" of the README as a newcomer types it, and says how long each step took: in an empty folder, a clone of
// this repository, an app of the Nest CLI, our packages, the app's first own rank. What is typed stands in the README
// alone. `node tools/first-rank.mjs [--nest 11] [--redis redis://…] [--port 3000] [--if-stale]`: the last builds the
// packages only where their sources are newer, and the Redis may hold other data.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    nest: { type: 'string', default: '12' },
    redis: { type: 'string', default: 'redis://localhost:6379' },
    port: { type: 'string', default: '3000' },
    'if-stale': { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'laurel-first-rank-'));
// For the commands that the newcomer runs beside the app.
const data = { LAUREL_PREFIX: folder.slice(-6) };
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** What the README says under "Use it": its blocks of code, each with the words before it. */
const [, section] = /^## Use it\n([^]*?)^## /m.exec(readFileSync(join(root, 'README.md'), 'utf8'));
const steps = [...section.matchAll(/([^]*?)^```(\w+)\n([^]*?)^```$/gm)].flatMap(([, words, language, code]) => [
  ...(words.includes('`npm start`') ? [started()] : []),
  ...(language === 'sh' ? typed(code) : [saved(words, code)]),
]);

// Typed into one shell: a command and what it starts are a group of processes, which ends as one.
symlinkSync(root, join(folder, 'laurel'));
const began = performance.now();
const shell = spawn('bash', ['-c', `log=${folder}/log\nfail() { cat $log; exit 1; }\n${steps.join('\n')}`], {
  cwd: join(folder, 'laurel'),
  detached: true,
  // A newcomer says yes when npx asks whether to install what it runs.
  env: { ...process.env, ...data, PWD: join(folder, 'laurel'), PORT: given.port, npm_config_yes: 'true' },
  stdio: ['ignore', 'inherit', 'inherit'],
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.kill(-shell.pid));
const [code] = await once(shell, 'exit');
try {
  process.kill(-shell.pid);
} catch (error) {
  if (error.code !== 'ESRCH') throw error;
}
rmSync(folder, { recursive: true, force: true });
if (code !== 0) process.exit(1);
const minutes = (performance.now() - began) / 60_000;
console.log(`The first own rank and its verification, on Nest ${given.nest}: after ${minutes.toFixed(1)} minutes.`);

/** A step as the shell reads it: it says how long it took, and ends the shell where it fails. */
function step(command, title = command) {
  return `SECONDS=0\n${command}\nprintf '%5d s  %s\\n' $SECONDS ${quoted(title)}`;
}

/** The commands of a block; a request, below which the README has an answer as a comment, has to be answered so. */
function typed(block) {
  const lines = block.trimEnd().split('\n');
  return lines.flatMap((line, i) => {
    if (line.startsWith('#')) return [];
    if (!line.startsWith('curl ')) return [step(`{ ${ofLine(line)}\n} > $log 2>&1 || fail`, ofLine(line))];
    const [, answer = ''] = /^# (.*)$/.exec(lines[i + 1] ?? '') ?? [];
    // A moment is another one at each try.
    const timeless = `sed -E 's/"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+Z)?"/"…"/g'`;
    const request = line.replace('localhost:3000', `localhost:${given.port}`);
    const other = `{ echo "It was answered $answer and the README says "${quoted(answer)}; exit 1; }`;
    return [step(`answer=$(${request} 2> $log | ${timeless})\n[ "$answer" = ${quoted(answer)} ] || ${other}`, line)];
  });
}

/** Of a line of Nest before the present one, the README names the packages that are other ones. */
function ofLine(command) {
  const [, others = ''] = new RegExp(`On Nest ${given.nest}\\b(.*?)\\.(?:\\s|$)`, 's').exec(section) ?? [];
  const names = [...others.matchAll(/`((@?[^`@]+)@[^`]+)`/g)];
  const here = command.replace('redis://localhost:6379', given.redis);
  const changed = names.reduce((text, [, pinned, name]) => text.replace(new RegExp(`${name}@\\d+`), pinned), here);
  return given['if-stale'] ? changed.replace('npm run build:packages', '$& -- --if-stale') : changed;
}

/** A file that the newcomer saves, with their own Redis in place of the README's, and boards that are empty. */
function saved(words, text) {
  const [file] = words.match(/(?<=`)src\/[\w./-]+(?=`)/g).slice(-1);
  const readers = "redis: { url: 'redis://localhost:6379' }";
  if (!text.includes(readers)) throw new Error(`${file} of the README has no ${readers}.`);
  const own = text.replace(readers, `redis: { url: '${given.redis}' }, prefix: '${data.LAUREL_PREFIX}'`);
  return step(`cat > ${file} <<'END' || fail\n${own}END`, `save ${file}`);
}

/** The app, which has to answer before the next step. */
function started() {
  const asked = `curl --silent --output /dev/null localhost:${given.port}`;
  return step(
    `npm start > $log.start 2>&1 &\nuntil ${asked}; do kill -0 $! || { cat $log.start; exit 1; }; sleep 0.2; done`,
    'npm start',
  );
}
