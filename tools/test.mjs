// What proves the project: `npm test` what a change may break for users, `npm run test:deep` what takes longer, with
// the same cases each time, `npm run test:all` everything, with fresh seeds. The name of a spec says where it belongs
// (see CONTRIBUTING.md). `npm run check` runs what needs no server. A step that fails shows what it printed and does
// not keep the others from running; the last line counts Jest's tests, and each other step as one. With arguments, Jest
// alone runs, with these arguments: `npm test -- test/properties` takes specs of any name, `npm run test:all --
// --selectProjects faults` a part of the night.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import leven from 'leven';
import { unexplainedSkips } from './skipped-tests.mjs';

const root = join(import.meta.dirname, '..');

/** The executable of a package in node_modules. */
const bin = (command) => join(root, 'node_modules/.bin', command);
const cache = (name) => ['--cache', '--cache-location', join('.data/check', name), '--cache-strategy', 'content'];
const servers = { 'servers to test against': ['tools/prepare-servers.mjs'] };
const allServers = { 'servers to test against': ['tools/prepare-servers.mjs', '--all'] };
const pages = { 'build of the pages': ['tools/build-web.mjs'] };
const sense = {
  'types and lint': [bin('oxlint')],
  'generated files are fresh': ['tools/generate.mjs', '--check'],
};
const form = {
  format: [bin('prettier'), '--check', '.', ...cache('prettier')],
  'lint that knows no types': [bin('eslint'), '.', ...cache('eslint')],
  'rooms and their arrows': [bin('depcruise'), 'apps', 'examples', 'libs', 'test'],
  'nothing that nobody uses': [bin('knip'), '--no-progress'],
};
const products = { 'site of the documents': [bin('typedoc')], 'build of the packages': ['tools/build-packages.mjs'] };
const all = { ...allServers, ...pages, ...sense, ...form, ...products };

/** What each command runs: its steps, and Jest with these arguments and this environment. */
const commands = {
  check: { steps: { ...sense, ...form }, jest: ['--selectProjects', 'unit'], env: {} },
  test: { steps: { ...servers, ...pages, ...sense }, jest: [], env: { LAUREL_TEST_TIER: 'test' } },
  deep: { steps: all, jest: [], env: { LAUREL_TEST_TIER: 'deep' } },
  all: { steps: all, jest: [], env: { LAUREL_TEST_FULL: '1', LAUREL_TEST_INSTALL: '1', LAUREL_TEST_RABBITMQ: '1' } },
};

const counts = { passed: 0, skipped: 0 };
const failures = [];
const [name = 'test', ...given] = process.argv.slice(2);
const { steps, jest, env } = commands[name];

if (given.length === 0) {
  const waiting = Object.entries(steps);
  const runWaiting = async () => {
    for (let step; (step = waiting.shift());) await runStep(...step);
  };
  // Most of them keep one core busy.
  await Promise.all(Array.from({ length: 2 }, runWaiting));
  // A suite waits for its servers about half of the time: then another one has the core.
  await runTests(['--maxWorkers', String(availableParallelism() + 1), ...jest], env);
} else if (hasFiles(given)) {
  await runTests(given, name === 'test' ? {} : env);
}
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
console.log(`${counts.passed} passed, ${failures.length} failed${skipped}`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** Runs a program of ours or of a package; gives whether all is well, and what it printed where that was not shown. */
async function run(args, { isShown, env: added = {} }) {
  const stdio = isShown ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, args, { cwd: root, stdio, env: { ...process.env, ...added } });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  const [status] = await once(child, 'close');
  return { ok: status === 0, output: Buffer.concat(printed).toString() };
}

async function runStep(title, args) {
  if (!existsSync(resolve(root, args[0]))) return console.log(`not installed: ${title} (npm run check installs it)`);
  const started = performance.now();
  const { ok, output } = await run(args, { isShown: args[0] === 'tools/prepare-servers.mjs' });
  if (ok) counts.passed++;
  else failures.push(title);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${ok ? 'ok    ' : `${output.trimEnd()}\nFAILED`}  ${title}  (${seconds} s)`);
}

/** Whether each pattern, up to Jest's first option, is in a spec's path; where one is not, the nearest is named. */
function hasFiles(args) {
  const below = (folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file));
  const specs = ['apps', 'libs', 'test'].flatMap(below).filter((file) => file.endsWith('.spec.ts'));
  const option = args.concat('-').findIndex((arg) => arg.startsWith('-'));
  const patterns = args.slice(0, option);
  const wrong = patterns.filter((pattern) => !specs.some((spec) => new RegExp(pattern).test(join(root, spec))));
  for (const pattern of wrong) {
    const distance = (spec) => Math.min(leven(pattern, spec), leven(pattern, basename(spec, '.spec.ts')));
    const [nearest] = specs.sort((a, b) => distance(a) - distance(b));
    failures.push(`no spec is named "${pattern}": the nearest is ${nearest}`);
  }
  return wrong.length === 0;
}

/** Runs Jest and counts its tests. */
async function runTests(args, added) {
  const resultsFile = join(root, '.data/test-results.json');
  mkdirSync(dirname(resultsFile), { recursive: true });
  rmSync(resultsFile, { force: true });
  const { ok } = await run([bin('jest'), '--json', `--outputFile=${resultsFile}`, ...args], {
    isShown: true,
    env: added,
  });
  if (!existsSync(resultsFile)) return failures.push('tests: Jest ended before it had run them');
  const results = JSON.parse(readFileSync(resultsFile, 'utf8'));
  counts.passed += results.numPassedTests;
  counts.skipped += results.numPendingTests + results.numTodoTests;
  const failed = results.testResults.flatMap(({ status, name, assertionResults: tests }) =>
    // A suite that could not run at all, e.g. for an error outside its tests, counts as one failure.
    status === 'failed' && tests.length === 0
      ? [name]
      : tests.flatMap((test) => (test.status === 'failed' ? [test.fullName] : [])),
  );
  failures.push(...failed.map((name) => `tests: ${name}`));
  if (!ok && failed.length === 0) failures.push('tests: Jest failed outside of any test');
  // A run of chosen names skips the other tests; a run of all tests must not skip one without a reason.
  if (given.length > 0) return;
  failures.push(...unexplainedSkips(results).map((name) => `skipped without a reason: ${name}`));
}
